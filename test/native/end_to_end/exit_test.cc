// How a command ended, and what it used.
#include <gtest/gtest.h>
#include <signal.h>

#include <string>

#include "support/host.h"

namespace bashward::test {
namespace {

using process::Completion;

class ExitTest : public CommandTest {};

TEST_F(ExitTest, IsTheShellsExitCode) {
  for (const int code : {0, 1, 7, 126, 127, 128, 255}) {
    EXPECT_TRUE(Exited(host_.Run(Call("exit " + std::to_string(code))), code));
  }
}

TEST_F(ExitTest, IsThatOfTheLastCommand) {
  EXPECT_TRUE(Exited(host_.Run(Call("true; false")), 1));
}
TEST_F(ExitTest, IsThatOfAPipelineAsBashGivesIt) {
  EXPECT_TRUE(Exited(host_.Run(Call("false | tail -1")), 0));
  EXPECT_TRUE(Exited(host_.Run(Call("yes | head -1 >/dev/null; exit ${PIPESTATUS[0]}")), 128 + SIGPIPE));
}

TEST_F(ExitTest, IsTheSignalThatEndedTheShell) {
  for (const int signal : {SIGHUP, SIGTERM, SIGKILL, SIGUSR1}) {
    EXPECT_TRUE(EndedBySignal(host_.Run(Call("kill -" + std::to_string(signal) + " $$")), signal));
  }
}

TEST_F(ExitTest, IsThatOfAProgramTheShellExecuted) {
  EXPECT_TRUE(Exited(host_.Run(Call("exec sh -c 'exit 9'")), 9));
}

TEST_F(ExitTest, IsThatOfTheShellThoughAChildGoesOn) {
  const Completion completion = host_.Run(Call("true & wait; (exit 4)"));
  EXPECT_TRUE(Exited(completion, 4));
}

TEST_F(ExitTest, ReportsTheResourcesUsed) {
  const Completion completion = host_.Run(Call("for ((i = 0; i < 100000; i++)); do :; done"));
  EXPECT_GT(completion.exited.user_us + completion.exited.system_us, 0U);
  EXPECT_GT(completion.exited.max_rss_bytes, 500'000U);
  EXPECT_LT(completion.exited.max_rss_bytes, 1'000'000'000U);
}

}  // namespace
}  // namespace bashward::test
