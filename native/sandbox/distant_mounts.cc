#include "sandbox/distant_mounts.h"

#include <algorithm>
#include <iterator>

namespace bashward::sandbox {
namespace {

// What the kernel itself reads from this machine's memory and disks.
constexpr std::string_view kLocalTypes[] = {"ext4",  "xfs",    "btrfs",    "tmpfs",     "overlay", "zfs",
                                            "ext3",  "ext2",   "f2fs",     "bcachefs",  "ramfs",   "vfat",
                                            "exfat", "ntfs3",  "squashfs", "erofs",     "iso9660", "udf",
                                            "jfs",   "nilfs2", "reiserfs", "hugetlbfs", "ubifs",   "hfsplus"};

}  // namespace

bool MayHang(const MountList& mounts, std::string_view path) {
  const Mount* mount = mounts.Of(path);
  return mount == nullptr ||
         std::find(std::begin(kLocalTypes), std::end(kLocalTypes), mount->type) == std::end(kLocalTypes);
}

}  // namespace bashward::sandbox
