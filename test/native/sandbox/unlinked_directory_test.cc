// Paths of directories that need no looking up, and whose those are.
#include "sandbox/unlinked_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace bashward::sandbox {
namespace {

class UnlinkedDirectory : public testing::Test {
 protected:
  UnlinkedDirectory() {
    std::string pattern = std::filesystem::canonical(testing::TempDir()) / "unlinked-XXXXXX";
    top_ = mkdtemp(pattern.data());
    std::filesystem::create_directories(top_ + "/a/b");
    std::filesystem::create_symlink("a", top_ + "/link");
  }
  ~UnlinkedDirectory() override { std::filesystem::remove_all(top_); }

  std::string top_;
};

TEST_F(UnlinkedDirectory, HasAnOwner) {
  EXPECT_EQ(OwnerOfUnlinked(top_ + "/a/b"), geteuid());
  EXPECT_TRUE(OwnerOfUnlinked("/"));
}

TEST_F(UnlinkedDirectory, IsNoneBehindASymbolicLink) {
  EXPECT_FALSE(OwnerOfUnlinked(top_ + "/link/b"));
  EXPECT_FALSE(OwnerOfUnlinked(top_ + "/link"));
}

TEST_F(UnlinkedDirectory, IsNoneThatIsMissingOrAFile) {
  EXPECT_FALSE(OwnerOfUnlinked(top_ + "/missing"));
  EXPECT_FALSE(OwnerOfUnlinked("/proc/self/stat"));
}

TEST_F(UnlinkedDirectory, IsNoneByAnotherSpelling) {
  for (const std::string end : {"/", "/.", "/..", "/a/", "/a/./b", "/a/../a", "//a"}) {
    EXPECT_FALSE(OwnerOfUnlinked(top_ + end)) << end;
  }
  EXPECT_FALSE(OwnerOfUnlinked(""));
  EXPECT_FALSE(OwnerOfUnlinked("."));
  EXPECT_FALSE(OwnerOfUnlinked("//"));
}

TEST_F(UnlinkedDirectory, MayHaveDotsInItsName) {
  std::filesystem::create_directories(top_ + "/.a/..b/...");
  EXPECT_TRUE(OwnerOfUnlinked(top_ + "/.a/..b/..."));
}

}  // namespace
}  // namespace bashward::sandbox
