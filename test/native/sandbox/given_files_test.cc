// A policy with something to write to.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>

#include "sandbox/policy.h"
#include "support/errors.h"
#include "support/forked.h"
#include "support/must_work.h"
#include "support/temporary_directory.h"
#include "support/users.h"

namespace bashward::sandbox {
namespace {

using test::User;

// As each user, who owns a directory with a file, a root and another directory. `body` runs once all but the
// filter is in force.
class GivenFilesTest : public ::testing::TestWithParam<User> {
 protected:
  GivenFilesTest() {
    std::ofstream(file_) << "text";
    for (const std::string& path : {root_, other_}) mkdir(path.c_str(), 0700);
    for (const std::string& path : {directory_.path(), file_, root_, other_}) test::GiveTo(GetParam(), path);
  }
  void Given(const std::function<void(GivenFiles*)>& give, const std::function<void(const Policy&)>& body) {
    if (LandlockAbi() < 2) return test::CannotTest("the kernel's Landlock is older than version 2");
    test::InForkedProcess([&] {
      test::Become(GetParam());
      WritableRoots roots;
      ASSERT_TRUE(roots.Open((root_ + '\0').c_str(), 1)) << "errno " << errno;
      GivenFiles given;
      given.roots = &roots;
      give(&given);
      Policy policy;
      protocol::Failed failure{};
      ASSERT_TRUE(policy.Prepare(given, &failure)) << "errno " << failure.error;
      ASSERT_TRUE(policy.Enforce(&failure)) << "errno " << failure.error;
      body(policy);
    });
  }
  static int Make(const std::string& path) { return open(path.c_str(), O_WRONLY | O_CREAT, 0600); }

  const test::TemporaryDirectory directory_;
  const std::string file_ = directory_.File("file");
  const std::string root_ = directory_.File("root");
  const std::string other_ = directory_.File("other");
};

TEST_P(GivenFilesTest, WritesBelowARootAndNowhereElse) {
  Given([](GivenFiles*) {},
        [&](const Policy& policy) {
          EXPECT_TRUE(policy.brokered());
          EXPECT_GE(Make(root_ + "/new"), 0) << "errno " << errno;
          EXPECT_EQ(mkdir((root_ + "/a").c_str(), 0700), 0) << "errno " << errno;
          EXPECT_EQ(rename((root_ + "/new").c_str(), (root_ + "/a/new").c_str()), 0) << "errno " << errno;
          EXPECT_EQ(test::ReadFile(file_), "text");
          EXPECT_FAILS_WITH(EACCES, Make(other_ + "/new"));
          EXPECT_FAILS_WITH(EACCES, open(file_.c_str(), O_WRONLY));
          EXPECT_FAILS_WITH(EACCES, mknod((root_ + "/socket").c_str(), S_IFSOCK | 0600, 0));
        });
}

TEST_P(GivenFilesTest, MovesBetweenARootAndTheScratchDirectory) {
  const sys::UniqueFd scratch(open(other_.c_str(), O_RDONLY | O_CLOEXEC));
  Given([&](GivenFiles* given) { given->scratch = scratch.get(); },
        [&](const Policy&) {
          ASSERT_GE(Make(other_ + "/new"), 0) << "errno " << errno;
          EXPECT_EQ(rename((other_ + "/new").c_str(), (root_ + "/new").c_str()), 0) << "errno " << errno;
          EXPECT_EQ(link((root_ + "/new").c_str(), (other_ + "/second").c_str()), 0) << "errno " << errno;
        });
}

TEST_P(GivenFilesTest, MovesNothingIntoARootOrOutOfIt) {
  Given([](GivenFiles*) {},
        [&](const Policy&) {
          ASSERT_GE(Make(root_ + "/new"), 0);
          EXPECT_EQ(rename(file_.c_str(), (root_ + "/file").c_str()), -1);
          EXPECT_EQ(link(file_.c_str(), (root_ + "/file").c_str()), -1);
          EXPECT_EQ(rename((root_ + "/new").c_str(), (other_ + "/new").c_str()), -1);
        });
  EXPECT_EQ(test::ReadFile(file_), "text");
}

TEST_P(GivenFilesTest, OpensDevicesAsARestrictedCommandDoes) {
  Given([](GivenFiles*) {},
        [](const Policy&) {
          for (const char* path : {"/dev/null", "/dev/zero", "/dev/full"}) {
            EXPECT_GE(open(path, O_RDWR), 0) << path << ": errno " << errno;
          }
          EXPECT_GE(open("/dev/urandom", O_RDONLY), 0) << "errno " << errno;
          EXPECT_FAILS_WITH(EACCES, open("/dev/urandom", O_WRONLY));
          EXPECT_FAILS_WITH(EACCES, open("/dev/ptmx", O_RDONLY));
        });
}

TEST_P(GivenFilesTest, HasSharedMemoryOnlyIfItIsGiven) {
  if (access("/dev/shm", W_OK) != 0) return test::CannotTest("there is no /dev/shm");
  const std::string name = "/dev/shm/bashward-test-" + std::to_string(getpid());
  Given([](GivenFiles*) {}, [&](const Policy&) { EXPECT_FAILS_WITH(EACCES, Make(name)); });
  Given([](GivenFiles* given) { given->shared_memory = true; },
        [&](const Policy&) {
          EXPECT_GE(Make(name), 0) << "errno " << errno;
          EXPECT_GE(open(name.c_str(), O_RDWR), 0) << "errno " << errno;
          EXPECT_FAILS_WITH(EACCES, mknod((name + "s").c_str(), S_IFSOCK | 0600, 0));
          EXPECT_EQ(unlink(name.c_str()), 0) << "errno " << errno;
        });
}

TEST_P(GivenFilesTest, TakesTheRulesetOfTheHostForReading) {
  const Ruleset nothing = CreateReadingRuleset(LandlockAbi());
  Given([&](GivenFiles* given) { given->ruleset = dup(nothing.fd.get()); },
        [&](const Policy&) {
          EXPECT_FAILS_WITH(EACCES, open(file_.c_str(), O_RDONLY));
          EXPECT_GE(Make(root_ + "/new"), 0) << "errno " << errno;
          EXPECT_FAILS_WITH(EACCES, open((root_ + "/new").c_str(), O_RDONLY));
        });
}

TEST_P(GivenFilesTest, AddsItsScratchDirectoryToARulesetOfItsOwnAlone) {
  const sys::UniqueFd scratch(open(other_.c_str(), O_RDONLY | O_CLOEXEC));
  for (const bool owns : {true, false}) {
    const Ruleset nothing = CreateReadingRuleset(LandlockAbi());
    Given(
        [&](GivenFiles* given) {
          given->scratch = scratch.get();
          given->ruleset = dup(nothing.fd.get());
          given->owns_ruleset = owns;
        },
        [&](const Policy&) {
          ASSERT_GE(Make(other_ + "/new"), 0) << "errno " << errno;
          EXPECT_EQ(open((other_ + "/new").c_str(), O_RDONLY) >= 0, owns);
        });
  }
}

TEST_P(GivenFilesTest, ClaimsToCloseDevicesToRootOnlyWhereMountsDo) {
  Given([](GivenFiles* given) { given->opens_devices = true; },
        [](const Policy& policy) {
          const uint32_t devices = policy.protections() & protocol::kDevices;
          EXPECT_EQ(devices != 0, geteuid() != 0);
        });
}

INSTANTIATE_TEST_SUITE_P(, GivenFilesTest, ::testing::ValuesIn(test::Users()),
                         [](const auto& user) { return test::NameOf(user.param); });

}  // namespace
}  // namespace bashward::sandbox
