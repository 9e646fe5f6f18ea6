// The device of a file system as the kernel itself counts it. stat(2) has others for the files of some, such
// as btrfs and overlayfs.
#ifndef BASHWARD_BROKER_SOCKETS_MOUNT_DEVICE_H_
#define BASHWARD_BROKER_SOCKETS_MOUNT_DEVICE_H_

#include <stdint.h>

namespace bashward::broker {

constexpr uint32_t EncodeKernelDevice(uint32_t device_major, uint32_t device_minor) {
  return device_major << 20 | device_minor;
}

// Of the mount with this number, from /proc/self/mountinfo. 0 when it is not there.
uint32_t FindMountDevice(uint64_t mount_id);

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_MOUNT_DEVICE_H_
