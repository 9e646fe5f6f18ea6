// The system calls that the broker makes. Each returns its result or -errno: the broker is a thread of a
// program whose `errno` is the main thread's.
#ifndef BASHWARD_BROKER_KERNEL_H_
#define BASHWARD_BROKER_KERNEL_H_

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>

#include "sandbox/system_calls.h"
#include "sys/file_status.h"
#include "sys/raw_call.h"

namespace bashward::broker::kernel {

template <typename... Arguments>
long Call(long number, Arguments... arguments) {
  return sys::RawCall(number, arguments...);
}

// A descriptor that closes itself; with a negative error number in its place, none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(long fd) : fd_(static_cast<int>(fd)) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      Close();
      fd_ = other.fd_;
      other.fd_ = -1;
    }
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { Close(); }

  bool valid() const { return fd_ >= 0; }
  int get() const { return fd_; }
  int error() const { return fd_; }  // of one that is not valid: -errno

 private:
  void Close() {
    if (fd_ >= 0) Call(SYS_close, fd_);
  }

  int fd_ = -1;
};

using Status = sys::FileStatus;
inline constexpr uint32_t kBasicStatus = 0x7ff;

// Of the object itself, a symbolic link too. 0 or -errno.
inline int ReadStatus(int fd, Status* status) {
  const long error = Call(SYS_statx, fd, "", AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW,
                          kBasicStatus | sys::kStatusMountId, status);
  if (error != 0) return static_cast<int>(error);
  return (status->mask & sys::kStatusMountId) != 0 ? 0 : -EOPNOTSUPP;
}

// By the same mount, too.
inline bool IsSameFile(const Status& one, const Status& other) {
  return one.inode == other.inode && one.device_major == other.device_major &&
         one.device_minor == other.device_minor && one.mount_id == other.mount_id;
}

// RESOLVE_* of openat2(2).
inline constexpr uint64_t kNoMagicLinks = 0x02;
inline constexpr uint64_t kNoSymlinks = 0x04;
inline constexpr uint64_t kBeneath = 0x08;

// O_PATH: nothing is opened that could block, or notice.
inline Descriptor OpenPath(int directory, const char* path, int flags, uint64_t resolve) {
  const uint64_t how[] = {static_cast<uint64_t>(O_PATH | O_CLOEXEC | flags), 0, resolve};
  return Descriptor(Call(sandbox::number::kOpenat2, directory, path, how, sizeof how));
}

// Follows what magic links there are, in paths of our own only.
inline Descriptor OpenOwn(const char* path, int flags) {
  return Descriptor(Call(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0));
}

inline long ReadLink(const char* path, char* buffer, size_t size) {
  return Call(SYS_readlinkat, AT_FDCWD, path, buffer, size);
}

}  // namespace bashward::broker::kernel

#endif  // BASHWARD_BROKER_KERNEL_H_
