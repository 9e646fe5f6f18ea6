#include "sandbox/writable_roots.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

#include "sandbox/device_number.h"
#include "sys/file_status.h"

#ifndef SYS_openat2
#define SYS_openat2 437
#endif

namespace bashward::sandbox {
namespace {

// struct open_how and RESOLVE_* of <linux/openat2.h>, which the headers that this is built with may not have.
struct OpenHow {
  uint64_t flags;
  uint64_t mode;
  uint64_t resolve;
};
constexpr uint64_t kNoMagicLinks = 0x02;
constexpr uint64_t kNoSymlinks = 0x04;

constexpr long kNoDevices = 0x4;  // ST_NODEV of statfs(2)

bool OpenRoot(int directory, const char* name, const char* path, bool may_hang, WritableRoot* root) {
  const OpenHow how{O_PATH | O_DIRECTORY | O_CLOEXEC, 0, kNoSymlinks | kNoMagicLinks};
  root->fd.reset(static_cast<int>(syscall(SYS_openat2, directory, name, &how, sizeof how)));
  if (!root->fd.valid()) return false;
  sys::FileStatus status{};
  if (!sys::ReadStatus(root->fd.get(), sys::kStatusAsKnown, &status)) return false;
  if ((status.mask & sys::kStatusMountId) == 0) {
    errno = EOPNOTSUPP;
    return false;
  }
  struct statfs file_system{};
  if (!may_hang && syscall(SYS_fstatfs, root->fd.get(), &file_system) != 0) return false;
  root->path = path;
  root->length = strlen(path);
  root->mount_id = status.mount_id;
  root->device = EncodeDevice(status.device_major, status.device_minor);
  root->inode = status.inode;
  root->opens_devices = !may_hang && (file_system.f_flags & kNoDevices) == 0;
  root->may_hang = may_hang;
  return true;
}

}  // namespace

bool WritableRoots::Open(const char* paths, uint32_t count, uint32_t may_hang) {
  if (count > protocol::kMaxRoots) {
    errno = E2BIG;
    return false;
  }
  for (size_ = 0; size_ < count; ++size_) {
    // A relative path would be taken from wherever this process is.
    if (paths[0] != '/') {
      errno = EINVAL;
      return false;
    }
    if (!OpenRoot(AT_FDCWD, paths, paths, (may_hang >> size_ & 1) != 0, &roots_[size_])) return false;
    paths += strlen(paths) + 1;
  }
  return true;
}

bool WritableRoots::Add(int directory, const char* path) {
  if (size_ == sizeof roots_ / sizeof *roots_) {
    errno = E2BIG;
    return false;
  }
  if (!OpenRoot(directory, ".", path, false, &roots_[size_])) return false;
  ++size_;
  return true;
}

}  // namespace bashward::sandbox
