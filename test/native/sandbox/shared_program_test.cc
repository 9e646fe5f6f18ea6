#include "sandbox/shared_program.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <linux/seccomp.h>

#include <optional>
#include <vector>

#include "support/bpf_interpreter.h"

namespace bashward::sandbox {
namespace {

constexpr uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr uint32_t kPerm = SECCOMP_RET_ERRNO | EPERM;
constexpr uint16_t kAnd = BPF_ALU | BPF_AND | BPF_K;
constexpr uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;

std::vector<sock_filter> Code(const SharedProgram& program) {
  const auto finished = program.Finish<512>();
  return {finished.code + 512 - program.size(), finished.code + 512};
}

std::optional<uint32_t> Answer(const SharedProgram& program, int number) {
  seccomp_data call{};
  call.nr = number;
  return test::RunBpf(Code(program), call);
}

TEST(SharedProgram, HasTheInstructionLastAddedInFront) {
  SharedProgram program;
  const auto allow = program.Answer(kAllow);
  const auto refuse = program.Answer(kPerm);
  program.Step(kLoad, 0, program.Choose(BPF_JEQ, 7, allow, refuse));
  EXPECT_EQ(program.size(), 4U);
  EXPECT_EQ(Answer(program, 7), kAllow);
  EXPECT_EQ(Answer(program, 8), kPerm);
}

TEST(SharedProgram, HoldsAnAnswerOnce) {
  SharedProgram program;
  const auto allow = program.Answer(kAllow);
  EXPECT_NE(program.Answer(kPerm), allow);
  EXPECT_EQ(program.Answer(kAllow), allow);
  EXPECT_EQ(program.size(), 2U);
}

TEST(SharedProgram, HoldsAComparisonOnce) {
  SharedProgram program;
  const auto allow = program.Answer(kAllow);
  const auto refuse = program.Answer(kPerm);
  const auto seven = program.Choose(BPF_JEQ, 7, allow, refuse);
  EXPECT_EQ(program.Choose(BPF_JEQ, 7, allow, refuse), seven);
  EXPECT_NE(program.Choose(BPF_JEQ, 7, refuse, allow), seven);
  EXPECT_NE(program.Choose(BPF_JGE, 7, allow, refuse), seven);
  EXPECT_NE(program.Choose(BPF_JEQ, 8, allow, refuse), seven);
}

TEST(SharedProgram, ComparesNothingWhereBothWaysLeadToTheSame) {
  SharedProgram program;
  const auto allow = program.Answer(kAllow);
  EXPECT_EQ(program.Choose(BPF_JEQ, 7, allow, allow), allow);
  EXPECT_EQ(program.size(), 1U);
}

TEST(SharedProgram, HoldsAStepOnceThatGoesOnAtTheSamePlace) {
  SharedProgram program;
  const auto allow = program.Answer(kAllow);
  const auto step = program.Step(kAnd, 1, allow);
  EXPECT_EQ(program.Step(kAnd, 1, allow), step);
  const auto refuse = program.Answer(kPerm);
  EXPECT_NE(program.Step(kAnd, 1, refuse), step);
}

TEST(SharedProgram, JumpsToTheNextStepWhereAnotherIsBetween) {
  SharedProgram program;
  const auto allow = program.Answer(kAllow);
  program.Answer(kPerm);
  program.Step(kAnd, 1, allow);
  EXPECT_EQ(program.size(), 4U);
  EXPECT_EQ(Answer(program, 0), kAllow);
}

TEST(SharedProgram, SharesTheEndThatTwoPiecesHaveInCommon) {
  BpfProgram first;
  first.LoadArgument(0);
  first.RefuseIfEqual(2, EPERM);
  first.LoadArgument(1);
  first.RefuseUnlessEqual(0, EPERM);
  first.Allow();
  BpfProgram second;
  second.LoadArgument(0);
  second.RefuseIfEqual(3, EPERM);
  second.LoadArgument(1);
  second.RefuseUnlessEqual(0, EPERM);
  second.Allow();
  SharedProgram program;
  program.Include(first);
  const size_t size = program.size();
  program.Include(second);
  EXPECT_EQ(program.size(), size + 2);
}

TEST(SharedProgram, IncludesAPieceOnce) {
  BpfProgram piece;
  piece.LoadArgument(0);
  piece.RefuseIfAnySet(6, EPERM);
  piece.Allow();
  SharedProgram program;
  const auto place = program.Include(piece);
  const size_t size = program.size();
  program.Answer(SECCOMP_RET_KILL_THREAD);
  EXPECT_EQ(program.Include(piece), place);
  EXPECT_EQ(program.size(), size + 1);
}

TEST(SharedProgram, IncludesSectionsOfAPiece) {
  BpfProgram piece;
  piece.LoadNumber();
  const size_t below = piece.BeginIfLess(100);
  const size_t seven = piece.BeginIfEqual(7);
  piece.Refuse(EPERM);
  piece.End(seven);
  piece.Refuse(ENOSYS);
  piece.End(below);
  piece.Allow();
  SharedProgram program;
  program.Include(piece);
  EXPECT_EQ(Answer(program, 7), kPerm);
  EXPECT_EQ(Answer(program, 8), SECCOMP_RET_ERRNO | ENOSYS);
  EXPECT_EQ(Answer(program, 100), kAllow);
}

// At every distance around the 255 instructions that a conditional jump reaches, for either branch and for
// both.
TEST(SharedProgram, ReachesWhatIsFarAway) {
  for (int between = 245; between <= 265; ++between) {
    SharedProgram program;
    const auto allow = program.Answer(kAllow);
    const auto refuse = program.Answer(kPerm);
    auto near = program.Answer(SECCOMP_RET_ERRNO | ENOSYS);
    for (int i = 0; i < between; ++i) near = program.Step(kAnd, 0x1000U + static_cast<uint32_t>(i), near);
    auto place = program.Choose(BPF_JEQ, 1, near, refuse);
    place = program.Choose(BPF_JEQ, 2, allow, place);
    place = program.Choose(BPF_JEQ, 3, refuse, place);
    place = program.Choose(BPF_JEQ, 5, program.Choose(BPF_JEQ, 5, allow, refuse), place);
    program.Step(kLoad, 0, place);
    ASSERT_TRUE(test::IsValidBpf(Code(program))) << between;
    EXPECT_EQ(Answer(program, 1), SECCOMP_RET_ERRNO | ENOSYS) << between;
    EXPECT_EQ(Answer(program, 2), kAllow) << between;
    EXPECT_EQ(Answer(program, 3), kPerm) << between;
    EXPECT_EQ(Answer(program, 4), kPerm) << between;
    EXPECT_EQ(Answer(program, 5), kAllow) << between;
  }
}

TEST(SharedProgram, JumpsOnTheWayOnceForAll) {
  SharedProgram program;
  const auto allow = program.Answer(kAllow);
  auto near = program.Answer(kPerm);
  for (uint32_t i = 0; i < 300; ++i) near = program.Step(kAnd, i, near);
  const size_t size = program.size();
  for (uint32_t i = 0; i < 10; ++i) near = program.Choose(BPF_JEQ, i, allow, near);
  EXPECT_EQ(program.size(), size + 11);
}

}  // namespace
}  // namespace bashward::sandbox
