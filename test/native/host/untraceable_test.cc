// Shells whose command line cannot be hidden: they run all the same.
#include <errno.h>
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#include <string>

#include "support/forked.h"
#include "support/host.h"
#include "support/seccomp.h"

namespace bashward::test {
namespace {

constexpr const char* kShow = "tr '\\0' '|' </proc/$$/cmdline; echo \"$0 $#\"";
const std::string kShown = std::string("bash|-c|--|") + kShow + "|bash 0\n";

void ExpectShown() {
  Host host;
  EXPECT_EQ(Output(host.Run(Call(kShow))), kShown);
  host.ExpectNothingLeft();
}

TEST(Untraceable, RunsWhereNobodyMayBeTraced) {
  InForkedProcess([] {
    RefuseSystemCall(SYS_ptrace, EPERM);
    ExpectShown();
  });
}

// SystemCallFilter= of systemd does so.
TEST(Untraceable, RunsWhereTheAttemptIsDeadly) {
  InForkedProcess([] {
    KillAtSystemCall(SYS_ptrace);
    ExpectShown();
  });
}

TEST(Untraceable, RunsWhereItsRegistersCannotBeRead) {
  InForkedProcess([] {
    RefuseSystemCallWith(SYS_ptrace, 0, PTRACE_GETREGSET, EIO);
    Host host;
    EXPECT_EQ(Output(host.Run(Call("echo \"$0 $#\"; exit 7"))), "bash 0\n");
  });
}

TEST(Untraceable, RunsWhereItsMemoryCannotBeWritten) {
  InForkedProcess([] {
    RefuseSystemCallWith(SYS_ptrace, 0, PTRACE_POKEDATA, EIO);
    Host host;
    EXPECT_EQ(Output(host.Run(Call("echo \"$0 $#\"; exit 7"))), "bash 0\n");
  });
}

}  // namespace
}  // namespace bashward::test
