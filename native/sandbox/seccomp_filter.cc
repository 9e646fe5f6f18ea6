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
constexpr unsigned kSpecAllow = 1U << 2;

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

}  // namespace

bool InstallSeccompFilter(LandlockGaps gaps) {
  const BpfProgram& program = gaps.truncation ? kWithoutScopesAndTruncation
                              : gaps.signals  ? kWithoutScopes
                                              : kComplete;
  const sock_fprog description{static_cast<unsigned short>(program.size()),
                               const_cast<sock_filter*>(program.code())};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, kSpecAllow, &description) == 0) return true;
  return errno == EINVAL && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &description) == 0;
}

bool HasSeccompFilters() {
  const uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

}  // namespace bashward::sandbox
