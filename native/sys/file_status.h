// statx(2), which not every C library and kernel header that bashward is built with has.
#ifndef BASHWARD_SYS_FILE_STATUS_H_
#define BASHWARD_SYS_FILE_STATUS_H_

#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace bashward::sys {

// struct statx as of Linux 5.8.
struct FileStatus {
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
static_assert(sizeof(FileStatus) == 256);
inline constexpr uint32_t kStatusType = 0x1;
inline constexpr uint32_t kStatusInode = 0x100;
inline constexpr uint32_t kStatusMountId = 0x1000;

// What the kernel knows already: no file server is asked, which may not answer.
inline constexpr int kStatusAsKnown = 0x4000;  // AT_STATX_DONT_SYNC

// Type, inode, device and mount of an open file. False with errno.
inline bool ReadStatus(int fd, int flags, FileStatus* status) {
  constexpr uint32_t kWanted = kStatusType | kStatusInode | kStatusMountId;
  return syscall(SYS_statx, fd, "", flags | AT_EMPTY_PATH, kWanted, status) == 0;
}

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_FILE_STATUS_H_
