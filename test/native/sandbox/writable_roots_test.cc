// Directories that can be written to, opened by their paths.
#include "sandbox/writable_roots.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "support/own_mounts.h"
#include "support/temporary_directory.h"

namespace bashward::sandbox {
namespace {

class WritableRootsTest : public ::testing::Test {
 protected:
  WritableRootsTest() { test::MakeDirectory(Path("a")); }
  std::string Path(const std::string& name) const { return directory_.File(name); }
  void ExpectError(int error, const std::string& path) {
    WritableRoots roots;
    errno = 0;
    EXPECT_FALSE(roots.Open(path.c_str(), 1)) << path;
    EXPECT_EQ(errno, error) << path;
  }
  const test::TemporaryDirectory directory_;
};

TEST_F(WritableRootsTest, KnowsEachByPathAndInode) {
  test::MakeDirectory(Path("b"));
  const std::string paths = Path("a") + '\0' + Path("b") + '\0';
  WritableRoots roots;
  ASSERT_TRUE(roots.Open(paths.c_str(), 2)) << "errno " << errno;
  ASSERT_EQ(roots.size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    const std::string path = Path(i == 0 ? "a" : "b");
    struct stat status{};
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(std::string_view(roots[i].path, roots[i].length), path);
    EXPECT_EQ(roots[i].device, status.st_dev);
    EXPECT_EQ(roots[i].inode, status.st_ino);
    EXPECT_NE(roots[i].mount_id, 0U);
  }
}

TEST_F(WritableRootsTest, IsTheDirectoryThatItWasWhateverGetsItsName) {
  WritableRoots roots;
  ASSERT_TRUE(roots.Open(Path("a").c_str(), 1));
  ASSERT_EQ(rename(Path("a").c_str(), Path("b").c_str()), 0);
  test::MakeDirectory(Path("a"));
  struct stat held{};
  struct stat renamed{};
  ASSERT_EQ(fstat(roots[0].fd.get(), &held), 0);
  ASSERT_EQ(stat(Path("b").c_str(), &renamed), 0);
  EXPECT_EQ(held.st_ino, renamed.st_ino);
}

TEST_F(WritableRootsTest, FollowsNoLink) {
  test::MakeDirectory(Path("a/inner"));
  ASSERT_EQ(symlink("a", Path("link").c_str()), 0);
  ExpectError(ELOOP, Path("link/inner"));
  ExpectError(ELOOP, "/proc/self/cwd");
}

TEST_F(WritableRootsTest, OpensDirectoriesOnly) {
  test::WriteFile(Path("file"), "text");
  ExpectError(ENOTDIR, Path("file"));
  ExpectError(ENOENT, Path("missing"));
  ExpectError(EINVAL, "relative");
  ExpectError(EINVAL, "");
}

TEST_F(WritableRootsTest, OpensNoMoreThanFitInARequest) {
  WritableRoots roots;
  EXPECT_FALSE(roots.Open("/", protocol::kMaxRoots + 1));
  EXPECT_EQ(errno, E2BIG);
  EXPECT_TRUE(roots.Open(nullptr, 0));
  EXPECT_EQ(roots.size(), 0U);
}

TEST_F(WritableRootsTest, KnowsWhetherDevicesInItCanBeOpened) {
  test::WithOwnMounts([](const std::string& top) {
    const std::string closed = top + "/closed";
    test::MakeDirectory(closed);
    ASSERT_EQ(mount("test", closed.c_str(), "tmpfs", MS_NODEV, nullptr), 0);
    WritableRoots roots;
    ASSERT_TRUE(roots.Open((closed + '\0').c_str(), 1));
    EXPECT_FALSE(roots[0].opens_devices);
    if (getuid() != 0) return;  // in a user namespace every mount is such a one
    ASSERT_TRUE(roots.Open((top + '\0').c_str(), 1));
    EXPECT_TRUE(roots[0].opens_devices);
  });
}

}  // namespace
}  // namespace bashward::sandbox
