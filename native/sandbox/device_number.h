// Numbers of devices, as stat(2) gives them.
#ifndef BASHWARD_SANDBOX_DEVICE_NUMBER_H_
#define BASHWARD_SANDBOX_DEVICE_NUMBER_H_

#include <stdint.h>

namespace bashward::sandbox {

// makedev(3), which is a function of the C library.
constexpr uint64_t EncodeDevice(uint64_t major, uint64_t minor) {
  return (minor & 0xff) | (major & 0xfff) << 8 | (minor & 0xfff00) << 12;
}

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_DEVICE_NUMBER_H_
