// Mounts whose files are not data but the kernel's own: controls, devices and what it knows of processes.
#ifndef BASHWARD_SANDBOX_KERNEL_MOUNTS_H_
#define BASHWARD_SANDBOX_KERNEL_MOUNTS_H_

#include <string_view>

#include "sandbox/mount_list.h"

namespace bashward::sandbox {

// Of a mount, by its type.
bool IsOfKernel(std::string_view type);

// The mount that keeps a directory from being a writable root: it is on it, or has it somewhere below. Null
// when there is none. To write to a file of /proc is to signal, to configure, or to load code, and no ruleset
// tells those files from a project's.
const Mount* KernelMountIn(const MountList& mounts, std::string_view root);

// Whether device files in a directory, or in a mount below it, can be opened.
bool OpensDevices(const MountList& mounts, std::string_view root);

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_KERNEL_MOUNTS_H_
