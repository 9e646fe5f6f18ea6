// Runs a part of a test in a process that cannot read some paths.
#ifndef BASHWARD_TEST_SANDBOX_UNREADABLE_FIXTURE_H_
#define BASHWARD_TEST_SANDBOX_UNREADABLE_FIXTURE_H_

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "sandbox/landlock.h"
#include "sandbox/ruleset_store.h"
#include "support/errors.h"
#include "support/forked.h"
#include "support/must_work.h"
#include "support/own_mounts.h"
#include "support/temporary_directory.h"

namespace bashward::sandbox {

// A home with secrets and a project, on a file system of its own.
class UnreadableTest : public ::testing::Test {
 protected:
  void WithHome(const std::function<void()>& body) {
    if (LandlockAbi() < 2) return test::CannotTest("the kernel's Landlock is older than version 2");
    test::WithOwnMounts([&](const std::string& directory) {
      top_ = directory;
      home_ = directory + "/home";
      test::WriteFile(home_ + "/.ssh/id", "secret");
      test::WriteFile(home_ + "/.netrc", "secret");
      test::WriteFile(home_ + "/project/file", "text");
      test::WriteFile(directory + "/beside", "text");
      body();
    });
  }

  // Runs `body` in a process that cannot read those paths.
  static void Without(const std::vector<std::string>& unreadable, const std::function<void()>& body) {
    test::InForkedProcess([&] {
      PathPolicy policy;
      policy.unreadable = unreadable;
      RulesetStore store;
      const CommandRuleset made = store.For(policy);
      ASSERT_NE(made.fd, nullptr) << made.refusal.path << ": " << made.refusal.reason << ", errno "
                                  << made.refusal.error;
      Ruleset ruleset;
      ruleset.fd.reset(dup(made.fd->get()));
      ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
      ASSERT_TRUE(RestrictSelf(ruleset)) << "errno " << errno;
      body();
    });
  }

  // Runs `body` in a process that is confined by the reading ruleset of a policy that writes somewhere, and
  // by nothing else: it can make what somebody else would make.
  static void WithReadingOf(RulesetStore* store, const PathPolicy& policy,
                            const std::function<void()>& body) {
    test::InForkedProcess([&] {
      const CommandRuleset made = store->For(policy);
      ASSERT_NE(made.fd, nullptr) << made.refusal.path << ": " << made.refusal.reason << ", errno "
                                  << made.refusal.error;
      Ruleset ruleset;
      ruleset.fd.reset(dup(made.fd->get()));
      ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
      ASSERT_TRUE(RestrictSelf(ruleset)) << "errno " << errno;
      body();
    });
  }

  static void ExpectReadable(const std::string& path) {
    EXPECT_NE(test::ReadFile(path), "") << path << ": errno " << errno;
  }
  static void ExpectUnreadable(const std::string& path) {
    EXPECT_FAILS_WITH(EACCES, open(path.c_str(), O_RDONLY));
    EXPECT_EQ(test::ReadFile(path), "") << path;
  }

  std::string top_;
  std::string home_;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_TEST_SANDBOX_UNREADABLE_FIXTURE_H_
