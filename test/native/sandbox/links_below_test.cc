#include "sandbox/links_below.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/own_mounts.h"
#include "support/temporary_directory.h"

namespace bashward::sandbox {
namespace {

class LinksBelowTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return directory_.path() + "/" + name; }

  std::vector<std::string> Find(const std::string& name) {
    std::vector<std::string> links;
    EXPECT_EQ(below_.Find(Path(name), mounts_, &lookups_, &links), nullptr);
    std::sort(links.begin(), links.end());
    return links;
  }

  test::TemporaryDirectory directory_;
  MountList mounts_;
  LookupRecord lookups_;
  LinksBelow below_;
};

TEST_F(LinksBelowTest, FindsThoseInAllDirectories) {
  test::WriteFile(Path("keys/a/b/file"), "text");
  ASSERT_EQ(symlink("a", Path("keys/first").c_str()), 0);
  ASSERT_EQ(symlink("../..", Path("keys/a/b/second").c_str()), 0);
  EXPECT_EQ(Find("keys"), (std::vector<std::string>{Path("keys/a/b/second"), Path("keys/first")}));
}

TEST_F(LinksBelowTest, FindsNoneWhereThereIsNoDirectory) {
  test::WriteFile(Path("file"), "text");
  EXPECT_EQ(Find("file"), std::vector<std::string>());
  EXPECT_EQ(Find("missing"), std::vector<std::string>());
}

TEST_F(LinksBelowTest, CoversWhatIsBelowADirectoryThatWasWalked) {
  test::WriteFile(Path("keys/a/file"), "text");
  Find("keys");
  EXPECT_TRUE(below_.Cover(Path("keys")));
  EXPECT_TRUE(below_.Cover(Path("keys/a/file")));
  EXPECT_FALSE(below_.Cover(Path("keyring")));
  EXPECT_FALSE(below_.Cover("/"));
}

TEST_F(LinksBelowTest, IsNoLongerCurrentWithALinkMore) {
  test::WriteFile(Path("keys/a/file"), "text");
  Find("keys");
  EXPECT_TRUE(lookups_.IsCurrent());
  test::WriteFile(Path("keys/a/other"), "text");
  EXPECT_TRUE(lookups_.IsCurrent());
  ASSERT_EQ(symlink("file", Path("keys/a/link").c_str()), 0);
  EXPECT_FALSE(lookups_.IsCurrent());
}

}  // namespace
}  // namespace bashward::sandbox
