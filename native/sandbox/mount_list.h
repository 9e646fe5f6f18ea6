// The mounts that this process sees, and whether they are still the same. For the host: the supervisor, which
// cannot allocate, has device_mounts.h.
#ifndef BASHWARD_SANDBOX_MOUNT_LIST_H_
#define BASHWARD_SANDBOX_MOUNT_LIST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sys/unique_fd.h"

namespace bashward::sandbox {

// Whether a path is that directory or lies in it, by their texts: absolute, without a slash at the end, `.`
// or
// `..`.
bool IsAtOrBelow(std::string_view path, std::string_view directory);
// The path of something at or below `from` as seen from `to`, likewise.
std::string Rebase(std::string_view path, std::string_view from, std::string_view to);

struct Mount {
  uint64_t device;    // as stat(2) gives it; btrfs gives other ones
  std::string root;   // of the file system, what is mounted
  std::string point;  // and where
  std::string type;
  bool opens_devices;  // no `nodev`
};

class MountList {
 public:
  // Reads them anew if they have changed since the last time. False with errno; ENOENT without /proc.
  bool Update();
  // Another number after each change.
  uint64_t version() const { return version_; }

  // In the order in which they were mounted.
  const std::vector<Mount>& all() const { return mounts_; }
  // What a path without symbolic links is on. Null without a mount of "/", as in some containers.
  const Mount* Of(std::string_view path) const;
  // What else a path without symbolic links is called: where another mount shows the same directory or file.
  std::vector<std::string> OtherNames(const std::string& path) const;
  // Where something is mounted below a path without symbolic links.
  std::vector<std::string> PointsBelow(const std::string& path) const;

 private:
  bool HasChanged() const;
  bool Read();

  sys::UniqueFd file_;  // tells of changes
  uint64_t version_ = 0;
  std::vector<Mount> mounts_;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_MOUNT_LIST_H_
