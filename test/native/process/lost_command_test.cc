#include "process/lost_command.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "support/descriptors.h"
#include "support/forked.h"
#include "support/processes.h"
#include "support/seccomp.h"
#include "support/wait.h"
#include "sys/signals.h"
#include "sys/unique_fd.h"

namespace bashward::process {
namespace {

using test::ChildProcess;
using test::IsRunning;

// A shell that has been reaped, as init would do it, and a child of it that has the output open or not.
// Each test runs in a process of its own, whose children they are.
class LostCommandTest : public ::testing::TestWithParam<bool> {
 protected:
  void WithShell(bool holds_output, const std::function<void(const LostCommand&, pid_t child)>& body) {
    test::InForkedProcess([&] {
      // Before Linux 6.9, when no group could be signalled by the descriptor of its leader.
      if (GetParam()) test::AnswerSystemCall(SYS_pidfd_send_signal, RefuseFlags);
      test::BecomeSubreaper();
      test::Pipe output;
      const pid_t shell = StartShell(output, holds_output);
      const sys::UniqueFd pidfd(sys::OpenPidfd(shell));
      output.write_end.reset();
      pid_t child = 0;
      ASSERT_EQ(read(output.read_end.get(), &child, sizeof child), static_cast<ssize_t>(sizeof child));
      ASSERT_EQ(waitpid(shell, nullptr, 0), shell);
      body({pidfd.get(), shell, {output.read_end.get()}}, child);
      test::KillAllChildren();
    });
  }

 private:
  static long RefuseFlags(const uint64_t* arguments) {
    if (arguments[3] != 0) return -EINVAL;
    // The answer cannot use the call that it stands for.
    return -ESRCH;
  }

  static pid_t StartShell(const test::Pipe& output, bool holds_output) {
    const pid_t shell = fork();
    if (shell != 0) return shell;
    setsid();
    const pid_t child = fork();
    if (child == 0) {
      const pid_t self = getpid();
      const ssize_t count = write(output.write_end.get(), &self, sizeof self);
      close(output.read_end.get());
      if (!holds_output) close(output.write_end.get());
      for (int i = 0; i < 300; ++i) sleep(count > 0 ? 1 : 0);
    }
    _exit(0);
  }
};

TEST_P(LostCommandTest, LeavesAGroupAloneThatHasTheNumberByNow) {
  WithShell(true, [](const LostCommand& command, pid_t) {
    ChildProcess stranger({"sleep", "300"}, true);
    KillGroup({command.pidfd, stranger.pid(), command.outputs});
    // What had to die is dead once something that was killed later is.
    ChildProcess other({"sleep", "300"}, true);
    ASSERT_EQ(kill(other.pid(), SIGKILL), 0);
    EXPECT_TRUE(WIFSIGNALED(other.Wait()));
    EXPECT_TRUE(IsRunning(stranger.pid()));
  });
}

TEST_P(LostCommandTest, NamesWhatHoldsTheOutput) {
  WithShell(true, [](const LostCommand& command, pid_t child) {
    const std::vector<Survivor> holders = ListHolders(command);
    ASSERT_EQ(holders.size(), 1U);
    EXPECT_EQ(holders[0].pid, child);
    EXPECT_TRUE(holders[0].holds_output);
    EXPECT_FALSE(holders[0].daemon);
    EXPECT_FALSE(holders[0].command.empty());
  });
}

TEST_P(LostCommandTest, NamesNothingThatDoesNot) {
  WithShell(false, [](const LostCommand& command, pid_t) {
    EXPECT_TRUE(test::WaitUntil([&] { return ListHolders(command).empty(); }));
  });
}

INSTANTIATE_TEST_SUITE_P(, LostCommandTest, ::testing::Bool(),
                         [](const auto& old) { return old.param ? "BeforeLinux6_9" : "OnThisKernel"; });

class KillGroupTest : public LostCommandTest {};

TEST_P(KillGroupTest, EndsTheGroupOfAShellThatIsGone) {
  WithShell(GetParam(), [](const LostCommand& command, pid_t child) {
    KillGroup(command);
    EXPECT_TRUE(test::WaitUntil([&] { return !IsRunning(child); }));
  });
}

INSTANTIATE_TEST_SUITE_P(, KillGroupTest, ::testing::Values(false),
                         [](const auto&) { return "OnThisKernel"; });

}  // namespace
}  // namespace bashward::process
