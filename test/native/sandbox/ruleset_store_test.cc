// Rulesets that are kept, and the changes that end that.
#include "sandbox/ruleset_store.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>

#include "support/descriptors.h"
#include "support/forked.h"
#include "support/must_work.h"
#include "support/own_mounts.h"
#include "support/seccomp.h"
#include "support/wait.h"

namespace bashward::sandbox {
namespace {

using test::WriteFile;

class RulesetStoreTest : public ::testing::Test {
 protected:
  void WithHome(const std::function<void()>& body) {
    if (LandlockAbi() < 2) return test::CannotTest("the kernel's Landlock is older than version 2");
    test::WithOwnMounts([&](const std::string& directory) {
      top_ = directory;
      home_ = directory + "/home";
      WriteFile(home_ + "/.ssh/id", "secret");
      WriteFile(home_ + "/project/file", "text");
      policy_.unreadable = {home_ + "/.ssh", home_ + "/.aws", top_ + "/tmp/krb5cc_*"};
      test::MakeDirectory(top_ + "/tmp");
      body();
    });
  }
  // Until the directories have been left alone for long enough.
  void Keep() {
    ASSERT_TRUE(test::WaitUntil([&] {
      kept_ = store_.For(policy_).fd;
      return store_.For(policy_).fd == kept_;
    }));
    ASSERT_NE(kept_, nullptr);
  }
  bool IsKept() { return store_.For(policy_).fd == kept_; }

  std::string top_;
  std::string home_;
  PathPolicy policy_;
  RulesetStore store_;
  std::shared_ptr<const sys::UniqueFd> kept_;
};

TEST_F(RulesetStoreTest, KeepsARulesetWhileNothingChanges) {
  WithHome([&] {
    Keep();
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(IsKept());
    EXPECT_EQ(store_.size(), 1U);
  });
}

TEST_F(RulesetStoreTest, KeepsNothingThatHasNotSettled) {
  WithHome([&] {
    WriteFile(home_ + "/new", "text");
    EXPECT_NE(store_.For(policy_).fd, nullptr);
    EXPECT_EQ(store_.size(), 0U);
  });
}

TEST_F(RulesetStoreTest, MakesAnotherForANewEntryBesideAnUnreadablePath) {
  WithHome([&] {
    Keep();
    WriteFile(home_ + "/new", "text");
    EXPECT_FALSE(IsKept());
  });
}

TEST_F(RulesetStoreTest, MakesAnotherWhenAMissingPathAppears) {
  WithHome([&] {
    Keep();
    WriteFile(home_ + "/.aws/credentials", "secret");
    EXPECT_FALSE(IsKept());
  });
}

TEST_F(RulesetStoreTest, MakesAnotherForANewMount) {
  WithHome([&] {
    Keep();
    test::Bind(home_, top_ + "/tmp");
    EXPECT_FALSE(IsKept());
    Keep();
    ASSERT_EQ(umount2((top_ + "/tmp").c_str(), MNT_DETACH), 0);
    EXPECT_FALSE(IsKept());
  });
}

TEST_F(RulesetStoreTest, MakesAnotherWhenADirectoryIsReplaced) {
  WithHome([&] {
    Keep();
    std::filesystem::rename(home_, top_ + "/old");
    std::filesystem::copy(top_ + "/old", home_, std::filesystem::copy_options::recursive);
    EXPECT_FALSE(IsKept());
  });
}

TEST_F(RulesetStoreTest, MakesAnotherWhenALinkInAnUnreadableDirectoryIsMade) {
  WithHome([&] {
    Keep();
    ASSERT_EQ(symlink("../project/file", (home_ + "/.ssh/config").c_str()), 0);
    EXPECT_FALSE(IsKept());
  });
}

TEST_F(RulesetStoreTest, MakesAnotherWhenAPatternStandsForMore) {
  WithHome([&] {
    Keep();
    WriteFile(top_ + "/tmp/krb5cc_0", "secret");
    EXPECT_FALSE(IsKept());
  });
}

// Scratch directories are made where patterns are looked for.
TEST_F(RulesetStoreTest, KeepsOneWhenAPatternStandsForTheSame) {
  WithHome([&] {
    Keep();
    WriteFile(top_ + "/tmp/other", "text");
    EXPECT_TRUE(IsKept());
  });
}

TEST_F(RulesetStoreTest, KeepsOneWhenOnlyContentChanges) {
  WithHome([&] {
    Keep();
    WriteFile(home_ + "/project/new", "text");
    WriteFile(home_ + "/.ssh/id", "other");
    EXPECT_TRUE(IsKept());
  });
}

TEST_F(RulesetStoreTest, GivesCommandsThatWriteAnotherOne) {
  WithHome([&] {
    Keep();
    policy_.roots = {home_ + "/project"};
    EXPECT_FALSE(IsKept());
    EXPECT_NE(store_.For(policy_).fd, nullptr);
  });
}

TEST_F(RulesetStoreTest, SharesOneAmongCommandsWithOtherRoots) {
  WithHome([&] {
    test::MakeDirectory(top_ + "/other");
    policy_.roots = {home_ + "/project"};
    Keep();
    policy_.roots = {top_ + "/other"};
    policy_.scratch = top_ + "/other/scratch";
    EXPECT_TRUE(IsKept());
    EXPECT_FALSE(store_.For(policy_).own);
  });
}

TEST_F(RulesetStoreTest, GivesACommandItsOwnWhereItsScratchDirectoryWouldHaveNoRule) {
  WithHome([&] {
    Keep();
    policy_.scratch = home_ + "/scratch";  // beside .ssh
    const CommandRuleset first = store_.For(policy_);
    const CommandRuleset second = store_.For(policy_);
    ASSERT_NE(first.fd, nullptr);
    EXPECT_TRUE(first.own && second.own);
    EXPECT_NE(first.fd, second.fd);
    policy_.scratch = "/dev/shm/scratch";
    EXPECT_TRUE(store_.For(policy_).own);
  });
}

TEST_F(RulesetStoreTest, KeepsEightAtMost) {
  WithHome([&] {
    Keep();
    const PathPolicy first = policy_;
    for (int i = 0; i < 20; ++i) {
      policy_.unreadable.push_back(home_ + "/missing" + std::to_string(i));
      store_.For(policy_);
    }
    EXPECT_EQ(store_.size(), 8U);
    EXPECT_NE(store_.For(first).fd, kept_);
  });
}

TEST_F(RulesetStoreTest, LeavesNoDescriptorBehind) {
  WithHome([&] {
    const auto before = test::OpenDescriptors();
    {
      RulesetStore store;
      store.For(policy_);
      ASSERT_TRUE(test::WaitUntil([&] { return store.For(policy_).fd != nullptr && store.size() == 1; }));
      WriteFile(home_ + "/new", "text");
      store.For(policy_);
      store.Clear();
      EXPECT_EQ(store.size(), 0U);
    }
    EXPECT_EQ(test::OpenDescriptors(), before);
  });
}

TEST_F(RulesetStoreTest, RefusesARootWithAnUnreadablePathInItAtItOrAboveIt) {
  WithHome([&] {
    test::MakeDirectory(home_ + "/.ssh/inner");
    for (const std::string& root : {home_, home_ + "/.ssh", home_ + "/.ssh/inner"}) {
      policy_.roots = {home_ + "/project", root};
      const CommandRuleset refused = store_.For(policy_);
      EXPECT_EQ(refused.fd, nullptr) << root;
      EXPECT_EQ(refused.refusal.path, root);
      EXPECT_NE(refused.refusal.reason.find("unreadable path"), std::string::npos);
    }
  });
}

TEST_F(RulesetStoreTest, AllowsARootInWhichAnUnreadablePathIsMissing) {
  WithHome([&] {
    policy_.unreadable = {home_ + "/project/.npmrc"};
    policy_.roots = {home_ + "/project"};
    EXPECT_NE(store_.For(policy_).fd, nullptr);
    WriteFile(home_ + "/project/.npmrc", "secret");
    EXPECT_EQ(store_.For(policy_).fd, nullptr);
  });
}

TEST_F(RulesetStoreTest, RefusesARootWithAFileSystemOfTheKernelInIt) {
  WithHome([&] {
    test::Bind("/proc", home_ + "/project/proc");
    policy_.roots = {home_ + "/project"};
    const Refusal refusal = store_.For(policy_).refusal;
    EXPECT_EQ(refusal.path, home_ + "/project");
    EXPECT_NE(refusal.reason.find("proc"), std::string::npos);
    EXPECT_NE(refusal.reason.find(home_ + "/project/proc"), std::string::npos);
  });
}

TEST_F(RulesetStoreTest, RefusesARootUnderAnotherNameOfItsUnreadablePath) {
  WithHome([&] {
    test::Bind(home_ + "/.ssh", top_ + "/view");
    policy_.roots = {top_ + "/view"};
    EXPECT_EQ(store_.For(policy_).refusal.path, top_ + "/view");
  });
}

TEST_F(RulesetStoreTest, RefusesALinkThatLeadsToARootOrToEverything) {
  WithHome([&] {
    ASSERT_EQ(symlink("../project", (home_ + "/.ssh/link").c_str()), 0);
    policy_.roots = {home_ + "/project"};
    EXPECT_EQ(store_.For(policy_).refusal.path, home_ + "/project");
    ASSERT_EQ(symlink("/", (home_ + "/.ssh/all").c_str()), 0);
    EXPECT_EQ(store_.For(policy_).refusal.path, home_ + "/.ssh/all");
  });
}

TEST_F(RulesetStoreTest, RefusesToLeaveOutFilesOfProcesses) {
  WithHome([&] {
    policy_.unreadable = {"/proc/1/environ"};
    const Refusal refusal = store_.For(policy_).refusal;
    EXPECT_EQ(refusal.path, "/proc/1/environ");
    EXPECT_NE(refusal.reason.find("/proc"), std::string::npos);
  });
}

TEST_F(RulesetStoreTest, RefusesAnUnreadablePathInSharedMemory) {
  WithHome([&] {
    test::MountNew("tmpfs", "/dev/shm");
    WriteFile("/dev/shm/secret", "secret");
    policy_.unreadable = {"/dev/shm/secret"};
    EXPECT_NE(store_.For(policy_).fd, nullptr);
    policy_.shared_memory = true;
    EXPECT_EQ(store_.For(policy_).refusal.path, "/dev/shm");
  });
}

// A path that cannot be looked at now is not one that is missing.
TEST_F(RulesetStoreTest, FailsWhereItCannotBeToldWhatIsThere) {
  for (const int error : {EIO, ENOMEM}) {
    WithHome([&] {
      test::RefuseSystemCall(SYS_newfstatat, error);
      const CommandRuleset refused = store_.For(policy_);
      EXPECT_EQ(refused.fd, nullptr);
      EXPECT_EQ(refused.refusal.error, error);
    });
  }
}

TEST_F(RulesetStoreTest, SaysThatDescriptorsRunOut) {
  WithHome([&] {
    const test::DescriptorLimit limit;
    for (const rlim_t free : {0, 1, 2}) {
      limit.Leave(free);
      RulesetStore store;
      const CommandRuleset refused = store.For(policy_);
      EXPECT_EQ(refused.fd, nullptr) << free;
      EXPECT_EQ(refused.refusal.error, EMFILE) << free;
    }
  });
}

}  // namespace
}  // namespace bashward::sandbox
