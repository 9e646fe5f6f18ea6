// The whole policy: in force, on imitated kernels, and where a part of it is not available.
#include "sandbox/policy.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>

#include "support/errors.h"
#include "support/filter_program.h"
#include "support/forked.h"
#include "support/must_work.h"
#include "support/processes.h"
#include "support/seccomp.h"
#include "support/temporary_directory.h"
#include "support/users.h"
#include "sys/signals.h"

namespace bashward::sandbox {
namespace {

using protocol::Step;
using test::User;

constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr int kOldestAbi = 1;
constexpr int kScopingAbi = 6;

// As each user, in a forked process.
class PolicyTest : public ::testing::TestWithParam<User> {
 protected:
  PolicyTest() {
    std::ofstream(file_) << "text";
    test::GiveTo(GetParam(), file_);
    test::GiveTo(GetParam(), directory_.path());
  }

  void AsUser(const std::function<void()>& body) {
    if (LandlockAbi() < kOldestAbi) return test::CannotTest("the kernel has no Landlock");
    test::InForkedProcess([&] {
      test::Become(GetParam());
      body();
    });
  }

  // Runs `body` in a process that all of the policy is in force for.
  void Confined(const std::function<void(const Policy&)>& body, const std::string& scratch = "") {
    AsUser([&] {
      Policy policy;
      protocol::Failed failure{};
      const sys::UniqueFd below(scratch.empty() ? -1 : open(scratch.c_str(), O_RDONLY | O_CLOEXEC));
      ASSERT_TRUE(policy.Prepare(below.get(), &failure)) << "errno " << failure.error;
      ASSERT_TRUE(policy.Enforce(&failure)) << "errno " << failure.error;
      ASSERT_TRUE(policy.InstallFilter(&failure)) << "errno " << failure.error;
      body(policy);
    });
  }

  const test::TemporaryDirectory directory_;
  const std::string file_ = directory_.File("file");
};

TEST_P(PolicyTest, RefusesToWriteAndToReachTheNetworkAndAllowsToRead) {
  Confined([&](const Policy&) {
    EXPECT_FAILS_WITH(EACCES, open(file_.c_str(), O_WRONLY));
    EXPECT_FAILS_WITH(EPERM, socket(AF_INET, SOCK_DGRAM, 0));
    EXPECT_EQ(test::ReadFile(file_), "text");
  });
}

TEST_P(PolicyTest, AllowsToWriteToTheScratchDirectory) {
  Confined(
      [&](const Policy&) {
        EXPECT_GE(open(directory_.File("new").c_str(), O_WRONLY | O_CREAT, 0600), 0) << "errno " << errno;
      },
      directory_.path());
}

TEST_P(PolicyTest, AllowsToMoveFilesFromOneDirectoryToAnotherThereFromVersion2On) {
  if (LandlockAbi() < 2) return test::CannotTest("the kernel's Landlock is older than version 2");
  Confined(
      [&](const Policy&) {
        const std::string inner = directory_.File("inner");
        ASSERT_EQ(mkdir(inner.c_str(), 0700), 0);
        EXPECT_EQ(rename(file_.c_str(), (inner + "/file").c_str()), 0) << "errno " << errno;
      },
      directory_.path());
}

TEST_P(PolicyTest, ClaimsEveryProtectionFromVersion6On) {
  if (LandlockAbi() < kScopingAbi) return test::CannotTest("the kernel's Landlock is older than version 6");
  Confined([](const Policy& policy) {
    EXPECT_EQ(policy.protections(), protocol::kAllProtections);
    EXPECT_EQ(policy.abi(), LandlockAbi());
  });
}

TEST_P(PolicyTest, RefusesSignalsToTheOutsideFromVersion6On) {
  if (LandlockAbi() < kScopingAbi) return test::CannotTest("the kernel's Landlock is older than version 6");
  AsUser([] {
    // Of the same user, and neither above nor below.
    test::ChildProcess outside({"sleep", "300"});
    const pid_t pid = outside.pid();
    test::InForkedProcess([pid] {
      Policy policy;
      protocol::Failed failure{};
      ASSERT_TRUE(policy.Prepare(-1, &failure));
      ASSERT_TRUE(policy.Enforce(&failure));
      EXPECT_FAILS_WITH(EPERM, sys::SignalProcess(pid, 0));
    });
  });
}

TEST_P(PolicyTest, LetsASupervisorUseFilesAndSignalItsOwnChildrenAlone) {
  AsUser([&] {
    test::ChildProcess outside({"sleep", "300"});
    const pid_t pid = outside.pid();
    test::InForkedProcess([&] {
      Policy policy;
      protocol::Failed failure{};
      ASSERT_TRUE(policy.Prepare(-1, &failure));
      EXPECT_GE(open(file_.c_str(), O_WRONLY), 0) << "errno " << errno;
      test::ChildProcess child({"sleep", "300"});
      EXPECT_EQ(sys::SignalProcess(child.pid(), 0), 0) << "errno " << errno;
      if (LandlockAbi() < kScopingAbi) return;
      EXPECT_FAILS_WITH(EPERM, sys::SignalProcess(pid, 0));
    });
  });
}

TEST_P(PolicyTest, SaysThatTheScratchDirectoryIsNone) {
  AsUser([&] {
    Policy policy;
    protocol::Failed failure{};
    const sys::UniqueFd file(open("/dev/null", O_RDONLY | O_CLOEXEC));
    EXPECT_FALSE(policy.Prepare(file.get(), &failure));
    EXPECT_EQ(failure.step, Step::kLandlockAddRule);
    EXPECT_EQ(failure.error, EINVAL);
  });
}

INSTANTIATE_TEST_SUITE_P(, PolicyTest, ::testing::ValuesIn(test::Users()),
                         [](const auto& user) { return test::NameOf(user.param); });

// Where one system call is refused: the first step that fails, and why.
void ExpectFailureWithout(long number, int error, Step step) {
  if (LandlockAbi() < kOldestAbi) return test::CannotTest("the kernel has no Landlock");
  test::InForkedProcess([&] {
    test::RefuseSystemCall(number, error);
    Policy policy;
    protocol::Failed failure{};
    EXPECT_FALSE(policy.Prepare(-1, &failure) && policy.Enforce(&failure) && policy.InstallFilter(&failure));
    EXPECT_EQ(failure.step, step);
    EXPECT_EQ(failure.error, error);
  });
}

TEST(Policy, SaysThatThereIsNoLandlock) {
  for (const int error : {ENOSYS, EOPNOTSUPP, EPERM}) {
    ExpectFailureWithout(kCreateRuleset, error, Step::kLandlockCreateRuleset);
  }
}
TEST(Policy, SaysThatRulesAreRefused) {
  ExpectFailureWithout(kAddRule, EPERM, Step::kLandlockAddRule);
}
TEST(Policy, SaysThatTheRestrictionIsRefused) {
  ExpectFailureWithout(kRestrictSelf, E2BIG, Step::kLandlockRestrictSelf);
}
TEST(Policy, SaysThatCapabilitiesCannotBeDropped) {
  ExpectFailureWithout(SYS_capset, EPERM, Step::kCapset);
}
TEST(Policy, SaysThatThereAreNoSeccompFilters) {
  ExpectFailureWithout(SYS_seccomp, ENOSYS, Step::kSeccomp);
}

// Landlock of an older version, that takes everything it knows and does nothing.
int imitated_abi = 0;
long CreateImitatedRuleset(const uint64_t* arguments) {
  if ((arguments[2] & 1) != 0) return imitated_abi;  // LANDLOCK_CREATE_RULESET_VERSION
  return open("/dev/null", O_RDONLY | O_CLOEXEC);
}
long Succeed(const uint64_t*) {
  return 0;
}

void PrepareOnVersion(int abi, Policy* policy) {
  imitated_abi = abi;
  test::AnswerSystemCall(kCreateRuleset, CreateImitatedRuleset);
  test::AnswerSystemCall(kAddRule, Succeed);
  test::AnswerSystemCall(kRestrictSelf, Succeed);
  protocol::Failed failure{};
  ASSERT_TRUE(policy->Prepare(-1, &failure)) << "errno " << failure.error;
}

test::FilterProgram FilterOnVersion(int abi) {
  return test::FilterProgram::GivenBy([abi] {
    Policy policy;
    PrepareOnVersion(abi, &policy);
    protocol::Failed failure{};
    EXPECT_TRUE(policy.InstallFilter(&failure));
  });
}

TEST(Policy, DoesNotClaimToScopeSignalsBelowVersion6) {
  for (const int abi : {1, 2, 3, 4, 5, 6, 11}) {
    test::InForkedProcess([abi] {
      Policy policy;
      PrepareOnVersion(abi, &policy);
      const uint32_t missing = abi < kScopingAbi ? uint32_t{protocol::kSignals} : 0;
      EXPECT_EQ(policy.protections(), protocol::kAllProtections & ~missing) << "version " << abi;
      EXPECT_EQ(policy.abi(), abi);
    });
  }
}

// Git, npm and tar move files from one directory to another.
TEST(Policy, RefusesWritableRootsBelowVersion2) {
  for (const int abi : {1, 2}) {
    test::InForkedProcess([abi] {
      imitated_abi = abi;
      test::AnswerSystemCall(kCreateRuleset, CreateImitatedRuleset);
      test::AnswerSystemCall(kAddRule, Succeed);
      test::AnswerSystemCall(kRestrictSelf, Succeed);
      WritableRoots roots;
      ASSERT_TRUE(roots.Open("/tmp", 1));
      GivenFiles given;
      given.roots = &roots;
      Policy policy;
      protocol::Failed failure{};
      EXPECT_EQ(policy.Prepare(given, &failure), abi >= 2);
      if (abi >= 2) return;
      EXPECT_EQ(failure.step, Step::kLandlockCreateRuleset);
      EXPECT_EQ(failure.error, EOPNOTSUPP);
    });
  }
}

TEST(Policy, HasTheFilterCloseTheGapOfTruncationBelowVersion3) {
  for (const int abi : {1, 2, 3, 6}) {
    EXPECT_EQ(FilterOnVersion(abi).Judge(SYS_truncate), abi < 3 ? EACCES : test::kAllowed)
        << "version " << abi;
  }
}

TEST(Policy, HasTheFilterNarrowTheGapOfSignalsBelowVersion6) {
  constexpr uint64_t kEverything = 0xffff'ffff;
  for (const int abi : {1, 3, 5, 6, 7}) {
    EXPECT_EQ(FilterOnVersion(abi).Judge(SYS_kill, {kEverything, SIGKILL}),
              abi < kScopingAbi ? EPERM : test::kAllowed)
        << "version " << abi;
  }
}

}  // namespace
}  // namespace bashward::sandbox
