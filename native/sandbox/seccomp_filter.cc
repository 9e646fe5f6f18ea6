#include "sandbox/seccomp_filter.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/filter_rules.h"
#include "sandbox/filter_tree.h"
#include "sandbox/shared_program.h"

namespace bashward::sandbox {
namespace {

// Without it the kernel turns on mitigations that slow every program down; since 5.16 that is the default.
constexpr unsigned long kSpecAllow = 1U << 2;
// Makes a descriptor for the broker.
constexpr unsigned long kNewListener = 1U << 3;
// Only a signal that kills ends a call that the broker has begun with; since 5.19. Without it programs see
// EINTR more often.
constexpr unsigned long kWaitKillable = 1U << 5;

// Only the finished code gets into the executable.
template <bool kTruncation, bool kSignals, bool kBrokered, bool kMakesFiles>
struct Program {
  static constexpr SharedProgram kBuilt =
      FilterTree::Build(FilterRules({{kTruncation, kSignals}, kBrokered, kMakesFiles}));
  static constexpr FinishedProgram<kBuilt.size()> kFinished = kBuilt.Finish<kBuilt.size()>();
  static constexpr sock_fprog kDescription{static_cast<unsigned short>(kBuilt.size()),
                                           const_cast<sock_filter*>(kFinished.code)};
};

// No kernel scopes signals and does not know truncation.
template <bool kBrokered, bool kMakesFiles>
const sock_fprog& ProgramFor(LandlockGaps gaps) {
  if (gaps.truncation) return Program<true, true, kBrokered, kMakesFiles>::kDescription;
  if (gaps.signals) return Program<false, true, kBrokered, kMakesFiles>::kDescription;
  return Program<false, false, kBrokered, kMakesFiles>::kDescription;
}

// With the first flags that the kernel knows. Gives the listener, or 0 without one; -1 with errno.
template <size_t kCount>
int Install(const sock_fprog& program, const unsigned long (&choices)[kCount]) {
  for (const unsigned long flags : choices) {
    const long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    if (result >= 0) return static_cast<int>(result);
    if (errno != EINVAL) break;
  }
  return -1;
}

}  // namespace

bool InstallSeccompFilter(const FilterPolicy& policy, int* listener) {
  // Fewer and fewer, for older kernels.
  constexpr unsigned long kAlone[] = {kSpecAllow, 0};
  constexpr unsigned long kWithListener[] = {kNewListener | kWaitKillable | kSpecAllow,
                                             kNewListener | kSpecAllow, kNewListener};
  *listener = -1;
  if (!policy.brokered) {
    const sock_fprog& program =
        policy.makes_files ? ProgramFor<false, true>(policy.gaps) : ProgramFor<false, false>(policy.gaps);
    return Install(program, kAlone) >= 0;
  }
  *listener = Install(ProgramFor<true, true>(policy.gaps), kWithListener);
  return *listener >= 0;
}

bool HasSeccompFilters() {
  const uint32_t action = SECCOMP_RET_ERRNO;
  return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

}  // namespace bashward::sandbox
