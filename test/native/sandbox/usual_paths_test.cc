// Unreadable paths that nobody has listed: what cannot be left out is passed over.
#include <errno.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "sandbox/unreadable_fixture.h"

namespace bashward::sandbox {
namespace {

using test::WriteFile;

class UsualPathsTest : public UnreadableTest {
 protected:
  void Link(const std::string& target) {
    ASSERT_EQ(symlink(target.c_str(), (home_ + "/.aws").c_str()), 0) << "errno " << errno;
  }
  // Whether a policy can be had, with .aws and .netrc among the usual paths, and with .aws listed.
  void ExpectOnlyUsual(const std::vector<std::string>& roots) {
    PathPolicy policy;
    policy.roots = roots;
    policy.unreadable = {home_ + "/.aws", home_ + "/.netrc"};
    EXPECT_NE(store_.For(policy).refusal.reason, "");
    policy.unreadable.swap(policy.usual);
    WithReadingOf(&store_, policy, [&] {
      ExpectUnreadable(home_ + "/.netrc");
      ExpectReadable(home_ + "/project/file");
      ExpectReadable(top_ + "/beside");
    });
  }

  RulesetStore store_;
};

TEST_F(UsualPathsTest, CannotBeRead) {
  WithHome([&] {
    PathPolicy policy;
    policy.usual = {home_ + "/.netrc", home_ + "/.ssh"};
    WithReadingOf(&store_, policy, [&] {
      ExpectUnreadable(home_ + "/.netrc");
      ExpectUnreadable(home_ + "/.ssh/id");
      ExpectReadable(home_ + "/project/file");
    });
  });
}

TEST_F(UsualPathsTest, ALinkToTheRootDirectoryIsPassedOver) {
  WithHome([&] {
    Link("/");
    ExpectOnlyUsual({home_ + "/project"});
  });
}

TEST_F(UsualPathsTest, ALinkToProcIsPassedOver) {
  WithHome([&] {
    Link("/proc/1");
    ExpectOnlyUsual({home_ + "/project"});
  });
}

TEST_F(UsualPathsTest, ALinkToARootOrToWhatContainsOneIsPassedOver) {
  WithHome([&] {
    Link("project");
    ExpectOnlyUsual({home_ + "/project"});
  });
  WithHome([&] {
    test::MakeDirectory(home_ + "/project/inner");
    Link("project");
    ExpectOnlyUsual({home_ + "/project/inner"});
  });
}

TEST_F(UsualPathsTest, ALinkThatIsPassedOverForOneRootIsNotForAnother) {
  WithHome([&] {
    Link("project");
    PathPolicy policy;
    policy.usual = {home_ + "/.aws"};
    policy.roots = {home_ + "/project"};
    EXPECT_NE(store_.For(policy).fd, nullptr);
    test::MakeDirectory(top_ + "/other");
    policy.roots = {top_ + "/other"};
    WithReadingOf(&store_, policy, [&] { ExpectUnreadable(home_ + "/project/file"); });
  });
}

TEST_F(UsualPathsTest, ALinkInAnUnreadableDirectoryIsPassedOver) {
  WithHome([&] {
    ASSERT_EQ(symlink("/", (home_ + "/.ssh/all").c_str()), 0);
    PathPolicy policy;
    policy.usual = {home_ + "/.ssh"};
    WithReadingOf(&store_, policy, [&] {
      ExpectUnreadable(home_ + "/.ssh/id");
      ExpectReadable(top_ + "/beside");
    });
  });
}

// A refused root is the caller's to change, who has listed it.
TEST_F(UsualPathsTest, ARootThatIsOneOfThemIsRefused) {
  WithHome([&] {
    PathPolicy policy;
    policy.usual = {home_ + "/.ssh"};
    policy.roots = {home_ + "/.ssh"};
    EXPECT_EQ(store_.For(policy).refusal.path, home_ + "/.ssh");
  });
}

TEST_F(UsualPathsTest, WhatTheCallerListsTooIsTheCallers) {
  WithHome([&] {
    Link("/");
    PathPolicy policy;
    policy.usual = {home_ + "/.aws"};
    policy.unreadable = {home_ + "/.aws"};
    EXPECT_EQ(store_.For(policy).refusal.path, home_ + "/.aws");
  });
}

class SharedDirectoryTest : public UsualPathsTest {
 protected:
  // Of /tmp, where everybody can make what is usual.
  void WithShared(const std::function<void()>& body) {
    WithHome([&] {
      shared_ = top_ + "/tmp";
      test::MakeDirectory(shared_);
      ASSERT_EQ(chmod(shared_.c_str(), 01777), 0);
      policy_.usual = {shared_ + "/krb5cc_*"};
      policy_.roots = {home_ + "/project"};
      body();
    });
  }
  std::string shared_;
  PathPolicy policy_;
};

TEST_F(SharedDirectoryTest, FilesOfTheUserCannotBeRead) {
  WithShared([&] {
    WriteFile(shared_ + "/krb5cc_0", "secret");
    WithReadingOf(&store_, policy_, [&] { ExpectUnreadable(shared_ + "/krb5cc_0"); });
  });
}

TEST_F(SharedDirectoryTest, LinksLeadNowhere) {
  WithShared([&] {
    policy_.roots.clear();
    ASSERT_EQ(symlink(home_.c_str(), (shared_ + "/krb5cc_x").c_str()), 0);
    WithReadingOf(&store_, policy_, [&] { ExpectReadable(home_ + "/project/file"); });
    // The control.
    policy_.unreadable.swap(policy_.usual);
    WithReadingOf(&store_, policy_, [&] { ExpectUnreadable(home_ + "/project/file"); });
  });
}

TEST_F(SharedDirectoryTest, FilesOfOthersChangeNothing) {
  WithShared([&] {
    WriteFile(shared_ + "/krb5cc_1", "text");
    WriteFile(shared_ + "/krb5", "text");
    // In a user namespace there is nobody else.
    if (chown((shared_ + "/krb5cc_1").c_str(), 1234, 1234) != 0) return;
    WithReadingOf(&store_, policy_, [&] {
      ExpectReadable(shared_ + "/krb5cc_1");
      WriteFile(shared_ + "/new", "text");
      ExpectReadable(shared_ + "/new");
    });
  });
}

}  // namespace
}  // namespace bashward::sandbox
