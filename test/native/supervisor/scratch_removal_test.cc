// Removing a scratch directory with everything in it, and with nothing that is not.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "supervisor/scratch.h"
#include "supervisor/scratch_fixture.h"
#include "support/descriptors.h"
#include "support/must_work.h"

namespace bashward::supervisor {
namespace {

class ScratchRemovalTest : public ScratchTest {
 protected:
  // Expects what `fill` makes in it to be removed with it.
  void ExpectRemoved(const std::function<void()>& fill) {
    WithScratch([&](Scratch& scratch) {
      fill();
      ASSERT_EQ(chdir("/"), 0);
      const std::vector<int> before = test::OpenDescriptors();
      scratch.Remove();
      EXPECT_FALSE(Exists(path_));
      EXPECT_FALSE(scratch.exists());
      EXPECT_EQ(test::OpenDescriptors(), before);
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

TEST_P(ScratchRemovalTest, DoesNotTryForEverToRemoveAMountPoint) {
  if (GetParam() == test::User::kOrdinary) return;
  if (geteuid() != 0) return test::CannotTest("only root may mount");
  WithScratch([&](Scratch& scratch) {
    ASSERT_EQ(mkdir(Path("a").c_str(), kMode), 0);
    ASSERT_EQ(mkdir(Path("a/mounted").c_str(), kMode), 0);
    const bool mounted = unshare(CLONE_NEWNS) == 0 &&
                         mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         mount("none", Path("a/mounted").c_str(), "tmpfs", 0, nullptr) == 0;
    if (!mounted) return test::CannotTest("no file system can be mounted");
    Fill(Path("a/mounted/file"), 10);
    scratch.Remove();
    EXPECT_TRUE(Exists(Path("a/mounted")));
    EXPECT_TRUE(scratch.exists());
  });
}

INSTANTIATE_TEST_SUITE_P(, ScratchRemovalTest, ::testing::ValuesIn(test::Users()),
                         [](const auto& user) { return test::NameOf(user.param); });

}  // namespace
}  // namespace bashward::supervisor
