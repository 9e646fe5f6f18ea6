#include "sandbox/policy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/capabilities.h"
#include "sandbox/seccomp_filter.h"
#include "sys/unique_fd.h"

namespace bashward::sandbox {
namespace {

using protocol::Step;

// The first version that lets files be moved from one directory to another at all.
constexpr int kMovingAbi = 2;

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
  GivenFiles given;
  given.scratch = scratch;
  return Prepare(given, failure);
}

bool Policy::Prepare(const GivenFiles& given, protocol::Failed* failure) {
  abi_ = LandlockAbi();
  if (abi_ < 0) return Fail(Step::kLandlockCreateRuleset, failure);
  writes_roots_ = given.roots != nullptr && given.roots->size() > 0;
  brokered_ = given.brokered || writes_roots_;
  if (writes_roots_ && abi_ < kMovingAbi) {
    errno = EOPNOTSUPP;
    return Fail(Step::kLandlockCreateRuleset, failure);
  }
  writes_ = writes_roots_ || given.scratch >= 0 || given.shared_memory || given.terminal >= 0;
  if (!PrepareReading(given, writes_, failure)) return false;
  if (writes_ && !PrepareWriting(given, failure)) return false;
  LeaveMemoryOutOfCoreDumps();
  return ConfineSupervisor(failure);
}

bool Policy::PrepareReading(const GivenFiles& given, bool in_two, protocol::Failed* failure) {
  // The host has made its own in the same way on the same kernel, so that it handles the same.
  if (in_two && given.ruleset >= 0) {
    reading_.handled = HandledByReading(abi_);
  } else {
    reading_ = in_two ? CreateReadingRuleset(abi_) : CreateRuleset(abi_);
    if (!reading_.fd.valid()) return Fail(Step::kLandlockCreateRuleset, failure);
  }
  handled_ = reading_.handled;
  if (given.ruleset >= 0) {
    reading_.fd.reset(given.ruleset);
    if (!given.owns_ruleset) return true;
    const bool added = (given.scratch < 0 || AllowReadingOf(reading_, given.scratch, true)) &&
                       (given.terminal < 0 || AllowTerminal(reading_, given.terminal));
    return added || Fail(Step::kLandlockAddRule, failure);
  }
  const bool allowed = AllowReading(reading_) && (!given.shared_memory || AllowSharedMemory(reading_)) &&
                       (given.terminal < 0 || AllowTerminal(reading_, given.terminal));
  return allowed || Fail(Step::kLandlockAddRule, failure);
}

bool Policy::PrepareWriting(const GivenFiles& given, protocol::Failed* failure) {
  writing_ = CreateWritingRuleset(abi_);
  if (!writing_.fd.valid()) return Fail(Step::kLandlockCreateRuleset, failure);
  handled_.file_system |= writing_.handled.file_system;
  handled_.network |= writing_.handled.network;
  handled_.scoped |= writing_.handled.scoped;
  bool allowed = AllowMemoryDevices(writing_) && (!given.shared_memory || AllowSharedMemory(writing_)) &&
                 (given.scratch < 0 || AllowWriting(writing_, given.scratch)) &&
                 (given.terminal < 0 || AllowTerminal(writing_, given.terminal));
  opens_devices_ = given.opens_devices;
  for (size_t i = 0; allowed && writes_roots_ && i < given.roots->size(); ++i) {
    const WritableRoot& root = (*given.roots)[i];
    allowed = AllowWriting(writing_, root.fd.get());
    opens_devices_ = opens_devices_ || root.opens_devices;
  }
  return allowed || Fail(Step::kLandlockAddRule, failure);
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
  // What belongs to another user can be changed below a root, as root does: the rulesets say where.
  if (!(writes_roots_ ? KeepOnlyFileAccess() : KeepOnlyReadSearch())) return Fail(Step::kCapset, failure);
  // The one with the most rules last: every domain has copies of the rules of those above it.
  const bool restricted = (!writing_.fd.valid() || RestrictSelf(writing_)) && RestrictSelf(reading_);
  return restricted || Fail(Step::kLandlockRestrictSelf, failure);
}

bool Policy::InstallFilter(protocol::Failed* failure, int* listener) const {
  constexpr uint64_t kTruncate = uint64_t{1} << 14;
  const LandlockGaps gaps{(handled_.file_system & kTruncate) == 0, !scopes_signals()};
  // Nobody would answer where nobody takes the listener.
  const FilterPolicy policy{gaps, brokered_ && listener != nullptr, writes_};
  int unused = -1;
  if (listener == nullptr) listener = &unused;
  if (InstallSeccompFilter(policy, listener)) return true;
  return Fail(policy.brokered && errno == EBUSY ? Step::kSeccompListener : Step::kSeccomp, failure);
}

uint32_t Policy::protections() const {
  uint32_t missing = scopes_signals() ? 0 : uint32_t{protocol::kSignals};
  // Root can open those that somebody has left in a root.
  if (opens_devices_ && syscall(SYS_geteuid) == 0) missing |= protocol::kDevices;
  return protocol::kAllProtections & ~missing;
}

}  // namespace bashward::sandbox
