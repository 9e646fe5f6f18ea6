// The whole of Restricted mode: prepared by the supervisor, enforced by its child before that executes bash.
#ifndef BASHWARD_SANDBOX_POLICY_H_
#define BASHWARD_SANDBOX_POLICY_H_

#include <stdint.h>

#include "process/control_protocol.h"
#include "sandbox/landlock.h"

namespace bashward::sandbox {

class Policy {
 public:
  // Confines the supervisor itself to signals that stay below it, where the kernel can, and makes the ruleset
  // of the command. `scratch` is an open directory that can be written to, or -1.
  bool Prepare(int scratch, protocol::Failed* failure);

  // In the child: everything but the filter of system calls. System calls only, on the supervisor's memory.
  bool Enforce(protocol::Failed* failure) const;
  // Last, as it would refuse some of what comes before.
  bool InstallFilter(protocol::Failed* failure) const;

  // protocol::Protection bits: what is in force once all of the above have succeeded.
  uint32_t protections() const;
  int abi() const { return abi_; }

 private:
  bool ConfineSupervisor(protocol::Failed* failure) const;
  bool scopes_signals() const { return (ruleset_.handled.scoped & kScopeSignal) != 0; }

  int abi_ = 0;
  Ruleset ruleset_;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_POLICY_H_
