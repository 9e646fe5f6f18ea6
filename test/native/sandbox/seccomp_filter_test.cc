// The filter as a whole, checked instruction by instruction. seccomp_install_test.cc shows that the kernel
// acts on it.
#include "sandbox/seccomp_filter.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>

#include <set>
#include <vector>

#include "support/bpf_interpreter.h"
#include "support/filter_program.h"

namespace bashward::sandbox {
namespace {

using test::FilterProgram;
using test::kAllowed;
using test::kOwnArchitecture;

constexpr uint32_t kNewest = 472;  // of Linux 7.3
constexpr uint32_t kFarther = 600;

std::vector<const FilterProgram*> AllFilters() {
  return {&test::CompleteFilter(), &test::FilterForSignals(), &test::FilterForTruncationToo()};
}

TEST(SeccompFilter, IsAProgramThatTheKernelTakes) {
  for (const FilterProgram* filter : AllFilters()) EXPECT_TRUE(test::IsValidBpf(filter->code()));
}

TEST(SeccompFilter, IsMuchSmallerThanTheKernelAllows) {
  for (const FilterProgram* filter : AllFilters()) {
    EXPECT_GT(filter->code().size(), 100U);
    EXPECT_LT(filter->code().size(), size_t{BPF_MAXINSNS} / 4);
  }
}

TEST(SeccompFilter, AnswersEveryCallWithOneOfItsAnswers) {
  const std::set<int> answers = {kAllowed, EPERM, ENOSYS, EACCES, EINVAL};
  constexpr uint64_t kPatterns[] = {0, 1, 2, 0xff, 0x8000'0000, 0xffff'ffff, 0xffff'ffff'0000'0000, ~0ULL};
  for (const FilterProgram* filter : AllFilters()) {
    for (uint32_t number = 0; number <= kFarther; ++number) {
      for (const uint64_t value : kPatterns) {
        const int answer = filter->Judge(number, {value, value, value, value, value, value});
        EXPECT_EQ(answers.count(answer), 1U) << number << " " << std::hex << value;
      }
    }
  }
}

TEST(SeccompFilter, RefusesEveryCallOfAnotherArchitecture) {
  constexpr uint32_t kArchitectures[] = {AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64, AUDIT_ARCH_I386,
                                         AUDIT_ARCH_ARM,    AUDIT_ARCH_RISCV64, 0};
  for (const uint32_t architecture : kArchitectures) {
    if (architecture == kOwnArchitecture) continue;
    for (const FilterProgram* filter : AllFilters()) {
      for (uint32_t number = 0; number <= kFarther; ++number) {
        EXPECT_EQ(filter->Judge(number, {}, architecture), EPERM)
            << std::hex << architecture << " " << number;
      }
    }
  }
}

TEST(SeccompFilter, AnswersX32AsAKernelWithoutIt) {
  constexpr uint32_t kX32 = 0x4000'0000;
  for (const FilterProgram* filter : AllFilters()) {
    for (uint32_t number = 0; number <= kFarther; ++number) {
      EXPECT_EQ(filter->Judge(kX32 | number), ENOSYS) << number;
    }
  }
}

TEST(SeccompFilter, AnswersWhatNobodyHasLookedAtAsAKernelWithoutIt) {
  for (const FilterProgram* filter : AllFilters()) {
    EXPECT_NE(filter->Judge(kNewest), ENOSYS);
    for (const uint32_t number :
         {kNewest + 1, kNewest + 2, 1000U, 0x1000'0000U, 0x7fff'ffffU, 0x8000'0000U, 0xffff'ffffU}) {
      EXPECT_EQ(filter->Judge(number), ENOSYS) << number;
    }
  }
}

}  // namespace
}  // namespace bashward::sandbox
