// The program that is put together gives the same answers as its rules, one by one.
#include "sandbox/filter_tree.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <functional>
#include <random>
#include <set>
#include <vector>

#include "support/bpf_interpreter.h"
#include "support/filter_program.h"
#include "support/restricted_filter_rules.h"

namespace bashward::sandbox {
namespace {

using test::FilterProgram;
using test::kOwnArchitecture;

constexpr uint32_t kNewest = 472;  // of Linux 7.3
constexpr uint32_t kFarther = 1024;
constexpr uint32_t kX32 = 0x4000'0000;
constexpr uint32_t kEperm = SECCOMP_RET_ERRNO | EPERM;
constexpr uint32_t kEnosys = SECCOMP_RET_ERRNO | ENOSYS;

constexpr LandlockGaps kGaps[] = {{false, false}, {false, true}, {true, true}};

std::vector<FilterPolicy> AllPolicies() {
  std::vector<FilterPolicy> policies;
  for (const LandlockGaps gaps : kGaps) {
    policies.push_back({gaps, false});
    policies.push_back({gaps, true});
  }
  return policies;
}

// As many arguments as are wanted, mostly of values that a program compares with, and always the same.
class Arguments {
 public:
  explicit Arguments(const std::vector<sock_filter>& program) {
    std::set<uint64_t> values = {0, 1, 0x8000'0000, 0xffff'ffff, 04755, 02755, 0644};
    for (const sock_filter& instruction : program) {
      if (BPF_CLASS(instruction.code) != BPF_JMP || instruction.code == (BPF_JMP | BPF_JA)) continue;
      values.insert({instruction.k, instruction.k + 1, instruction.k - 1});
    }
    values_.assign(values.begin(), values.end());
  }

  void Draw(__u64* arguments) {
    for (int i = 0; i < 6; ++i) arguments[i] = Value();
  }

 private:
  uint64_t Value() {
    uint64_t value = values_[random_() % values_.size()];
    if (random_() % 4 == 0) value |= values_[random_() % values_.size()];
    if (random_() % 8 == 0) value |= uint64_t{random_()} << 32;
    if (random_() % 16 == 0) value = random_();
    return value;
  }

  std::mt19937 random_{1};
  std::vector<uint64_t> values_;
};

uint32_t RunPiece(void (*decide)(BpfProgram*), const seccomp_data& call) {
  BpfProgram piece;
  decide(&piece);
  return test::RunBpf({piece.code(), piece.code() + piece.size()}, call).value();
}

// The answer to a call of a number that has been reviewed.
using Oracle = std::function<uint32_t(const seccomp_data&)>;

uint32_t ByRules(const FilterRules& rules, const seccomp_data& call) {
  for (size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].number == static_cast<uint32_t>(call.nr)) return RunPiece(rules[i].decide, call);
  }
  return SECCOMP_RET_ALLOW;
}

uint32_t AsBefore(LandlockGaps gaps, const seccomp_data& call) {
  const auto* rule = test::restricted::FindRule(gaps, static_cast<uint32_t>(call.nr));
  if (rule == nullptr) return SECCOMP_RET_ALLOW;
  if (rule->error != 0) return SECCOMP_RET_ERRNO | static_cast<uint32_t>(rule->error);
  return RunPiece(rule->check, call);
}

// Every number, with more arguments where these decide.
void ExpectSameAnswers(const std::vector<sock_filter>& program, const Oracle& oracle) {
  Arguments arguments(program);
  seccomp_data call{};
  call.arch = kOwnArchitecture;
  for (uint32_t number = 0; number <= kFarther; ++number) {
    call.nr = static_cast<int>(number);
    const bool decided = number <= kNewest && !test::IsKnownToBeAllowed(program, number, kOwnArchitecture);
    for (int round = decided ? 2000 : 20; round > 0; --round) {
      arguments.Draw(call.args);
      const uint32_t expected = number > kNewest ? kEnosys : oracle(call);
      ASSERT_EQ(test::RunBpf(program, call), expected)
          << number << std::hex << " " << call.args[0] << " " << call.args[1] << " " << call.args[2] << " "
          << call.args[3] << " " << call.args[4];
    }
  }
}

TEST(FilterTree, GivesTheAnswersOfItsRules) {
  for (const FilterPolicy& policy : AllPolicies()) {
    const FilterRules rules(policy);
    ExpectSameAnswers(FilterProgram::Of(policy).code(),
                      [&rules](const seccomp_data& call) { return ByRules(rules, call); });
  }
}

TEST(FilterTree, GivesTheAnswersThatRestrictedModeHasAlwaysGiven) {
  for (const LandlockGaps gaps : kGaps) {
    ExpectSameAnswers(FilterProgram::Of(FilterPolicy{gaps, false}).code(),
                      [gaps](const seccomp_data& call) { return AsBefore(gaps, call); });
  }
}

TEST(FilterTree, RefusesOtherArchitecturesAndX32UnderEveryPolicy) {
  constexpr uint32_t kArchitectures[] = {AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64, AUDIT_ARCH_I386,
                                         AUDIT_ARCH_ARM,    AUDIT_ARCH_RISCV64, 0};
  for (const FilterPolicy& policy : AllPolicies()) {
    const std::vector<sock_filter> program = FilterProgram::Of(policy).code();
    for (uint32_t number = 0; number <= kFarther; ++number) {
      seccomp_data call{};
      call.nr = static_cast<int>(number);
      for (const uint32_t architecture : kArchitectures) {
        call.arch = architecture;
        if (architecture == kOwnArchitecture) continue;
        ASSERT_EQ(test::RunBpf(program, call), kEperm) << std::hex << architecture << " " << number;
      }
      call.arch = kOwnArchitecture;
      call.nr = static_cast<int>(kX32 | number);
      ASSERT_EQ(test::RunBpf(program, call), kEnosys) << number;
    }
  }
}

TEST(FilterTree, IsAProgramThatTheKernelTakesUnderEveryPolicy) {
  for (const FilterPolicy& policy : AllPolicies()) {
    EXPECT_TRUE(test::IsValidBpf(FilterProgram::Of(policy).code()));
  }
}

// The kernel then asks the program no more.
TEST(FilterTree, LetsTheKernelKnowWhatIsAlwaysAllowed) {
  for (const FilterPolicy& policy : AllPolicies()) {
    const FilterRules rules(policy);
    const std::vector<sock_filter> program = FilterProgram::Of(policy).code();
    std::set<uint32_t> ruled;
    for (size_t i = 0; i < rules.size(); ++i) {
      if (rules[i].decide != Allow) ruled.insert(rules[i].number);
    }
    for (uint32_t number = 0; number <= kFarther; ++number) {
      EXPECT_EQ(test::IsKnownToBeAllowed(program, number, kOwnArchitecture),
                number <= kNewest && ruled.count(number) == 0)
          << number;
    }
  }
}

// Each instruction costs time with every command.
TEST(FilterTree, KeepsProgramsSmall) {
  EXPECT_LE(test::CompleteFilter().code().size(), 260U);
  for (const FilterPolicy& policy : AllPolicies()) {
    EXPECT_LE(FilterProgram::Of(policy).code().size(), 300U);
  }
}

TEST(FilterTree, HoldsEachAnswerOnce) {
  for (const FilterPolicy& policy : AllPolicies()) {
    const FilterProgram program = FilterProgram::Of(policy);
    std::multiset<uint32_t> answers;
    for (const sock_filter& instruction : program.code()) {
      if (instruction.code == (BPF_RET | BPF_K)) answers.insert(instruction.k);
    }
    for (const uint32_t answer : answers) EXPECT_EQ(answers.count(answer), 1U) << std::hex << answer;
  }
}

TEST(FilterTree, IsPutTogetherByTheCompiler) {
  constexpr size_t kSize = FilterTree::Build(FilterRules({{false, false}, true})).size();
  static_assert(kSize > 0);
}

}  // namespace
}  // namespace bashward::sandbox
