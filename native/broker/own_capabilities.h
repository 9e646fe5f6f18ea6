// The capabilities of the broker's threads, as few as each needs.
#ifndef BASHWARD_BROKER_OWN_CAPABILITIES_H_
#define BASHWARD_BROKER_OWN_CAPABILITIES_H_

#include <linux/capability.h>
#include <stdint.h>

#include "broker/kernel.h"

namespace bashward::broker {

constexpr uint64_t OnlyCapability(int capability) {
  return uint64_t{1} << capability;
}

// Of this thread only. It executes nothing, so the bounding set does not matter. 0 or -errno.
inline long KeepOnlyCapabilities(uint64_t kept) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
  const long error = kernel::Call(SYS_capget, &header, data);
  if (error != 0) return error;
  for (int word = 0; word < _LINUX_CAPABILITY_U32S_3; ++word) {
    const auto keep = static_cast<uint32_t>(kept >> (32 * word));
    data[word].effective &= keep;
    data[word].permitted &= keep;
    data[word].inheritable = 0;
  }
  return kernel::Call(SYS_capset, &header, data);
}

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_OWN_CAPABILITIES_H_
