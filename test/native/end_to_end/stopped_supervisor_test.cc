// Commands that stop the process that watches over them.
#include <gtest/gtest.h>
#include <signal.h>

#include <string>

#include "support/host.h"
#include "support/processes.h"
#include "sys/signals.h"

namespace bashward::test {
namespace {

using process::Completion;
using process::Outcome;

class StoppedSupervisorTest : public CommandTest {
 protected:
  void TearDown() override {
    EXPECT_TRUE(ReapAllChildren());
    CommandTest::TearDown();
  }
};

TEST_F(StoppedSupervisorTest, TellsOfTheEndOfTheShell) {
  const Completion completion = host_.Run(Call("kill -STOP $PPID; echo hi; exit 7"));
  EXPECT_TRUE(Exited(completion, 7));
  EXPECT_EQ(Output(completion), "hi\n");
}

TEST_F(StoppedSupervisorTest, TellsOfTheEndOfALongOne) {
  const Completion completion = host_.Run(Call("kill -STOP $PPID; sleep 1.3; exit 7"));
  EXPECT_TRUE(Exited(completion, 7));
}

TEST_F(StoppedSupervisorTest, ListsWhatIsLeftWithTheOutput) {
  const Completion completion = host_.Run(Call("kill -STOP $PPID; sleep 300 & echo hi"));
  EXPECT_TRUE(Exited(completion, 0));
  ASSERT_EQ(completion.survivors.size(), 1U);
  EXPECT_EQ(completion.survivors[0].command, "sleep 300");
  sys::SignalProcess(completion.survivors[0].pid, SIGKILL);
}

TEST_F(StoppedSupervisorTest, EndsTheCommandAtATimeout) {
  Call call("kill -STOP $PPID; sleep 300");
  call.timeout_ms = 300;
  call.grace_ms = 100;
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(HasOutcome(completion, Outcome::kTimedOut));
  EXPECT_TRUE(EndedBySignal(completion, SIGTERM));
}

}  // namespace
}  // namespace bashward::test
