// What a command leaves running when its shell has ended.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <string>

#include "support/host.h"
#include "support/processes.h"
#include "support/temporary_directory.h"
#include "support/wait.h"
#include "sys/signals.h"

namespace bashward::test {
namespace {

using process::Completion;
using process::Survivor;

class SurvivorsTest : public CommandTest {
 protected:
  // Survivors that are still there; only processes that the supervisor has named, and all in the shell's
  // group or leaders of their own.
  static void End(const Completion& completion) {
    for (const Survivor& survivor : completion.survivors) {
      if (IsRunning(survivor.pid)) sys::SignalProcess(survivor.pid, SIGKILL);
    }
  }

  // A supervisor does not wait for survivors that have closed the output: init inherits them, which is this
  // process here.
  void TearDown() override {
    EXPECT_TRUE(ReapAllChildren());
    CommandTest::TearDown();
  }
};

TEST_F(SurvivorsTest, AreNoneAfterAnOrdinaryCommand) {
  EXPECT_TRUE(host_.Run(Call("sleep 0 & wait; echo hi")).survivors.empty());
}

TEST_F(SurvivorsTest, AreListedAndDoNotDelayTheResult) {
  const Completion completion = host_.Run(Call("sleep 300 & echo done"));
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(Output(completion), "done\n");
  ASSERT_EQ(completion.survivors.size(), 1U);
  EXPECT_EQ(completion.survivors[0].command, "sleep 300");
  EXPECT_TRUE(completion.survivors[0].holds_output);
  EXPECT_FALSE(completion.survivors[0].daemon);
  EXPECT_TRUE(IsRunning(completion.survivors[0].pid));
  End(completion);
}

TEST_F(SurvivorsTest, DoNotDelayTheResultByWritingOn) {
  const Completion completion = host_.Run(Call("(while :; do echo x; sleep 0.01; done) & echo done"));
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_FALSE(completion.survivors.empty());
  sys::SignalGroup(completion.pid, SIGKILL);
}

TEST_F(SurvivorsTest, DoNotDelayTheResultByAFlood) {
  Call call("yes & echo done");
  call.head_limit = 100;
  call.tail_limit = 100;
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(Exited(completion, 0));
  ASSERT_FALSE(completion.survivors.empty());
  EXPECT_TRUE(IsRunning(completion.survivors[0].pid));
  End(completion);
}

TEST_F(SurvivorsTest, AreDaemonsWhenTheyLeftTheSessionAndTheOutput) {
  const TemporaryDirectory directory;
  Call call(
      "setsid -f bash -c 'echo $$ >\"$FILE\"; exec sleep 300' >/dev/null 2>&1; "
      "until [ -s \"$FILE\" ]; do sleep 0.01; done; cat \"$FILE\"");
  call.environment = {"FILE=" + directory.File("pid")};
  const Completion completion = host_.Run(call);
  ASSERT_EQ(completion.survivors.size(), 1U);
  EXPECT_EQ(completion.survivors[0].pid, static_cast<pid_t>(strtol(Output(completion).c_str(), nullptr, 10)));
  EXPECT_TRUE(completion.survivors[0].daemon);
  EXPECT_FALSE(completion.survivors[0].holds_output);
  End(completion);
}

// Nobody reads their output any more, and they must not notice: no SIGPIPE, no full pipe.
TEST_F(SurvivorsTest, GoOnWritingAsIfSomebodyRead) {
  const TemporaryDirectory directory;
  Call call(
      "(while :; do head -c 65536 /dev/zero || exit; printf x >>\"$FILE\"; sleep 0.005; done) & echo done");
  call.environment = {"FILE=" + directory.File("rounds")};
  const Completion completion = host_.Run(call);
  const size_t rounds = ReadFile(directory.File("rounds")).size();
  // More than the largest pipe holds.
  EXPECT_TRUE(WaitUntil([&] { return ReadFile(directory.File("rounds")).size() > rounds + 40; }));
  sys::SignalGroup(completion.pid, SIGKILL);
}

TEST_F(SurvivorsTest, AreKilledOnRequest) {
  Call call("sleep 300 & setsid -f sleep 300 >/dev/null 2>&1; echo done");
  call.kill_survivors = true;
  call.grace_ms = 200;
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(Output(completion), "done\n");
  EXPECT_TRUE(WaitUntil(HasNoChildren));
}

TEST_F(SurvivorsTest, ThatIgnoreSigtermAreKilledOnRequest) {
  Call call("(trap '' TERM; while :; do sleep 0.05; done) & echo done");
  call.kill_survivors = true;
  call.grace_ms = 100;
  EXPECT_TRUE(Exited(host_.Run(call), 0));
  EXPECT_TRUE(WaitUntil(HasNoChildren));
}

TEST_F(SurvivorsTest, AreListedAsManyAsAMessageHolds) {
  const std::string count = std::to_string(protocol::kMaxSurvivors + 10);
  const Call call("for ((i = 0; i < " + count + "; i++)); do sleep 300 >/dev/null 2>&1 & done");
  const Completion completion = host_.Run(call);
  EXPECT_EQ(completion.survivors.size(), protocol::kMaxSurvivors);
  sys::SignalGroup(completion.pid, SIGKILL);
}

}  // namespace
}  // namespace bashward::test
