// Mounts whose files somebody else gives: another machine, or a program. They may not answer.
#ifndef BASHWARD_SANDBOX_DISTANT_MOUNTS_H_
#define BASHWARD_SANDBOX_DISTANT_MOUNTS_H_

#include <string_view>

#include "sandbox/mount_list.h"

namespace bashward::sandbox {

// Whether to look at a directory may take for ever: it is on such a mount, or on none that is known. Mounts
// below it do not count, nor what an overlay or a loop device is made of.
bool MayHang(const MountList& mounts, std::string_view path);

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_DISTANT_MOUNTS_H_
