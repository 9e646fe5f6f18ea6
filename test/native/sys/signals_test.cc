#include "sys/signals.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/forked.h"
#include "support/processes.h"
#include "sys/unique_fd.h"

namespace bashward::sys {
namespace {

// Signal 0 reaches nobody: were one of these really sent, kill(2) would say 0 and no harm would be done.
constexpr int kNoSignal = 0;

KernelSignalSet BlockedSignals() {
  KernelSignalSet blocked = 0;
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &blocked, sizeof blocked);
  return blocked;
}

constexpr KernelSignalSet Bit(int signal) {
  return KernelSignalSet{1} << (signal - 1);
}
// The kernel blocks neither, whatever it is asked.
constexpr KernelSignalSet kBlockable = kAllSignals & ~Bit(SIGKILL) & ~Bit(SIGSTOP);

void ExpectRefused(int result) {
  EXPECT_EQ(result, -1);
  EXPECT_EQ(errno, EPERM);
}

TEST(SignalProcess, RefusesInit) {
  ExpectRefused(SignalProcess(1, kNoSignal));
}
TEST(SignalProcess, RefusesTheCallersGroup) {
  ExpectRefused(SignalProcess(0, kNoSignal));
}
TEST(SignalProcess, RefusesEveryProcess) {
  ExpectRefused(SignalProcess(-1, kNoSignal));
}
TEST(SignalProcess, RefusesAGroup) {
  ExpectRefused(SignalProcess(-getpgrp(), kNoSignal));
}

TEST(SignalProcess, ReachesTheProcess) {
  test::ChildProcess child({"sleep", "300"});
  EXPECT_EQ(SignalProcess(child.pid(), SIGTERM), 0);
  EXPECT_EQ(WTERMSIG(child.Wait()), SIGTERM);
}

TEST(SignalGroup, RefusesTheCallersGroup) {
  ExpectRefused(SignalGroup(0, kNoSignal));
}
TEST(SignalGroup, RefusesEveryProcess) {
  ExpectRefused(SignalGroup(1, kNoSignal));
}
TEST(SignalGroup, RefusesANegativeGroup) {
  ExpectRefused(SignalGroup(-5, kNoSignal));
}

TEST(SignalGroup, ReachesTheGroup) {
  test::ChildProcess child({"sleep", "300"}, true);
  EXPECT_EQ(SignalGroup(child.pid(), SIGTERM), 0);
  EXPECT_EQ(WTERMSIG(child.Wait()), SIGTERM);
}

TEST(SignalPidfd, ReachesTheProcess) {
  test::ChildProcess child({"sleep", "300"});
  const UniqueFd pidfd(static_cast<int>(syscall(SYS_pidfd_open, child.pid(), 0)));
  ASSERT_TRUE(pidfd.valid());
  EXPECT_EQ(SignalPidfd(pidfd.get(), SIGTERM), 0);
  EXPECT_EQ(WTERMSIG(child.Wait()), SIGTERM);
}

TEST(SignalPidfd, FailsWithoutADescriptor) {
  EXPECT_EQ(SignalPidfd(-1, SIGTERM), -1);
  EXPECT_EQ(errno, EBADF);
}

TEST(SignalBlock, BlocksEverySignalAndRestoresTheMask) {
  const KernelSignalSet before = BlockedSignals();
  {
    const SignalBlock block;
    EXPECT_EQ(BlockedSignals() & kBlockable, kBlockable);
  }
  EXPECT_EQ(BlockedSignals(), before);
}

TEST(ResetSignalDispositions, MakesEverySignalDefault) {
  test::InForkedProcess([] {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGRTMIN, SIG_IGN);
    signal(SIGUSR1, [](int) {});
    ResetSignalDispositions();
    for (int number = 1; number <= 64; ++number) {
      uint64_t action[4] = {1, 1, 1, 1};
      ASSERT_EQ(syscall(SYS_rt_sigaction, number, nullptr, action, sizeof(KernelSignalSet)), 0);
      EXPECT_EQ(action[0], 0U) << "signal " << number;
    }
  });
}

}  // namespace
}  // namespace bashward::sys
