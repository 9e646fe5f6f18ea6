#include "sandbox/device_mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/mount_field.h"
#include "sys/unique_fd.h"

namespace bashward::sandbox {
namespace {

constexpr char kDevices[] = "/dev";

bool IsAtOrBelow(const char* path, const char* directory) {
  if (strcmp(directory, "/") == 0) return true;
  for (; *directory != '\0'; ++path, ++directory) {
    if (*path != *directory) return false;
  }
  return *path == '\0' || *path == '/';
}

// The file system of /dev, which need not be a devtmpfs; 0 when /dev is a directory of the root file
// system.
dev_t FileSystemOfDevices() {
  struct stat root{};
  struct stat devices{};
  if (fstatat(AT_FDCWD, "/", &root, 0) != 0 || fstatat(AT_FDCWD, kDevices, &devices, 0) != 0) return 0;
  return devices.st_dev == root.st_dev ? 0 : devices.st_dev;
}

}  // namespace

// Takes /proc/self/mountinfo byte by byte. A line (proc_pid_mountinfo(5)):
//   36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
class MountTable {
 public:
  explicit MountTable(DeviceMounts* found) : found_(found), devices_(FileSystemOfDevices()) {}

  // False with errno.
  bool Take(char c) {
    if (c != ' ' && c != '\n') {
      // Only the mount point matters where something is too long.
      if (length_ < sizeof field_ - 1) {
        field_[length_++] = c;
      } else if (index_ == kMountPoint) {
        errno = ENAMETOOLONG;
        return false;
      }
      return true;
    }
    field_[length_] = '\0';
    TakeField();
    length_ = 0;
    ++index_;
    return c != '\n' || EndLine();
  }

 private:
  static constexpr int kDevice = 2;
  static constexpr int kMountPoint = 4;
  static constexpr int kFirstOptional = 6;

  void TakeField() {
    if (index_ == kDevice) {
      holds_devices_ = devices_ != 0 && ParseMountDevice(field_) == devices_;
    } else if (index_ == kMountPoint) {
      memcpy(mount_point_, field_, length_ + 1);
    } else if (index_ >= kFirstOptional && type_index_ == 0 && strcmp(field_, "-") == 0) {
      type_index_ = index_ + 1;
    } else if (type_index_ != 0 && index_ == type_index_) {
      if (strcmp(field_, "devtmpfs") == 0 || strcmp(field_, "devpts") == 0) holds_devices_ = true;
    }
  }

  bool EndLine() {
    UnescapeMountField(mount_point_);
    const bool is_found = holds_devices_ && !IsAtOrBelow(mount_point_, kDevices);
    index_ = 0;
    type_index_ = 0;
    holds_devices_ = false;
    return !is_found || found_->Add(mount_point_);
  }

  DeviceMounts* const found_;
  const dev_t devices_;
  int index_ = 0;
  int type_index_ = 0;
  bool holds_devices_ = false;
  size_t length_ = 0;
  char field_[2 * PATH_MAX];
  char mount_point_[2 * PATH_MAX];
};

bool DeviceMounts::Read() {
  size_ = 0;
  used_ = 0;
  const sys::UniqueFd file(open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return errno == ENOENT;
  MountTable table(this);
  char buffer[4096];
  for (;;) {
    const ssize_t count = read(file.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    for (ssize_t i = 0; i < count; ++i) {
      if (!table.Take(buffer[i])) return false;
    }
  }
}

bool DeviceMounts::Add(const char* path) {
  const size_t size = strlen(path) + 1;
  if (size_ == kMaxMounts || sizeof text_ - used_ < size) {
    errno = E2BIG;
    return false;
  }
  memcpy(text_ + used_, path, size);
  starts_[size_++] = used_;
  used_ += size;
  return true;
}

size_t DeviceMounts::FirstBelow(const char* path) const {
  size_t i = 0;
  while (i < size_ && !IsAtOrBelow((*this)[i], path)) ++i;
  return i;
}

bool DeviceMounts::Cover(const char* path) const {
  for (size_t i = 0; i < size_; ++i) {
    if (IsAtOrBelow(path, (*this)[i])) return true;
  }
  return false;
}

}  // namespace bashward::sandbox
