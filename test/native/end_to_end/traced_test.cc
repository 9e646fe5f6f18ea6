// Commands that make their supervisor a tracer: it is told of every signal, and none of these stops is
// their end.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <string>

#include "support/host.h"
#include "support/must_work.h"

namespace bashward::test {
namespace {

using process::Completion;
using process::Outcome;

class TracedTest : public CommandTest {
 protected:
  // The shell becomes the program: the supervisor is then the parent that traces.
  static Call Traced(const std::string& mode) {
    Call call("exec \"$PROGRAM\" " + mode);
    call.environment = {"PROGRAM=" BASHWARD_TEST_TRACED_PROGRAM};
    return call;
  }
  // Whether the program could not be traced; then it says so.
  static bool WasRefused(const Completion& completion) {
    const int status = completion.exited.wait_status;
    if (!completion.has_exited || !WIFEXITED(status) || WEXITSTATUS(status) != 99) return false;
    CannotTest("a process may not ask to be traced");
    return true;
  }
};

TEST_F(TracedTest, GoesOnAfterExecve) {
  const Completion completion = host_.Run(Traced("execve"));
  if (WasRefused(completion)) return;
  EXPECT_TRUE(Exited(completion, 7));
}

TEST_F(TracedTest, GetsTheSignalsThatItCatches) {
  const Completion completion = host_.Run(Traced("caught"));
  if (WasRefused(completion)) return;
  EXPECT_TRUE(Exited(completion, 7));
}

TEST_F(TracedTest, DiesOfTheSignalsThatItDoesNotCatch) {
  const Completion completion = host_.Run(Traced("killed"));
  if (WasRefused(completion)) return;
  EXPECT_TRUE(EndedBySignal(completion, SIGTERM));
}

TEST_F(TracedTest, StopsWithoutHavingEnded) {
  Call call = Traced("stopped");
  call.timeout_ms = 500;
  call.grace_ms = 100;
  const Completion completion = host_.Run(call);
  if (WasRefused(completion)) return;
  EXPECT_TRUE(HasOutcome(completion, Outcome::kTimedOut));
  // A stopped process acts on SIGTERM only when it goes on.
  EXPECT_TRUE(EndedBySignal(completion, SIGTERM) || EndedBySignal(completion, SIGKILL));
}

}  // namespace
}  // namespace bashward::test
