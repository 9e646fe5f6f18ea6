// The filter's program: from the rules to an interval tree over the numbers of system calls.
#ifndef BASHWARD_SANDBOX_FILTER_TREE_H_
#define BASHWARD_SANDBOX_FILTER_TREE_H_

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/bpf_program.h"
#include "sandbox/filter_rules.h"
#include "sandbox/shared_program.h"
#include "sandbox/system_calls.h"

namespace bashward::sandbox {

#if defined(__x86_64__)
inline constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
inline constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

// The kernel runs a filter once for each number when it is installed, to know which are always allowed, and
// then for every call of one that is not. So numbers are found by halving. It follows no filter that looks at
// an argument, and few instructions (seccomp_is_const_allow() of kernel/seccomp.c): the way to what is
// allowed without a check has comparisons alone.
class FilterTree {
 public:
  static constexpr SharedProgram Build(const FilterRules& rules) {
    SharedProgram program;
    FilterTree tree(&program, rules);
    const auto refuse = program.Answer(SECCOMP_RET_ERRNO | EPERM);
    constexpr uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
    const auto number = program.Step(kLoad, offsetof(seccomp_data, nr), tree.Find(0, tree.size_));
    // The 32-bit entries of the kernel have numbers of their own.
    const auto own = program.Choose(BPF_JEQ, kArchitecture, number, refuse);
    program.Step(kLoad, offsetof(seccomp_data, arch), own);
    return program;
  }

 private:
  using Place = SharedProgram::Place;

  // Numbers from `first` to before that of the next interval.
  struct Interval {
    uint32_t first;
    Place decision;
    uint32_t exception = 0;  // a number between them that gets `exceptional`, where this is a place
    Place exceptional = 0;
  };

  constexpr FilterTree(SharedProgram* program, const FilterRules& rules) : program_(program) {
    const Place allow = program->Answer(SECCOMP_RET_ALLOW);
    Begin(0, allow);
    for (size_t i = 0; i < rules.size(); ++i) {
      BpfProgram piece;
      rules[i].decide(&piece);
      Begin(rules[i].number, program->Include(piece));
      Begin(rules[i].number + 1, allow);
    }
    // System calls that nobody has reviewed, and x32, whose numbers are above all others.
    Begin(number::kNewestReviewed + 1, program->Answer(SECCOMP_RET_ERRNO | ENOSYS));
    TakeExceptionsIn();
  }

  // Takes the place of an interval that begins at the same number, and goes on with one of the same decision.
  constexpr void Begin(uint32_t first, Place decision) {
    if (size_ > 0 && intervals_[size_ - 1].first == first) --size_;
    if (size_ > 0 && intervals_[size_ - 1].decision == decision) return;
    intervals_[size_++] = {first, decision};
  }

  // A single number between others that all get the same takes one comparison instead of two.
  constexpr void TakeExceptionsIn() {
    size_t kept = 0;
    for (size_t i = 0; i < size_; ++i, ++kept) {
      intervals_[kept] = intervals_[i];
      if (i + 2 >= size_ || intervals_[i + 1].first + 1 != intervals_[i + 2].first) continue;
      if (intervals_[i].decision != intervals_[i + 2].decision) continue;
      intervals_[kept].exception = intervals_[i + 1].first;
      intervals_[kept].exceptional = intervals_[i + 1].decision;
      i += 2;
    }
    size_ = kept;
  }

  // From interval `first` to before `last`.
  constexpr Place Find(size_t first, size_t last) {
    const Interval& interval = intervals_[first];
    if (last - first == 1) {
      if (interval.exceptional == 0) return interval.decision;
      return program_->Choose(BPF_JEQ, interval.exception, interval.exceptional, interval.decision);
    }
    const size_t middle = first + (last - first) / 2;
    const Place above = Find(middle, last);
    const Place below = Find(first, middle);
    return program_->Choose(BPF_JGE, intervals_[middle].first, above, below);
  }

  SharedProgram* program_;
  Interval intervals_[2 * FilterRules::kCapacity + 2]{};
  size_t size_ = 0;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_FILTER_TREE_H_
