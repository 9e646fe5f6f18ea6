#include "sandbox/bpf_program.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <linux/audit.h>

#include <optional>
#include <vector>

#include "support/bpf_interpreter.h"

namespace bashward::sandbox {
namespace {

constexpr uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr uint32_t kPerm = SECCOMP_RET_ERRNO | EPERM;
constexpr uint32_t kNoSys = SECCOMP_RET_ERRNO | ENOSYS;

std::optional<uint32_t> Answer(const BpfProgram& program, const seccomp_data& call) {
  return test::RunBpf({program.code(), program.code() + program.size()}, call);
}

seccomp_data Numbered(int number) {
  seccomp_data call{};
  call.nr = number;
  return call;
}

TEST(BpfProgram, LoadsTheArchitecture) {
  BpfProgram program;
  program.LoadArchitecture();
  program.AllowIfEqual(AUDIT_ARCH_AARCH64);
  program.Refuse(EPERM);
  seccomp_data call{};
  call.arch = AUDIT_ARCH_AARCH64;
  EXPECT_EQ(Answer(program, call), kAllow);
  call.arch = AUDIT_ARCH_I386;
  EXPECT_EQ(Answer(program, call), kPerm);
}

TEST(BpfProgram, LoadsTheNumber) {
  BpfProgram program;
  program.LoadNumber();
  program.AllowIfEqual(7);
  program.Refuse(EPERM);
  EXPECT_EQ(Answer(program, Numbered(7)), kAllow);
  EXPECT_EQ(Answer(program, Numbered(8)), kPerm);
}

TEST(BpfProgram, LoadsTheLowerHalfOfEachArgument) {
  for (int index = 0; index < 6; ++index) {
    BpfProgram program;
    program.LoadArgument(index);
    program.AllowIfEqual(0x2345'6789);
    program.Refuse(EPERM);
    seccomp_data call{};
    call.args[index] = 0x1234'5678'2345'6789;
    EXPECT_EQ(Answer(program, call), kAllow) << index;
  }
}

TEST(BpfProgram, LoadsTheUpperHalfOfEachArgument) {
  for (int index = 0; index < 6; ++index) {
    BpfProgram program;
    program.LoadUpperArgument(index);
    program.AllowIfEqual(0x1234'5678);
    program.Refuse(EPERM);
    seccomp_data call{};
    call.args[index] = 0x1234'5678'2345'6789;
    EXPECT_EQ(Answer(program, call), kAllow) << index;
  }
}

TEST(BpfProgram, MasksAndShifts) {
  BpfProgram program;
  program.LoadNumber();
  program.And(0xff00);
  program.ShiftRight(8);
  program.AllowIfEqual(0x54);
  program.Refuse(EPERM);
  EXPECT_EQ(Answer(program, Numbered(0x1'5412)), kAllow);
  EXPECT_EQ(Answer(program, Numbered(0x5512)), kPerm);
}

TEST(BpfProgram, RefusesWhatIsEqual) {
  BpfProgram program;
  program.LoadNumber();
  program.RefuseIfEqual(7, ENOSYS);
  program.Allow();
  EXPECT_EQ(Answer(program, Numbered(7)), kNoSys);
  EXPECT_EQ(Answer(program, Numbered(6)), kAllow);
}

TEST(BpfProgram, RefusesWhatIsNotEqual) {
  BpfProgram program;
  program.LoadNumber();
  program.RefuseUnlessEqual(7, EPERM);
  program.Allow();
  EXPECT_EQ(Answer(program, Numbered(7)), kAllow);
  EXPECT_EQ(Answer(program, Numbered(6)), kPerm);
}

TEST(BpfProgram, RefusesWhatHasAnyOfTheBits) {
  BpfProgram program;
  program.LoadNumber();
  program.RefuseIfAnySet(0x30, EPERM);
  program.Allow();
  EXPECT_EQ(Answer(program, Numbered(0x1f)), kPerm);
  EXPECT_EQ(Answer(program, Numbered(0x20)), kPerm);
  EXPECT_EQ(Answer(program, Numbered(0x4f)), kAllow);
}

TEST(BpfProgram, AllowsWhatHasNoneOfTheBits) {
  BpfProgram program;
  program.LoadNumber();
  program.AllowUnlessAnySet(0x30);
  program.Refuse(EPERM);
  EXPECT_EQ(Answer(program, Numbered(0x4f)), kAllow);
  EXPECT_EQ(Answer(program, Numbered(0x1f)), kPerm);
  EXPECT_EQ(Answer(program, Numbered(0x20)), kPerm);
}

TEST(BpfProgram, AsksTheBroker) {
  constexpr uint32_t kUserNotification = 0x7fc0'0000;  // SECCOMP_RET_USER_NOTIF
  BpfProgram program;
  program.AskBroker();
  EXPECT_EQ(Answer(program, Numbered(7)), kUserNotification);
}

TEST(BpfProgram, RefusesWhatIsAtLeastThatMuchWithoutASign) {
  BpfProgram program;
  program.LoadNumber();
  program.RefuseIfAtLeast(100, ENOSYS);
  program.Allow();
  EXPECT_EQ(Answer(program, Numbered(99)), kAllow);
  EXPECT_EQ(Answer(program, Numbered(100)), kNoSys);
  EXPECT_EQ(Answer(program, Numbered(-1)), kNoSys);
}

TEST(BpfProgram, RunsASectionForWhatIsEqualAlone) {
  BpfProgram program;
  program.LoadNumber();
  const size_t section = program.BeginIfEqual(7);
  program.LoadArgument(0);
  program.RefuseUnlessEqual(0, EPERM);
  program.Allow();
  program.End(section);
  program.Refuse(ENOSYS);
  seccomp_data call = Numbered(7);
  EXPECT_EQ(Answer(program, call), kAllow);
  call.args[0] = 1;
  EXPECT_EQ(Answer(program, call), kPerm);
  EXPECT_EQ(Answer(program, Numbered(8)), kNoSys);
}

TEST(BpfProgram, RunsASectionForWhatIsLessAlone) {
  BpfProgram program;
  program.LoadNumber();
  const size_t section = program.BeginIfLess(7);
  program.Refuse(EPERM);
  program.End(section);
  program.Allow();
  EXPECT_EQ(Answer(program, Numbered(6)), kPerm);
  EXPECT_EQ(Answer(program, Numbered(7)), kAllow);
  EXPECT_EQ(Answer(program, Numbered(8)), kAllow);
}

// Farther than the eight bits of a conditional jump reach.
TEST(BpfProgram, JumpsOverALongSection) {
  BpfProgram program;
  program.LoadNumber();
  const size_t section = program.BeginIfEqual(7);
  for (int i = 0; i < 400; ++i) program.And(0xff);
  program.Refuse(EPERM);
  program.End(section);
  program.Allow();
  EXPECT_EQ(Answer(program, Numbered(7)), kPerm);
  EXPECT_EQ(Answer(program, Numbered(8)), kAllow);
}

TEST(BpfProgram, PutsSectionsIntoSections) {
  BpfProgram program;
  program.LoadNumber();
  const size_t below = program.BeginIfLess(100);
  const size_t seven = program.BeginIfEqual(7);
  program.Refuse(EPERM);
  program.End(seven);
  program.Refuse(ENOSYS);
  program.End(below);
  program.Allow();
  EXPECT_EQ(Answer(program, Numbered(7)), kPerm);
  EXPECT_EQ(Answer(program, Numbered(8)), kNoSys);
  EXPECT_EQ(Answer(program, Numbered(100)), kAllow);
}

TEST(BpfProgram, IsPutTogetherByTheCompiler) {
  constexpr size_t kSize = [] {
    BpfProgram program;
    program.LoadNumber();
    program.Allow();
    return program.size();
  }();
  static_assert(kSize == 2);
}

}  // namespace
}  // namespace bashward::sandbox
