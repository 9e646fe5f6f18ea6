#include "napi/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

#include <string>

#include "sys/unique_fd.h"

namespace bashward::addon {
namespace {

// Looks by taking a shared lock for a moment. That blocks no other look, and no supervisor: a supervisor
// takes its lock before anybody can know the file.
int Look(const std::string& path) {
  // A command may have put something else there: a link to another file, a FIFO that nobody writes to.
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
