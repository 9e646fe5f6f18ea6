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

bool DropIntrospectionCapabilities() {
  static constexpr int kDropped[] = {CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_PERFMON};
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
  if (syscall(SYS_capget, &header, data) != 0) return false;
  // The bounding set first, which takes CAP_SETPCAP: execve would give root the rest back from it. Without
  // that capability the process is not root, and execve gives it nothing.
  for (const int capability : kDropped) prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (const int capability : kDropped) {
    const uint32_t keep = ~(uint32_t{1} << (capability % 32));
    __user_cap_data_struct& word = data[capability / 32];
    word.effective &= keep;
    word.permitted &= keep;
    word.inheritable &= keep;
  }
  return syscall(SYS_capset, &header, data) == 0;
}

}  // namespace bashward::sandbox
