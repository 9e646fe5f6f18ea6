// The system calls that a confined command is refused: what Landlock does not cover (seccomp(2)).
#ifndef BASHWARD_SANDBOX_SECCOMP_FILTER_H_
#define BASHWARD_SANDBOX_SECCOMP_FILTER_H_

#include <stdint.h>

namespace bashward::sandbox {

// What the kernel's Landlock leaves open, and the filter closes as far as it can.
struct LandlockGaps {
  bool truncation;  // before ABI 3: emptying a file that is opened for reading, or by name
  bool signals;     // before ABI 6: at least a signal to everything at once is refused
};

// The parts of a policy that the filter depends on.
struct FilterPolicy {
  LandlockGaps gaps;
  bool brokered;  // a broker answers calls that change modes, owners or times, and those about sockets
  bool makes_files = false;  // somewhere: in a root, in the scratch directory or in shared memory
};

// Refuses system calls of this process and of everything that it starts, for good. Needs no_new_privs. False
// with errno: ENOSYS or EINVAL where the kernel has no seccomp filters, EPERM or EACCES where a container's
// refuses more.
//
// With a broker, `listener` is set to the descriptor that it answers on, which is closed by execve; EBUSY:
// there is one for this process already. Without a broker, it is set to -1.
bool InstallSeccompFilter(const FilterPolicy& policy, int* listener);

// Whether the kernel has seccomp filters.
bool HasSeccompFilters();

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_SECCOMP_FILTER_H_
