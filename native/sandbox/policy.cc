#include "sandbox/policy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "sandbox/capabilities.h"
#include "sandbox/seccomp_filter.h"
#include "sys/unique_fd.h"

namespace bashward::sandbox {
namespace {

using protocol::Step;

bool Fail(Step step, protocol::Failed* failure) {
  *failure = {step, errno};
  return false;
}

// Where core_pattern names a socket (since Linux 6.16), or where the hard limit was 0 before, no limit
// prevents the dump. So it shall hold no memory: none of the kinds of mappings in core(5). Programs inherit
// this over execve, and cannot write to /proc.
void LeaveMemoryOutOfCoreDumps() {
  const sys::UniqueFd filter(open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC));
  // Without such a file the kernel makes no dumps. It is a second line of defence in any case.
  const bool written = filter.valid() && write(filter.get(), "0", 1) == 1;
  static_cast<void>(written);
}

}  // namespace

bool Policy::Prepare(int scratch, protocol::Failed* failure) {
  abi_ = LandlockAbi();
  if (abi_ < 0) return Fail(Step::kLandlockCreateRuleset, failure);
  ruleset_ = CreateRuleset(abi_);
  if (!ruleset_.fd.valid()) return Fail(Step::kLandlockCreateRuleset, failure);
  if (!AllowReading(ruleset_)) return Fail(Step::kLandlockAddRule, failure);
  if (scratch >= 0 && !AllowWriting(ruleset_, scratch)) return Fail(Step::kLandlockAddRule, failure);
  LeaveMemoryOutOfCoreDumps();
  return ConfineSupervisor(failure);
}

// Even a supervisor that is deceived about a pid then signals nothing outside. Its use of files stays as
// before.
bool Policy::ConfineSupervisor(protocol::Failed* failure) const {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return Fail(Step::kNoNewPrivileges, failure);
  if (!scopes_signals()) return true;
  const Ruleset scope = CreateSignalScope();
  if (!scope.fd.valid()) return Fail(Step::kLandlockCreateRuleset, failure);
  return RestrictSelf(scope) || Fail(Step::kLandlockRestrictSelf, failure);
}

bool Policy::Enforce(protocol::Failed* failure) const {
  if (!KeepOnlyReadSearch()) return Fail(Step::kCapset, failure);
  return RestrictSelf(ruleset_) || Fail(Step::kLandlockRestrictSelf, failure);
}

bool Policy::InstallFilter(protocol::Failed* failure) const {
  constexpr uint64_t kTruncate = uint64_t{1} << 14;
  const LandlockGaps gaps{(ruleset_.handled.file_system & kTruncate) == 0, !scopes_signals()};
  return InstallSeccompFilter(gaps) || Fail(Step::kSeccomp, failure);
}

uint32_t Policy::protections() const {
  const uint32_t scoped = scopes_signals() ? uint32_t{protocol::kSignals} : 0;
  return (protocol::kAllProtections & ~uint32_t{protocol::kSignals}) | scoped;
}

}  // namespace bashward::sandbox
