#include "process/process_exits.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <utility>
#include <vector>

#include "support/loop.h"
#include "sys/signals.h"

namespace bashward::process {
namespace {

struct Told final : ExitListener {
  void OnExit(uint64_t id) override { ids.push_back(id); }
  std::vector<uint64_t> ids;
};

class ProcessExitsTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(loop_.Open(), 0); }
  void TearDown() override {
    for (const pid_t child : children_) End(child);
  }

  // A process that does nothing.
  pid_t Start() {
    const pid_t child = fork();
    if (child == 0) {
      for (;;) pause();
    }
    EXPECT_GT(child, 1);
    children_.push_back(child);
    return child;
  }
  static sys::UniqueFd Open(pid_t child) { return sys::UniqueFd(sys::OpenPidfd(child)); }
  static void Kill(pid_t child) { EXPECT_EQ(kill(child, SIGKILL), 0); }
  // Waits for the zombie to be there, and leaves it.
  static void AwaitZombie(pid_t child) {
    siginfo_t info{};
    EXPECT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  }

  EventLoop loop_;
  ProcessExits exits_{loop_};
  std::shared_ptr<Told> told_ = std::make_shared<Told>();

 private:
  static void End(pid_t child) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  std::vector<pid_t> children_;
};

TEST_F(ProcessExitsTest, TellsOnceOfAnEnd) {
  const pid_t child = Start();
  exits_.Add(1, Open(child), told_);
  test::RunWhatIsReady(loop_);
  EXPECT_TRUE(told_->ids.empty());
  Kill(child);
  test::RunUntil(loop_, [&] { return !told_->ids.empty(); });
  test::RunWhatIsReady(loop_);
  EXPECT_EQ(told_->ids, std::vector<uint64_t>{1});
  EXPECT_EQ(exits_.size(), 0U);
}

TEST_F(ProcessExitsTest, TellsOfAProcessThatHasEndedBefore) {
  const pid_t child = Start();
  sys::UniqueFd pidfd = Open(child);
  Kill(child);
  AwaitZombie(child);
  exits_.Add(1, std::move(pidfd), told_);
  test::RunUntil(loop_, [&] { return !told_->ids.empty(); });
}

TEST_F(ProcessExitsTest, TellsNothingOfWhatIsForgotten) {
  const pid_t child = Start();
  sys::UniqueFd pidfd = Open(child);
  const int number = pidfd.get();
  exits_.Add(1, std::move(pidfd), told_);
  exits_.Forget(1);
  EXPECT_EQ(fcntl(number, F_GETFD), -1);
  Kill(child);
  AwaitZombie(child);
  test::RunWhatIsReady(loop_);
  EXPECT_TRUE(told_->ids.empty());
}

TEST_F(ProcessExitsTest, ForgetsAllOfOneListener) {
  const auto other = std::make_shared<Told>();
  const pid_t child = Start();
  exits_.Add(1, Open(child), told_);
  exits_.Add(2, Open(child), other);
  exits_.Add(3, Open(child), told_);
  exits_.ForgetAll(told_.get());
  EXPECT_EQ(told_.use_count(), 1);
  Kill(child);
  test::RunUntil(loop_, [&] { return !other->ids.empty(); });
  EXPECT_EQ(other->ids, std::vector<uint64_t>{2});
  EXPECT_TRUE(told_->ids.empty());
}

// As without memory for one more: who is told looks, and finds that it still runs.
TEST_F(ProcessExitsTest, TellsAtOnceWhereItCannotWatch) {
  exits_.Add(1, sys::UniqueFd(), told_);
  EXPECT_EQ(told_->ids, std::vector<uint64_t>{1});
  EXPECT_EQ(exits_.size(), 0U);
}

}  // namespace
}  // namespace bashward::process
