// Where else than in /dev devices can be reached: a second mount of /dev or of its terminals, as in a
// chroot, or in a container that was given the machine's /dev.
#ifndef BASHWARD_SANDBOX_DEVICE_MOUNTS_H_
#define BASHWARD_SANDBOX_DEVICE_MOUNTS_H_

#include <limits.h>
#include <stddef.h>

namespace bashward::sandbox {

class DeviceMounts {
 public:
  // Reads /proc/self/mountinfo anew. Without /proc none are known. False with errno; E2BIG when there are
  // more than fit in here, ENAMETOOLONG when one has no path.
  bool Read();

  size_t size() const { return size_; }
  // Absolute, and not below /dev.
  const char* operator[](size_t i) const { return text_ + starts_[i]; }
  // The first mount that is the path or is below it; size() when there is none.
  size_t FirstBelow(const char* path) const;
  bool AnyAtOrBelow(const char* path) const { return FirstBelow(path) != size_; }
  // Whether the path is a mount, or is below it.
  bool Cover(const char* path) const;

 private:
  friend class MountTable;
  bool Add(const char* path);

  static constexpr size_t kMaxMounts = 512;
  size_t size_ = 0;
  size_t used_ = 0;
  size_t starts_[kMaxMounts];
  char text_[8 * PATH_MAX];
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_DEVICE_MOUNTS_H_
