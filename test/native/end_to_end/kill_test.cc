// Timeouts, cancellation, and commands that attack their supervisor. After each test, nothing of a command
// may be left.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <memory>
#include <string>

#include "support/host.h"
#include "support/processes.h"
#include "support/temporary_directory.h"
#include "support/wait.h"
#include "sys/unique_fd.h"

namespace bashward::test {
namespace {

using process::Completion;
using process::Outcome;

class KillTest : public CommandTest {
 protected:
  // Submits the command and returns once it has printed "ready".
  uint64_t SubmitUntilReady(const std::string& command, uint32_t grace_ms = 10'000) {
    Call call(command);
    call.live = true;
    call.grace_ms = grace_ms;
    const uint64_t id = host_.Submit(call);
    host_.recorder().WaitForLiveText(id, "ready\n");
    return id;
  }
  Completion Cancel(uint64_t id) {
    host_.reactor().Cancel(id);
    return host_.Wait(id);
  }
};

TEST_F(KillTest, EndsACommandAtItsTimeout) {
  Call call("sleep 300");
  call.timeout_ms = 100;
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(HasOutcome(completion, Outcome::kTimedOut));
  EXPECT_TRUE(EndedBySignal(completion, SIGTERM));
}

TEST_F(KillTest, LeavesACommandAloneThatEndsBeforeItsTimeout) {
  Call call("echo in time");
  call.timeout_ms = 60'000;
  EXPECT_TRUE(Exited(host_.Run(call), 0));
}

TEST_F(KillTest, ReturnsThePartialOutput) {
  Call call("echo partial; sleep 300");
  call.timeout_ms = 1000;
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(HasOutcome(completion, Outcome::kTimedOut));
  EXPECT_EQ(Output(completion), "partial\n");
}

TEST_F(KillTest, ReturnsWhatIsWrittenDuringTheGrace) {
  const uint64_t id =
      SubmitUntilReady("trap 'echo cleanup; exit 3' TERM; echo ready; while :; do sleep 0.01; done");
  const Completion completion = Cancel(id);
  EXPECT_TRUE(HasOutcome(completion, Outcome::kCancelled));
  // bash may also say that its sleep was terminated.
  const std::string output = Output(completion);
  EXPECT_EQ(output.substr(0, 6), "ready\n");
  EXPECT_NE(output.find("cleanup\n"), std::string::npos) << output;
}

TEST_F(KillTest, EndsACommandThatIsCancelled) {
  const Completion completion = Cancel(SubmitUntilReady("echo ready; sleep 300"));
  EXPECT_TRUE(HasOutcome(completion, Outcome::kCancelled));
}

TEST_F(KillTest, EndsACommandThatIsCancelledAtOnce) {
  const uint64_t id = host_.Submit(Call("sleep 300"));
  EXPECT_TRUE(HasOutcome(Cancel(id), Outcome::kCancelled));
}

TEST_F(KillTest, KeepsTheFirstReason) {
  const uint64_t id =
      SubmitUntilReady("trap 'sleep 1; exit 3' TERM; echo ready; while :; do sleep 0.01; done");
  host_.reactor().Cancel(id);
  host_.reactor().Cancel(id);
  EXPECT_TRUE(HasOutcome(host_.Wait(id), Outcome::kCancelled));
}

TEST_F(KillTest, IgnoresTheCancelOfACommandThatHasEnded) {
  const uint64_t id = host_.Submit(Call("echo done"));
  EXPECT_TRUE(Exited(host_.Wait(id), 0));
  EXPECT_TRUE(Exited(Cancel(id), 0));
  EXPECT_EQ(host_.recorder().calls(), 1);
}

TEST_F(KillTest, IgnoresTheCancelOfACommandThatNeverWas) {
  host_.reactor().Cancel(987'654'321);
  EXPECT_TRUE(Exited(host_.Run(Call(":")), 0));
}

TEST_F(KillTest, KillsWhatIgnoresSigtermAfterTheGrace) {
  const uint64_t id = SubmitUntilReady("trap '' TERM; echo ready; while :; do sleep 0.1; done", 100);
  EXPECT_TRUE(EndedBySignal(Cancel(id), SIGKILL));
}

TEST_F(KillTest, KillsAChildThatIgnoresSigtermThoughItsShellIsGone) {
  const uint64_t id = SubmitUntilReady("(trap '' TERM; echo ready; while :; do sleep 0.1; done) & wait", 100);
  EXPECT_TRUE(HasOutcome(Cancel(id), Outcome::kCancelled));
}

TEST_F(KillTest, EndsATreeThatDaemonized) {
  const uint64_t id = SubmitUntilReady(
      "setsid -f sleep 300; (setsid sh -c 'setsid -f sleep 300 >/dev/null 2>&1; sleep 300' &) ; "
      "nohup sleep 300 >/dev/null 2>&1 & echo ready; sleep 300",
      200);
  EXPECT_TRUE(HasOutcome(Cancel(id), Outcome::kCancelled));
}

TEST_F(KillTest, EndsThirtyDaemonsAtTheTimeout) {
  Call call("for i in {1..30}; do setsid -f sleep 300 >/dev/null 2>&1; done; echo ready; sleep 300");
  call.timeout_ms = 2000;
  call.grace_ms = 200;
  EXPECT_TRUE(HasOutcome(host_.Run(call), Outcome::kTimedOut));
}

TEST_F(KillTest, EndsAStoppedCommand) {
  const uint64_t id = SubmitUntilReady("echo ready; kill -STOP $$", 200);
  EXPECT_TRUE(HasOutcome(Cancel(id), Outcome::kCancelled));
}

TEST_F(KillTest, EndsAFloodThatIsCancelled) {
  const uint64_t id = SubmitUntilReady("echo ready; yes", 200);
  EXPECT_TRUE(HasOutcome(Cancel(id), Outcome::kCancelled));
}

TEST_F(KillTest, ReportsASupervisorThatTheCommandKilled) {
  const Completion completion = host_.Run(Call("echo before; kill -KILL $PPID; sleep 300"));
  EXPECT_TRUE(HasOutcome(completion, Outcome::kSupervisorLost));
  EXPECT_EQ(Output(completion), "before\n");
  // What a killed supervisor leaves goes to init, which is this process here.
  EXPECT_TRUE(ReapAllChildren());
}

TEST_F(KillTest, EndsTheChildrenOfACommandThatKilledItsSupervisor) {
  const Completion completion = host_.Run(Call("sleep 300 & sleep 300 | cat & kill -KILL $PPID; sleep 300"));
  EXPECT_TRUE(HasOutcome(completion, Outcome::kSupervisorLost));
  EXPECT_TRUE(ReapAllChildren());
}

// The shell may get there before its supervisor has announced it. Repeated, so that it does happen.
TEST_F(KillTest, EndsTheChildrenOfACommandThatKillsItsSupervisorAtOnce) {
  for (int i = 0; i < 40; ++i) {
    Call call("sleep 300 & kill -KILL $PPID; sleep 300");
    call.shell = "/bin/sh";
    const Completion completion = host_.Run(call);
    ASSERT_TRUE(HasOutcome(completion, Outcome::kSupervisorLost));
    ASSERT_GT(completion.pid, 1) << "nothing could be killed";
    ASSERT_TRUE(ReapAllChildren());
  }
}

// It had reported a good end; nobody knows what happened after that.
TEST_F(KillTest, ReportsASupervisorThatASurvivorKilledWhileSurvivorsWereKilled) {
  Call call(
      "S=$PPID setsid -f bash -c 'trap \"kill -KILL $S\" TERM; echo ready >\"$FIFO\"; "
      "while :; do sleep 0.01; done' >/dev/null 2>&1; read x <\"$FIFO\"");
  const TemporaryDirectory directory;
  call.environment = {"FIFO=" + directory.File("fifo")};
  ASSERT_EQ(mkfifo(directory.File("fifo").c_str(), 0600), 0);
  call.kill_survivors = true;
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(HasOutcome(completion, Outcome::kSupervisorLost));
  KillAllChildren();
}

TEST_F(KillTest, NamesWhatHoldsTheOutputOfACommandThatKilledItsSupervisor) {
  Call call(
      "setsid -f sh -c 'echo on >\"$FIFO\"; exec sleep 300'; read x <\"$FIFO\"; kill -KILL $PPID; sleep 300");
  const TemporaryDirectory directory;
  call.environment = {"FIFO=" + directory.File("fifo")};
  ASSERT_EQ(mkfifo(directory.File("fifo").c_str(), 0600), 0);
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(HasOutcome(completion, Outcome::kSupervisorLost));
  ASSERT_EQ(completion.survivors.size(), 1U);
  EXPECT_EQ(completion.survivors[0].command, "sleep 300");
  EXPECT_TRUE(completion.survivors[0].holds_output);
  KillAllChildren();
}

// A stranger holds the output, such as a terminal multiplexer that was given the descriptor. The supervisor
// is gone by then, with nothing left to do.
TEST_F(KillTest, EndsWellThoughAStrangerHoldsTheOutput) {
  Call call("echo $$; read x <\"$FIFO\"; exit 0");
  const TemporaryDirectory directory;
  call.environment = {"FIFO=" + directory.File("fifo")};
  ASSERT_EQ(mkfifo(directory.File("fifo").c_str(), 0600), 0);
  call.live = true;
  const uint64_t id = host_.Submit(call);
  host_.recorder().WaitForLiveText(id, "\n");
  const int shell = std::stoi(host_.recorder().Pieces(id)[0].bytes);
  const sys::UniqueFd output(
      open(("/proc/" + std::to_string(shell) + "/fd/1").c_str(), O_WRONLY | O_CLOEXEC));
  ASSERT_TRUE(output.valid()) << "errno " << errno;
  {
    const sys::UniqueFd fifo(open(directory.File("fifo").c_str(), O_WRONLY | O_CLOEXEC));
  }
  EXPECT_TRUE(Exited(host_.Wait(id), 0));
}

TEST_F(KillTest, IsNotEndedByASignalThatTheSupervisorBlocks) {
  const Completion completion =
      host_.Run(Call("for s in HUP INT QUIT TERM PIPE USR1 ALRM; do kill -$s $PPID; done; echo alive"));
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(Output(completion), "alive\n");
}

TEST_F(KillTest, CancelsACommandThatStoppedItsSupervisor) {
  const uint64_t id = SubmitUntilReady("kill -STOP $PPID; echo ready; sleep 300", 200);
  EXPECT_TRUE(HasOutcome(Cancel(id), Outcome::kCancelled));
}

TEST_F(KillTest, GivesTheResultOfACommandThatSignalledItsGroup) {
  EXPECT_TRUE(EndedBySignal(host_.Run(Call("kill -KILL 0; sleep 300")), SIGKILL));
}

TEST_F(KillTest, EndsTheCommandsOfAnAbandonedListenerWithoutACall) {
  const TemporaryDirectory directory;
  const auto listener = std::make_shared<Recorder>();
  for (int i = 0; i < 5; ++i) {
    Call call("setsid -f sleep 300 >/dev/null 2>&1; echo $$ >\"$FILE\"; sleep 300");
    call.environment = {"FILE=" + directory.File(std::to_string(i))};
    host_.reactor().Submit(ToSpec(call), listener);
  }
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(WaitUntil([&] { return !ReadFile(directory.File(std::to_string(i))).empty(); }));
  }
  host_.reactor().Abandon(listener);
  EXPECT_TRUE(WaitUntil(HasNoChildren));
  EXPECT_EQ(listener->calls(), 0);
}

TEST_F(KillTest, EndsCommandsThatWereAbandonedAtOnce) {
  const auto listener = std::make_shared<Recorder>();
  for (int i = 0; i < 5; ++i) {
    host_.reactor().Submit(ToSpec(Call("sleep 300 #" + std::string(1024 * 1024, 'x'))), listener);
  }
  host_.reactor().Abandon(listener);
  EXPECT_TRUE(WaitUntil(HasNoChildren));
  EXPECT_EQ(listener->calls(), 0);
}

TEST_F(KillTest, LeavesTheCommandsOfOtherListenersAlone) {
  const auto listener = std::make_shared<Recorder>();
  const uint64_t other = SubmitUntilReady("echo ready; sleep 300");
  host_.reactor().Submit(ToSpec(Call("sleep 300")), listener);
  host_.reactor().Abandon(listener);
  EXPECT_TRUE(Exited(host_.Run(Call("echo hi")), 0));
  EXPECT_TRUE(HasOutcome(Cancel(other), Outcome::kCancelled));
}

TEST_F(KillTest, LetsGoOfAnAbandonedListener) {
  auto listener = std::make_shared<Recorder>();
  const std::weak_ptr<Recorder> watched = listener;
  host_.reactor().Submit(ToSpec(Call("sleep 300")), listener);
  host_.reactor().Abandon(std::move(listener));
  EXPECT_TRUE(WaitUntil([&] { return watched.expired(); }));
}

}  // namespace
}  // namespace bashward::test
