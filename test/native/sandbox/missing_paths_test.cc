// Unreadable paths that come to be while a command runs.
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sandbox/unreadable_fixture.h"
#include "support/wait.h"

namespace bashward::sandbox {
namespace {

using test::Bind;
using test::MakeDirectory;
using test::WriteFile;

class MissingPathsTest : public UnreadableTest {
 protected:
  // A home with nothing unreadable in it yet.
  void WithFreshHome(const std::function<void()>& body) {
    WithHome([&] {
      fresh_ = top_ + "/fresh";
      WriteFile(fresh_ + "/inner/file", "text");
      MakeDirectory(top_ + "/workspace");
      body();
    });
  }
  void Without(std::vector<std::string> unreadable, const std::function<void()>& body) {
    policy_.unreadable = std::move(unreadable);
    if (policy_.roots.empty()) policy_.roots = {top_ + "/workspace"};
    WithReadingOf(&store_, policy_, body);
  }

  std::string fresh_;
  PathPolicy policy_;
  RulesetStore store_;
};

// The control of all that follow.
TEST_F(MissingPathsTest, WhatIsNotListedCanBeReadWhenItComes) {
  WithFreshHome([&] {
    Without({}, [&] {
      WriteFile(fresh_ + "/.npmrc", "secret");
      ExpectReadable(fresh_ + "/.npmrc");
    });
  });
}

TEST_F(MissingPathsTest, AListedPathCannotBeReadWhenItComes) {
  WithFreshHome([&] {
    Without({fresh_ + "/.npmrc"}, [&] {
      WriteFile(fresh_ + "/.npmrc", "secret");
      ExpectUnreadable(fresh_ + "/.npmrc");
      WriteFile(fresh_ + "/inner/new", "text");
      ExpectReadable(fresh_ + "/inner/new");
      ExpectReadable(fresh_ + "/inner/file");
    });
  });
}

TEST_F(MissingPathsTest, NorWhenItComesWithItsDirectory) {
  WithFreshHome([&] {
    Without({fresh_ + "/.config/gh/hosts"}, [&] {
      WriteFile(fresh_ + "/.config/gh/hosts", "secret");
      ExpectUnreadable(fresh_ + "/.config/gh/hosts");
    });
  });
}

TEST_F(MissingPathsTest, NorByWayOfAnotherMountOfItsDirectory) {
  WithFreshHome([&] {
    Bind(fresh_, top_ + "/views/one");
    Without({fresh_ + "/.npmrc"}, [&] {
      WriteFile(fresh_ + "/.npmrc", "secret");
      ExpectUnreadable(top_ + "/views/one/.npmrc");
      ExpectReadable(top_ + "/views/one/inner/file");
    });
  });
}

TEST_F(MissingPathsTest, NorWhereALinkOfThatNameLeads) {
  WithFreshHome([&] {
    MakeDirectory(top_ + "/data");
    ASSERT_EQ(symlink("../data/aws", (fresh_ + "/.aws").c_str()), 0);
    Without({fresh_ + "/.aws"}, [&] {
      WriteFile(top_ + "/data/aws", "secret");
      ExpectUnreadable(top_ + "/data/aws");
    });
  });
}

TEST_F(MissingPathsTest, NorWhereALinkInAListedDirectoryLeads) {
  WithFreshHome([&] {
    MakeDirectory(top_ + "/data");
    MakeDirectory(fresh_ + "/.aws/deep");
    ASSERT_EQ(symlink("../../../data/key", (fresh_ + "/.aws/deep/key").c_str()), 0);
    Without({fresh_ + "/.aws"}, [&] {
      WriteFile(top_ + "/data/key", "secret");
      ExpectUnreadable(top_ + "/data/key");
    });
  });
}

TEST_F(MissingPathsTest, NorWhereAChainOfSuchLinksLeads) {
  WithFreshHome([&] {
    MakeDirectory(top_ + "/data");
    MakeDirectory(fresh_ + "/.aws");
    ASSERT_EQ(symlink("../../data", (fresh_ + "/.aws/data").c_str()), 0);
    ASSERT_EQ(symlink("../other/new/key", (top_ + "/data/key").c_str()), 0);
    MakeDirectory(top_ + "/other");
    Without({fresh_ + "/.aws"}, [&] {
      WriteFile(top_ + "/other/new/key", "secret");
      ExpectUnreadable(top_ + "/other/new/key");
    });
  });
}

TEST_F(MissingPathsTest, NorWhereALinkInAUsualDirectoryLeads) {
  WithFreshHome([&] {
    MakeDirectory(top_ + "/data");
    MakeDirectory(fresh_ + "/.aws");
    ASSERT_EQ(symlink("../../data/key", (fresh_ + "/.aws/key").c_str()), 0);
    policy_.usual = {fresh_ + "/.aws"};
    Without({}, [&] {
      WriteFile(top_ + "/data/key", "secret");
      ExpectUnreadable(top_ + "/data/key");
    });
  });
}

TEST_F(MissingPathsTest, ACommandCanReadWhatItMakesInARootToWhichSuchALinkLeads) {
  WithFreshHome([&] {
    MakeDirectory(fresh_ + "/.aws");
    ASSERT_EQ(symlink("../../workspace/key", (fresh_ + "/.aws/key").c_str()), 0);
    Without({fresh_ + "/.aws"}, [&] {
      WriteFile(top_ + "/workspace/key", "text");
      ExpectReadable(top_ + "/workspace/key");
    });
  });
}

TEST_F(MissingPathsTest, ARulesetIsKeptWhileItIsMissing) {
  WithFreshHome([&] {
    policy_.unreadable = {fresh_ + "/.npmrc"};
    ASSERT_TRUE(test::WaitUntil([&] { return store_.For(policy_).fd == store_.For(policy_).fd; }));
    EXPECT_EQ(store_.size(), 1U);
  });
}

// Else a pattern for /tmp would cost each command rules of its own for everything in there.
TEST_F(MissingPathsTest, APatternStandsForWhatIsThereAtTheStart) {
  WithFreshHome([&] {
    Without({fresh_ + "/krb5cc_*"}, [&] {
      WriteFile(fresh_ + "/krb5cc_0", "secret");
      ExpectReadable(fresh_ + "/krb5cc_0");
    });
    WriteFile(fresh_ + "/krb5cc_0", "secret");
    Without({fresh_ + "/krb5cc_*"}, [&] {
      WriteFile(fresh_ + "/krb5cc_1", "secret");
      ExpectUnreadable(fresh_ + "/krb5cc_1");
    });
  });
}

TEST_F(MissingPathsTest, ACommandCanReadWhatItMakesInARootInWhichOneIsMissing) {
  WithFreshHome([&] {
    policy_.roots = {fresh_};
    Without({fresh_ + "/.npmrc"}, [&] {
      WriteFile(fresh_ + "/new", "text");
      ExpectReadable(fresh_ + "/new");
    });
  });
}

TEST_F(MissingPathsTest, ThatHoldsForCommandsWithThatRootAlone) {
  WithFreshHome([&] {
    policy_.unreadable = {fresh_ + "/.npmrc"};
    policy_.roots = {fresh_};
    ASSERT_TRUE(test::WaitUntil([&] { return store_.For(policy_).fd == store_.For(policy_).fd; }));
    policy_.roots = {top_ + "/workspace"};
    Without({fresh_ + "/.npmrc"}, [&] {
      WriteFile(fresh_ + "/.npmrc", "secret");
      ExpectUnreadable(fresh_ + "/.npmrc");
    });
  });
}

}  // namespace
}  // namespace bashward::sandbox
