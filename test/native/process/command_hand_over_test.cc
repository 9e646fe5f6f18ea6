#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>

#include "process/command_fixture.h"
#include "support/forked.h"
#include "support/wait.h"

namespace bashward::process {
namespace {

class CommandHandOverTest : public ::testing::Test {
 protected:
  // One that goes on after its first line.
  static test::Call LongCall() {
    test::Call call("echo first; exec sleep 300");
    call.background_after_ms = 1;
    call.grace_ms = 0;
    return call;
  }
  std::string Directory() const { return directory_.File("job"); }
  std::string File(const char* name) const { return Directory() + "/" + name; }
  JobPlan Plan() const { return {Directory(), "{\"version\":1,", 1'000'000}; }

  // Whether the supervisor has made the job, but the host has not heard of it. Between two rounds of the
  // loop: in the first after the Commit this waits for the supervisor, in those before it does so in vain.
  bool IsCommitted() const {
    if (access(File("output").c_str(), F_OK) != 0) return false;
    return test::WaitUntil([this] { return access(File("job.json").c_str(), F_OK) == 0; },
                           std::chrono::seconds(2));
  }

  const test::TemporaryDirectory directory_;
};

TEST_F(CommandHandOverTest, NamesTheJobOfACommandThatIsCancelledOnceItIsOne) {
  test::InForkedProcess([&] {
    CommandOnLoop command(LongCall());
    command.Plan(Plan());
    test::RunUntil(command.loop(), [&] { return IsCommitted(); });
    command.Cancel();
    const Completion& completion = command.Result();
    EXPECT_EQ(completion.outcome, Outcome::kCancelled);
    EXPECT_TRUE(completion.is_job);
    EXPECT_EQ(completion.hand_over.step, protocol::Step::kNone);
    command.ExpectGone();
    EXPECT_NE(test::ReadFile(File("exit.json")).find("\"killed\""), std::string::npos);
  });
}

TEST_F(CommandHandOverTest, NamesNoJobOfACommandThatIsCancelledBefore) {
  test::InForkedProcess([&] {
    CommandOnLoop command(LongCall());
    command.Plan(Plan());
    test::RunUntil(command.loop(), [&] { return access(File("output").c_str(), F_OK) == 0; });
    command.Cancel();
    const Completion& completion = command.Result();
    EXPECT_EQ(completion.outcome, Outcome::kCancelled);
    command.ExpectGone();
    EXPECT_EQ(completion.is_job, access(File("job.json").c_str(), F_OK) == 0);
  });
}

TEST_F(CommandHandOverTest, NamesTheJobOfACommandThatGoesOn) {
  test::InForkedProcess([&] {
    CommandOnLoop command(LongCall());
    command.Plan(Plan());
    const Completion& completion = command.Result();
    EXPECT_EQ(completion.outcome, Outcome::kHandedOver);
    EXPECT_TRUE(completion.is_job);
    EXPECT_EQ(kill(completion.pid, SIGKILL), 0);
    command.ExpectGone();
  });
}

}  // namespace
}  // namespace bashward::process
