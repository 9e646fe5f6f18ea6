// Tries out whether the policy is in force, in a process that it confines.
#ifndef BASHWARD_SANDBOX_PROBE_H_
#define BASHWARD_SANDBOX_PROBE_H_

#include <stdint.h>
#include <sys/types.h>

#include "sandbox/writable_roots.h"

namespace bashward::sandbox {

// Attempts what each protection refuses, with arguments that would do no harm. `file` is a file that this
// process could write to without the policy, `outside` a process that it could signal. In writable roots, if
// there are any, what they allow is attempted, too: the first must be a directory made for this. The bits of
// protocol::Protection: those whose every attempt has gone as it should.
uint32_t AttemptRefused(const char* file, pid_t outside, const WritableRoots* roots = nullptr);

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_PROBE_H_
