#include "sandbox/writable_roots.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

#include "sandbox/device_number.h"

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

// struct statx as of Linux 5.8.
struct Status {
  uint32_t mask;
  uint32_t block_size;
  uint64_t attributes;
  uint32_t links;
  uint32_t user;
  uint32_t group;
  uint16_t mode;
  uint16_t padding;
  uint64_t inode;
  uint64_t size;
  uint64_t blocks;
  uint64_t attributes_mask;
  uint64_t times[8];
  uint32_t special_major;
  uint32_t special_minor;
  uint32_t device_major;
  uint32_t device_minor;
  uint64_t mount_id;
  uint64_t reserved[13];
};
static_assert(sizeof(Status) == 256);
constexpr uint32_t kInode = 0x100;
constexpr uint32_t kMountId = 0x1000;

constexpr long kNoDevices = 0x4;  // ST_NODEV of statfs(2)

bool OpenRoot(int directory, const char* name, const char* path, WritableRoot* root) {
  const OpenHow how{O_PATH | O_DIRECTORY | O_CLOEXEC, 0, kNoSymlinks | kNoMagicLinks};
  root->fd.reset(static_cast<int>(syscall(SYS_openat2, directory, name, &how, sizeof how)));
  if (!root->fd.valid()) return false;
  Status status{};
  if (syscall(SYS_statx, root->fd.get(), "", AT_EMPTY_PATH, kInode | kMountId, &status) != 0) return false;
  if ((status.mask & kMountId) == 0) {
    errno = EOPNOTSUPP;
    return false;
  }
  struct statfs file_system{};
  if (syscall(SYS_fstatfs, root->fd.get(), &file_system) != 0) return false;
  root->path = path;
  root->length = strlen(path);
  root->mount_id = status.mount_id;
  root->device = EncodeDevice(status.device_major, status.device_minor);
  root->inode = status.inode;
  root->opens_devices = (file_system.f_flags & kNoDevices) == 0;
  return true;
}

}  // namespace

bool WritableRoots::Open(const char* paths, uint32_t count) {
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
    if (!OpenRoot(AT_FDCWD, paths, paths, &roots_[size_])) return false;
    paths += strlen(paths) + 1;
  }
  return true;
}

bool WritableRoots::Add(int directory, const char* path) {
  if (size_ == sizeof roots_ / sizeof *roots_) {
    errno = E2BIG;
    return false;
  }
  if (!OpenRoot(directory, ".", path, &roots_[size_])) return false;
  ++size_;
  return true;
}

}  // namespace bashward::sandbox
