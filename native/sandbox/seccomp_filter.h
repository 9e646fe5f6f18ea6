// The system calls that Restricted mode refuses: what Landlock does not cover (seccomp(2)).
#ifndef BASHWARD_SANDBOX_SECCOMP_FILTER_H_
#define BASHWARD_SANDBOX_SECCOMP_FILTER_H_

#include <stdint.h>

namespace bashward::sandbox {

// What the kernel's Landlock leaves open, and the filter closes as far as it can.
struct LandlockGaps {
  bool truncation;  // before ABI 3: emptying a file that is opened for reading, or by name
  bool signals;     // before ABI 6: at least a signal to everything at once is refused
};

// Refuses system calls of this process and of everything that it starts, for good. Needs no_new_privs. False
// with errno: ENOSYS or EINVAL where the kernel has no seccomp filters, EPERM or EACCES where a container's
// refuses more.
bool InstallSeccompFilter(LandlockGaps gaps);

// Whether the kernel has seccomp filters.
bool HasSeccompFilters();

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_SECCOMP_FILTER_H_
