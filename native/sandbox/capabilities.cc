#include "sandbox/capabilities.h"

#include <linux/capability.h>
#include <linux/securebits.h>
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

// The first capability that the kernel does not know ends the list.
constexpr int kMaxCapability = 63;

// Whether execve gives a process what is in its bounding set, which it does for user id 0 (capabilities(7),
// "Capabilities and execution of programs by root").
bool ExecveGivesBoundingSet() {
  const bool is_root = syscall(SYS_getuid) == 0 || syscall(SYS_geteuid) == 0;
  const int bits = prctl(PR_GET_SECUREBITS, 0, 0, 0, 0);
  const bool roots_privilege = bits < 0 || (static_cast<unsigned>(bits) & SECBIT_NOROOT) == 0;
  return is_root && roots_privilege && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

bool KeepOnly(CapabilitySet kept) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
  if (syscall(SYS_capget, &header, data) != 0) return false;
  // The bounding set first, which takes CAP_SETPCAP: from it, execve would give root everything back.
  constexpr auto kSetCapabilities = static_cast<uint32_t>(Only(CAP_SETPCAP));
  data[0].effective |= data[0].permitted & kSetCapabilities;
  if (syscall(SYS_capset, &header, data) != 0) return false;
  for (int capability = 0; capability <= kMaxCapability; ++capability) {
    if ((kept & Only(capability)) != 0 || prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) continue;
    const int is_there = prctl(PR_CAPBSET_READ, capability, 0, 0, 0);
    if (is_there < 0) break;
    if (is_there == 0) continue;
    // A container may leave root without CAP_SETPCAP.
    if (ExecveGivesBoundingSet()) return false;
    break;
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

bool KeepOnlyFileAccess() {
  return KeepOnly(Only(CAP_DAC_READ_SEARCH) | Only(CAP_DAC_OVERRIDE));
}

}  // namespace bashward::sandbox
