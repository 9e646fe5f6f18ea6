#include "napi/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

// Asks about a lock for reading: whoever can read the file may.
int LookForOwner(const std::string& path) {
  const sys::UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.valid()) return -errno;
  struct flock whole{};
  whole.l_type = F_RDLCK;
  whole.l_whence = SEEK_SET;
  if (fcntl(file.get(), F_OFD_GETLK, &whole) != 0) return -errno;
  return whole.l_type == F_UNLCK ? 0 : 1;
}

// Whether the file of that name is the one that was opened: it may have been removed before it was locked.
bool IsNamed(int file, const std::string& path) {
  struct stat opened{};
  struct stat named{};
  return fstat(file, &opened) == 0 && lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

// Not flock(2), which whoever can read a file can take.
int Lock(const std::string& path) {
  constexpr int kTries = 8;
  for (int i = 0; i < kTries; ++i) {
    sys::UniqueFd file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    if (!file.valid()) return -errno;
    struct flock whole{};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (fcntl(file.get(), F_OFD_SETLK, &whole) != 0) return errno == EACCES ? -EAGAIN : -errno;
    if (IsNamed(file.get(), path)) return file.release();
  }
  return -EAGAIN;
}

}  // namespace

Napi::Value LockFile(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), Lock(info[0].As<Napi::String>().Utf8Value()));
}

void UnlockFile(const Napi::CallbackInfo& info) {
  close(info[0].As<Napi::Number>().Int32Value());
}

Napi::Value IsOwned(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), LookForOwner(info[0].As<Napi::String>().Utf8Value()));
}

Napi::Value IsLocked(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), Look(info[0].As<Napi::String>().Utf8Value()));
}

}  // namespace bashward::addon
