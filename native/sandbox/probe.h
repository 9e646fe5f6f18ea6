// Tries out whether the policy is in force, in a process that it confines.
#ifndef BASHWARD_SANDBOX_PROBE_H_
#define BASHWARD_SANDBOX_PROBE_H_

#include <stdint.h>
#include <sys/types.h>

namespace bashward::sandbox {

// Attempts what each protection refuses, with arguments that would do no harm. `file` is a file that this
// process could write to without the policy, `outside` a process that it could signal. protocol::Protection
// bits: those whose every attempt has failed as it should. `writes_files`: by a policy with writable roots,
// which root needs a capability for.
uint32_t AttemptRefused(const char* file, pid_t outside, bool writes_files = false);

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_PROBE_H_
