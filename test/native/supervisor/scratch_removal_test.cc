// Removing a scratch directory with everything in it, and nothing else.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "sandbox/system_calls.h"
#include "supervisor/scratch.h"
#include "supervisor/scratch_fixture.h"
#include "supervisor/tree_removal.h"
#include "support/descriptors.h"
#include "support/must_work.h"
#include "support/seccomp.h"

namespace bashward::supervisor {
namespace {

class ScratchRemovalTest : public ScratchTest {
 protected:
  // Expects what `fill` makes in it to be removed with it.
  void ExpectRemoved(const std::function<void()>& fill) {
    WithScratch([&](Scratch& scratch) {
      fill();
      ASSERT_EQ(chdir("/"), 0);
      std::vector<int> others = test::OpenDescriptors();
      others.erase(std::find(others.begin(), others.end(), scratch.fd()));
      EXPECT_TRUE(scratch.Remove());
      EXPECT_FALSE(Exists(path_));
      EXPECT_FALSE(scratch.exists());
      EXPECT_EQ(test::OpenDescriptors(), others);
    });
  }
};

TEST_P(ScratchRemovalTest, IsRemovedWithDirectoriesInDirectories) {
  ExpectRemoved([&] {
    for (const std::string name : {"a", "a/b", "a/b/c", "d", "d/e"})
      ASSERT_EQ(mkdir(Path(name).c_str(), kMode), 0);
    for (const std::string name : {"file", "a/file", "a/b/c/file", "d/e/file"}) Fill(Path(name), 10);
    ASSERT_EQ(mkfifo(Path("a/fifo").c_str(), 0600), 0);
  });
}

TEST_P(ScratchRemovalTest, IsRemovedWithADeepTree) {
  ExpectRemoved([&] {
    MakeDeepTree(path_, 3000);
    Fill("file", 10);
  });
}

TEST_P(ScratchRemovalTest, IsRemovedWithThousandsOfEntries) {
  ExpectRemoved([&] {
    ASSERT_EQ(mkdir(Path("a").c_str(), kMode), 0);
    for (int i = 0; i < 5000; ++i) {
      const int fd =
          open(Path((i % 2 == 0 ? "a/" : "") + std::to_string(i)).c_str(), O_WRONLY | O_CREAT, 0600);
      ASSERT_GE(fd, 0);
      close(fd);
    }
  });
}

TEST_P(ScratchRemovalTest, IsRemovedWithThousandsOfFullDirectories) {
  ExpectRemoved([&] {
    for (int i = 0; i < 2000; ++i) {
      const std::string directory = Path("directory " + std::to_string(i));
      ASSERT_EQ(mkdir(directory.c_str(), kMode), 0);
      ASSERT_EQ(mkfifo((directory + "/fifo").c_str(), 0600), 0);
    }
  });
}

TEST_P(ScratchRemovalTest, IsRemovedWithDirectoriesThatAreClosed) {
  ExpectRemoved([&] {
    for (const mode_t mode : {0000, 0100, 0300, 0400, 0500, 0600}) {
      const std::string directory = Path(std::to_string(mode));
      ASSERT_EQ(mkdir(directory.c_str(), kMode), 0);
      ASSERT_EQ(mkdir((directory + "/inner").c_str(), kMode), 0);
      Fill(directory + "/inner/file", 10);
      Fill(directory + "/file", 10);
      ASSERT_EQ(chmod((directory + "/inner").c_str(), mode), 0);
      ASSERT_EQ(chmod(directory.c_str(), mode), 0);
    }
  });
}

TEST_P(ScratchRemovalTest, LeavesTheTargetsOfLinksAlone) {
  ExpectRemoved([&] {
    ASSERT_EQ(mkdir(Path("a").c_str(), kMode), 0);
    for (const std::string name : {"directory", "a/directory"}) {
      ASSERT_EQ(symlink(outside_.c_str(), Path(name).c_str()), 0);
    }
    ASSERT_EQ(symlink(outside_file_.c_str(), Path("file").c_str()), 0);
    ASSERT_EQ(symlink("../../outside.d", Path("a/relative").c_str()), 0);
    ASSERT_EQ(symlink("..", Path("a/up").c_str()), 0);
    ASSERT_EQ(link(outside_file_.c_str(), Path("a/hard").c_str()), 0);
  });
}

TEST_P(ScratchRemovalTest, LeavesTheTargetOfALinkAloneThatItCannotRemove) {
  WithScratch([&](Scratch& scratch) {
    ASSERT_EQ(symlink(outside_file_.c_str(), Path("link").c_str()), 0);
    ASSERT_EQ(chmod(path_.c_str(), 0500), 0);
    scratch.Remove();
    EXPECT_EQ(ModeOf(outside_file_), 0640U);
    ASSERT_TRUE(!Exists(path_) || chmod(path_.c_str(), kMode) == 0);
  });
}

// Which it gives to what it moves.
TEST_P(ScratchRemovalTest, IsRemovedWithNamesThatItUsesItself) {
  ExpectRemoved([&] {
    for (int i = 0; i < 300; ++i) {
      const std::string directory = Path("." + std::to_string(i));
      ASSERT_EQ(mkdir(directory.c_str(), kMode), 0);
      ASSERT_EQ(mkdir((directory + "/inner").c_str(), kMode), 0);
      Fill(directory + "/inner/file", 1);
    }
  });
}

// False where this process cannot make mounts that it alone sees; prints why.
bool MountsForItself() {
  if (unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0)
    return true;
  test::OnlyRootCanTest("nothing can be mounted");
  return false;
}

TEST_P(ScratchRemovalTest, EntersNothingThatIsMountedInIt) {
  if (GetParam() == test::User::kOrdinary) return;
  constexpr mode_t kClosed = 0500;
  for (const bool has_openat2 : {true, false}) {
    WithScratch([&](Scratch& scratch) {
      if (!MountsForItself()) {
        EXPECT_TRUE(scratch.Remove());
        return;
      }
      // Of the same file system and of another one, which is all that can be told without openat2(2).
      for (const std::string name : {"mounted", "a", "a/mounted"})
        ASSERT_EQ(mkdir(Path(name).c_str(), kMode), 0);
      for (const std::string name : {"mounted", "a/mounted"}) {
        const char* source = has_openat2 ? outside_.c_str() : "none";
        const unsigned long flags = has_openat2 ? MS_BIND : 0;
        ASSERT_EQ(mount(source, Path(name).c_str(), "tmpfs", flags, nullptr), 0) << "errno " << errno;
        if (!has_openat2) Fill(Path(name + "/inside"), 10);
        ASSERT_EQ(chmod(Path(name).c_str(), kClosed), 0);
      }
      if (!has_openat2) test::RefuseSystemCall(sandbox::number::kOpenat2, ENOSYS);
      EXPECT_FALSE(scratch.Remove());
      EXPECT_TRUE(scratch.exists());
      for (const std::string name : {"mounted", "a/mounted"}) {
        EXPECT_TRUE(Exists(Path(name + "/inside"))) << name;
        EXPECT_EQ(ModeOf(Path(name)), kClosed) << name;
        EXPECT_EQ(umount2(Path(name).c_str(), MNT_DETACH), 0);
      }
      EXPECT_TRUE(scratch.Remove());
      EXPECT_FALSE(Exists(path_));
    });
    ASSERT_EQ(chmod(outside_.c_str(), kMode), 0);
  }
}

// A kernel older than 6.6, and a container that refuses newer calls.
TEST_P(ScratchRemovalTest, NeedsNoNewSystemCalls) {
  ExpectRemoved([&] {
    ASSERT_EQ(mkdir(Path("a").c_str(), kMode), 0);
    ASSERT_EQ(mkdir(Path("a/closed").c_str(), kMode), 0);
    Fill(Path("a/closed/file"), 10);
    ASSERT_EQ(chmod(Path("a/closed").c_str(), 0), 0);
    test::RefuseSystemCall(sandbox::number::kOpenat2, EPERM);
    test::RefuseSystemCall(sandbox::number::kFchmodat2, ENOSYS);
  });
}

// FUSE gives a file that is open another name each time it is removed.
TEST_P(ScratchRemovalTest, EndsWhereWhatIsRemovedComesBack) {
  WithScratch([&](Scratch& scratch) {
    Fill(Path("file"), 10);
    test::AnswerSystemCall(SYS_unlinkat, [](const uint64_t*) -> long { return 0; });
    EmptyDirectory(scratch.fd(), 100);
    EXPECT_TRUE(Exists(Path("file")));
  });
}

TEST_P(ScratchRemovalTest, TouchesNothingThatTookItsPlace) {
  WithScratch([&](Scratch& scratch) {
    ASSERT_EQ(rename(path_.c_str(), (path_ + ".moved").c_str()), 0);
    ASSERT_EQ(symlink(outside_.c_str(), path_.c_str()), 0);
    Fill(path_ + ".moved/file", 10);
    EXPECT_FALSE(scratch.Remove());
    EXPECT_FALSE(Exists(path_ + ".moved/file"));
  });
}

INSTANTIATE_TEST_SUITE_P(, ScratchRemovalTest, ::testing::ValuesIn(test::Users()),
                         [](const auto& user) { return test::NameOf(user.param); });

}  // namespace
}  // namespace bashward::supervisor
