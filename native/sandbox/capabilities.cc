#include "sandbox/capabilities.h"

#include <linux/capability.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

namespace bashward::sandbox {
namespace {

// One bit for each capability.
using CapabilitySet = uint64_t;

constexpr CapabilitySet Only(int capability) {
  return CapabilitySet{1} << capability;
}

// A capability that the kernel does not know ends the list of those that it does.
constexpr int kMaxCapability = 63;

bool KeepOnly(CapabilitySet kept) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
  if (syscall(SYS_capget, &header, data) != 0) return false;
  // The bounding set first, which takes CAP_SETPCAP: execve would give root the rest back from it. Without
  // that capability the process is not root, and execve gives it nothing.
  if ((data[0].effective & Only(CAP_SETPCAP)) != 0) {
    for (int capability = 0; capability <= kMaxCapability; ++capability) {
      if ((kept & Only(capability)) != 0) continue;
      if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) break;
    }
  }
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (int word = 0; word < _LINUX_CAPABILITY_U32S_3; ++word) {
    const auto keep = static_cast<uint32_t>(kept >> (32 * word));
    data[word].effective &= keep;
    data[word].permitted &= keep;
    data[word].inheritable &= keep;
  }
  return syscall(SYS_capset, &header, data) == 0;
}

}  // namespace

bool DropIntrospectionCapabilities() {
  return KeepOnly(~(Only(CAP_SYS_PTRACE) | Only(CAP_SYS_ADMIN) | Only(CAP_PERFMON)));
}

bool KeepOnlyReadSearch() {
  return KeepOnly(Only(CAP_DAC_READ_SEARCH));
}

}  // namespace bashward::sandbox
