// A whole policy: prepared by the supervisor, enforced by its child before that executes bash. Restricted
// mode is the policy without writable directories.
//
// Where nothing can be written, one ruleset handles everything. Otherwise there are two, and only what both
// allow is allowed: one for reading, which the host keeps and several commands share, and one for the rest.
#ifndef BASHWARD_SANDBOX_POLICY_H_
#define BASHWARD_SANDBOX_POLICY_H_

#include <stdint.h>

#include "process/control_protocol.h"
#include "sandbox/landlock.h"
#include "sandbox/writable_roots.h"

namespace bashward::sandbox {

// What of the machine's files a command is given. The descriptors must outlive Prepare() alone.
struct GivenFiles {
  int scratch = -1;                      // an open directory that can be written to
  const WritableRoots* roots = nullptr;  // must outlive the policy
  bool brokered = false;                 // there is a broker, also without roots
  bool opens_devices = false;            // a mount below a root is known to, see WritableRoot
  bool shared_memory = false;
  // The ruleset that the host has made: for reading if anything of the above is there, else for everything.
  // The policy closes it. -1: this makes one itself, which leaves out nothing that is unreadable.
  int ruleset = -1;
  bool owns_ruleset = false;  // no other command has it
  // The command's own terminal, which it may open by its names: the ruleset must be its own. -1: none.
  int terminal = -1;
};

class Policy {
 public:
  // Confines the supervisor itself to signals that stay below it, where the kernel can, and makes the
  // rulesets of the command.
  bool Prepare(const GivenFiles& given, protocol::Failed* failure);
  bool Prepare(int scratch, protocol::Failed* failure);

  // Whether the command needs a broker.
  bool brokered() const { return brokered_; }

  // In the child: everything but the filter of system calls. System calls only, on the supervisor's memory.
  bool Enforce(protocol::Failed* failure) const;
  // Last, as it would refuse some of what comes before. `listener`: where the broker is told of system calls;
  // -1 without one.
  bool InstallFilter(protocol::Failed* failure, int* listener = nullptr) const;

  // protocol::Protection bits: what is in force once all of the above have succeeded.
  uint32_t protections() const;
  int abi() const { return abi_; }

 private:
  bool PrepareReading(const GivenFiles& given, bool in_two, protocol::Failed* failure);
  bool PrepareWriting(const GivenFiles& given, protocol::Failed* failure);
  bool ConfineSupervisor(protocol::Failed* failure) const;
  bool scopes_signals() const { return (handled_.scoped & kScopeSignal) != 0; }

  int abi_ = 0;
  Handled handled_;  // by both together
  Ruleset reading_;  // handles everything where there is no other
  Ruleset writing_;
  bool brokered_ = false;
  bool writes_ = false;
  bool writes_roots_ = false;
  bool opens_devices_ = false;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_POLICY_H_
