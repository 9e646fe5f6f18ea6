#include "napi/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

#include <string>

#include "sys/unique_fd.h"

namespace bashward::addon {
namespace {

// The look is a lock of its own, shared and for a moment: it keeps neither another look nor a supervisor
// away, which takes its lock before anybody can know the file.
int Look(const std::string& path) {
  // What a command may have put there instead: a link to another file, a FIFO that nobody writes to.
  const sys::UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.valid()) return -errno;
  if (flock(file.get(), LOCK_SH | LOCK_NB) == 0) return 0;
  return errno == EWOULDBLOCK ? 1 : -errno;
}

}  // namespace

Napi::Value IsLocked(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), Look(info[0].As<Napi::String>().Utf8Value()));
}

}  // namespace bashward::addon
