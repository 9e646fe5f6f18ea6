#include "sandbox/seccomp_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/filter_rules.h"

namespace bashward::sandbox {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

// Without it the kernel turns on mitigations that slow every program down; since 5.16 that is the default.
constexpr unsigned long kSpecAllow = 1U << 2;
// Makes a descriptor for the broker.
constexpr unsigned long kNewListener = 1U << 3;
// Only a signal that kills ends a call that the broker has begun with; since 5.19. Without it programs see
// EINTR more often.
constexpr unsigned long kWaitKillable = 1U << 5;

// The rules from `first` to before `last`, found by halving: the kernel runs the program once for each system
// call number when it is installed (to know which are always allowed), and for every call of one that is not.
constexpr void AddRules(BpfProgram* program, const FilterRules& rules, size_t first, size_t last) {
  constexpr size_t kLinear = 4;
  if (last - first > kLinear) {
    const size_t middle = first + (last - first) / 2;
    const size_t section = program->BeginIfLess(rules[middle].number);
    AddRules(program, rules, first, middle);
    program->End(section);
    return AddRules(program, rules, middle, last);
  }
  for (size_t i = first; i < last; ++i) {
    if (rules[i].error != 0) {
      program->RefuseIfEqual(rules[i].number, rules[i].error);
    } else {
      const size_t section = program->BeginIfEqual(rules[i].number);
      rules[i].check(program);
      program->End(section);
    }
  }
  program->Allow();
}

constexpr BpfProgram BuildProgram(LandlockGaps gaps) {
  BpfProgram program;
  program.LoadArchitecture();
  // The 32-bit entries of the kernel have numbers of their own.
  program.RefuseUnlessEqual(kArchitecture, EPERM);
  program.LoadNumber();
  // System calls that nobody has reviewed, and x32, whose numbers are above all others.
  program.RefuseIfAtLeast(number::kNewestReviewed + 1, ENOSYS);
  const FilterRules rules(gaps);
  AddRules(&program, rules, 0, rules.size());
  return program;
}

constexpr BpfProgram kComplete = BuildProgram({false, false});
constexpr BpfProgram kWithoutScopes = BuildProgram({false, true});
constexpr BpfProgram kWithoutScopesAndTruncation = BuildProgram({true, true});

const BpfProgram& ProgramFor(LandlockGaps gaps) {
  if (gaps.truncation) return kWithoutScopesAndTruncation;
  return gaps.signals ? kWithoutScopes : kComplete;
}

// The listener, or 0 without one; -1 with errno.
int Install(const BpfProgram& program, unsigned long flags) {
  const sock_fprog description{static_cast<unsigned short>(program.size()),
                               const_cast<sock_filter*>(program.code())};
  return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &description));
}

}  // namespace

bool InstallSeccompFilter(const FilterPolicy& policy, int* listener) {
  *listener = -1;
  const BpfProgram& program = ProgramFor(policy.gaps);
  const unsigned long needed = policy.brokered ? kNewListener : 0;
  int result = -1;
  if (policy.brokered) {
    result = Install(program, needed | kWaitKillable | kSpecAllow);
    if (result < 0 && errno != EINVAL) return false;
  }
  if (result < 0) result = Install(program, needed | kSpecAllow);
  if (result < 0 && errno == EINVAL) result = Install(program, needed);
  if (result < 0) return false;
  if (policy.brokered) *listener = result;
  return true;
}

bool HasSeccompFilters() {
  const uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

}  // namespace bashward::sandbox
