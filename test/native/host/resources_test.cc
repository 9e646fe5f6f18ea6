// Hosts that have run out of descriptors or processes.
#include <errno.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "support/descriptors.h"
#include "support/forked.h"
#include "support/host.h"
#include "support/processes.h"
#include "support/wait.h"

namespace bashward::test {
namespace {

using process::Completion;
using process::Outcome;
using protocol::Step;

void ExpectStepWithFreeDescriptors(rlim_t free, Step step) {
  InForkedProcess([&] {
    Host host;
    const DescriptorLimit limit;
    limit.Leave(free);
    const Completion completion = host.Run(Call("echo never"));
    limit.Lift();
    EXPECT_TRUE(NotStarted(completion, step, EMFILE));
    EXPECT_EQ(Output(host.Run(Call("echo again"))), "again\n");
    EXPECT_TRUE(WaitUntil(HasNoChildren));
  });
}

TEST(OutOfDescriptors, FailsAtThePipe) {
  ExpectStepWithFreeDescriptors(0, Step::kPipe);
  ExpectStepWithFreeDescriptors(1, Step::kPipe);
}

TEST(OutOfDescriptors, FailsAtTheSocketpair) {
  ExpectStepWithFreeDescriptors(2, Step::kSocketpair);
  ExpectStepWithFreeDescriptors(3, Step::kSocketpair);
}

TEST(OutOfDescriptors, FailsAtTheClone) {
  ExpectStepWithFreeDescriptors(4, Step::kClone);
}

TEST(OutOfDescriptors, RunsACommandWithTheFiveThatItNeeds) {
  InForkedProcess([] {
    Host host;
    const DescriptorLimit limit;
    limit.Leave(5);
    const Completion completion = host.Run(Call("echo enough"));
    limit.Lift();
    EXPECT_EQ(Output(completion), "enough\n");
    EXPECT_TRUE(WaitUntil(HasNoChildren));
  });
}

TEST(OutOfDescriptors, FailsAtThePipeWhenManyCommandsRun) {
  InForkedProcess([] {
    Host host;
    const DescriptorLimit limit;
    // Five to start a command; three while it runs, and a fourth once its shell has started.
    limit.Leave(9);
    std::vector<uint64_t> ids;
    for (int i = 0; i < 5; ++i) ids.push_back(host.Submit(Call("sleep 300")));
    // The first results come from the commands that found no room.
    for (size_t i = 2; i < ids.size(); ++i) {
      EXPECT_TRUE(HasOutcome(host.Wait(ids[i]), Outcome::kNotStarted));
    }
    host.reactor().Cancel(ids[0]);
    host.reactor().Cancel(ids[1]);
    EXPECT_TRUE(HasOutcome(host.Wait(ids[0]), Outcome::kCancelled));
    EXPECT_TRUE(HasOutcome(host.Wait(ids[1]), Outcome::kCancelled));
    limit.Lift();
    EXPECT_TRUE(WaitUntil(HasNoChildren));
  });
}

TEST(OutOfDescriptors, LetsTheReactorStartLater) {
  InForkedProcess([] {
    const DescriptorLimit limit;
    limit.Leave(0);
    int error = 0;
    EXPECT_EQ(process::Reactor::Get(&error), nullptr);
    EXPECT_EQ(error, EMFILE);
    limit.Lift();
    Host host;
    EXPECT_EQ(Output(host.Run(Call("echo later"))), "later\n");
    host.ExpectNothingLeft();
  });
}

// An ordinary user whom nobody else uses, if this is root: only then is the number of its processes known.
void BecomeAnUnusedUser() {
  if (geteuid() != 0) return;
  const uid_t user = 1'000'000 + static_cast<uid_t>(getpid());
  ASSERT_EQ(setresgid(user, user, user), 0);
  ASSERT_EQ(setresuid(user, user, user), 0);
}

void LimitProcesses(rlim_t count) {
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NPROC, &limit), 0);
  limit.rlim_cur = count;
  ASSERT_EQ(setrlimit(RLIMIT_NPROC, &limit), 0);
}

TEST(OutOfProcesses, FailsAtTheClone) {
  InForkedProcess([] {
    BecomeAnUnusedUser();
    Host host;
    LimitProcesses(1);
    EXPECT_TRUE(NotStarted(host.Run(Call("echo never")), Step::kClone, EAGAIN));
    host.ExpectNothingLeft();
  });
}

// With one process more the supervisor runs and cannot start the shell; with two a command runs that forks
// nothing.
TEST(OutOfProcesses, FailsAtTheCloneUntilThereIsRoomForSupervisorAndShell) {
  InForkedProcess([] {
    BecomeAnUnusedUser();
    Host host;
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NPROC, &before), 0);
    rlim_t count = 1;
    int failures = 0;
    for (;; ++count) {
      LimitProcesses(count);
      const Completion completion = host.Run(Call("echo enough"));
      if (completion.outcome == Outcome::kEnded) {
        EXPECT_EQ(Output(completion), "enough\n");
        break;
      }
      ++failures;
      ASSERT_TRUE(NotStarted(completion, Step::kClone, EAGAIN)) << "limit " << count;
      ASSERT_LT(count, before.rlim_cur);
      EXPECT_TRUE(WaitUntil(HasNoChildren));
    }
    EXPECT_GE(failures, 3);
    host.ExpectNothingLeft();
  });
}

}  // namespace
}  // namespace bashward::test
