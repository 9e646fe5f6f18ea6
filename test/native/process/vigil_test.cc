#include "process/vigil.h"

#include <gtest/gtest.h>

#include <memory>

#include "support/loop.h"
#include "support/processes.h"
#include "sys/signals.h"
#include "sys/unique_fd.h"

namespace bashward::process {
namespace {

class VigilTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(loop_.Open(), 0);
    vigil_ = std::make_unique<Vigil>(loop_, [this] { ++resumed_; }, [this] { ++given_up_; });
  }
  // Until so many milliseconds have passed.
  void RunFor(uint64_t milliseconds) {
    bool over = false;
    Timer timer(loop_.timers(), [&over] { over = true; });
    timer.SetIn(milliseconds * kNsPerMs);
    test::RunUntil(loop_, [&over] { return over; });
  }

  EventLoop loop_;
  int resumed_ = 0;
  int given_up_ = 0;
  std::unique_ptr<Vigil> vigil_;
};

TEST_F(VigilTest, DoesNothingWhileTheShellRuns) {
  test::ChildProcess shell({"sleep", "300"});
  const sys::UniqueFd pidfd(sys::OpenPidfd(shell.pid()));
  vigil_->Begin(pidfd.get());
  RunFor(1500);
  EXPECT_EQ(resumed_, 0);
  vigil_->End();
}

TEST_F(VigilTest, ContinuesTheSupervisorOnceTheShellHasEnded) {
  test::ChildProcess shell({"true"});
  const sys::UniqueFd pidfd(sys::OpenPidfd(shell.pid()));
  vigil_->Begin(pidfd.get());
  test::RunUntil(loop_, [this] { return resumed_ > 1; });
  EXPECT_EQ(given_up_, 0);
  vigil_->End();
}

TEST_F(VigilTest, ContinuesTheSupervisorNowAndThenWhereTheShellCannotBeSeen) {
  vigil_->Begin(-1);
  test::RunUntil(loop_, [this] { return resumed_ > 1; });
  vigil_->End();
}

TEST_F(VigilTest, GivesUpASupervisorThatDoesNotSpeak) {
  test::ChildProcess shell({"true"});
  const sys::UniqueFd pidfd(sys::OpenPidfd(shell.pid()));
  vigil_->Begin(pidfd.get());
  test::RunUntil(loop_, [this] { return given_up_ > 0; });
  EXPECT_GT(resumed_, 50);
}

TEST_F(VigilTest, IsOverWhenItIsEnded) {
  vigil_->Begin(-1);
  vigil_->End();
  RunFor(1200);
  EXPECT_EQ(resumed_, 0);
}

}  // namespace
}  // namespace bashward::process
