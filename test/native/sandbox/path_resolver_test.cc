// Where paths lead.
#include "sandbox/path_resolver.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "support/own_mounts.h"
#include "support/temporary_directory.h"

namespace bashward::sandbox {
namespace {

class PathResolverTest : public ::testing::Test {
 protected:
  PathResolverTest() {
    test::WriteFile(Path("data/file"), "text");
    test::MakeDirectory(Path("empty"));
  }
  // The directory itself may have a link in its path.
  std::string Path(const std::string& name) const { return real_ + "/" + name; }
  void Link(const std::string& target, const std::string& name) {
    ASSERT_EQ(symlink(target.c_str(), Path(name).c_str()), 0);
  }
  std::string Resolved(const std::string& path) {
    ResolvedPath resolved;
    return resolver_.Resolve(path, &resolved) ? resolved.path : "";
  }
  static std::string Real(const std::string& path) {
    char buffer[4096];
    return realpath(path.c_str(), buffer) == nullptr ? "" : buffer;
  }

  const test::TemporaryDirectory directory_;
  const std::string real_ = Real(directory_.path());
  LookupRecord record_;
  PathResolver resolver_{&record_};
};

TEST_F(PathResolverTest, LeavesAPathWithoutLinksAsItIs) {
  EXPECT_EQ(Resolved(Path("data/file")), Path("data/file"));
  EXPECT_EQ(Resolved("/"), "/");
}

TEST_F(PathResolverTest, ReducesDotsAndSlashes) {
  EXPECT_EQ(Resolved(Path("data/./../data//file")), Path("data/file"));
  EXPECT_EQ(Resolved("/../.."), "/");
}

TEST_F(PathResolverTest, FollowsLinksAsTheKernelDoes) {
  Link("data", "relative");
  Link(Path("relative"), "absolute");
  Link("../empty/../data/file", "data/up");
  Link("/", "root");
  for (const char* name : {"relative/file", "absolute/file", "data/up", "absolute/../empty/../data/up"}) {
    EXPECT_EQ(Resolved(Path(name)), Real(Path(name))) << name;
    EXPECT_EQ(Resolved(Path(name)), Path("data/file")) << name;
  }
  EXPECT_EQ(Resolved(Path("root")), "/");
}

TEST_F(PathResolverTest, FindsNothingAtTheEndOfALoopOrOfALinkToNothing) {
  Link("b", "a");
  Link("a", "b");
  Link("nothing/at/all", "dangling");
  for (const char* name : {"a", "dangling", "missing", "missing/file", "data/file/below"}) {
    EXPECT_EQ(Resolved(Path(name)), "") << name;
  }
}

// Else what comes there later would be readable.
TEST_F(PathResolverTest, RemembersWhatWasMissing) {
  Link("nothing/at/all", "dangling");
  Resolved(Path("dangling"));
  EXPECT_TRUE(record_.IsCurrent());
  test::WriteFile(Path("nothing/at/all"), "text");
  EXPECT_FALSE(record_.IsCurrent());
}

TEST_F(PathResolverTest, SaysWhereAMissingPathWouldBeMade) {
  Link("data/new", "dangling");
  ResolvedPath resolved;
  EXPECT_FALSE(resolver_.Resolve(Path("dangling"), &resolved));
  EXPECT_TRUE(resolved.is_missing);
  EXPECT_EQ(resolved.path, Path("data/new"));
  EXPECT_FALSE(resolver_.Resolve(Path("empty/a/b"), &resolved));
  EXPECT_EQ(resolved.path, Path("empty/a"));
  ResolvedPath below_a_file;
  EXPECT_FALSE(resolver_.Resolve(Path("data/file/below"), &below_a_file));
  EXPECT_FALSE(below_a_file.is_missing);
}

TEST_F(PathResolverTest, NamesTheLinksOnTheWay) {
  Link("data", "one");
  Link("one/none", "two");
  ResolvedPath resolved;
  EXPECT_FALSE(resolver_.Resolve(Path("two"), &resolved));
  EXPECT_EQ(resolved.links, (std::vector<std::string>{Path("two"), Path("one")}));
}

TEST_F(PathResolverTest, ExpandsALastComponentAlone) {
  test::WriteFile(Path("data/field"), "text");
  const std::vector<std::string> both = {Path("data/field"), Path("data/file")};
  EXPECT_EQ(resolver_.Expand(Path("data/fi*")), both);
  EXPECT_EQ(resolver_.Expand(Path("empty/*")), std::vector<std::string>());
  EXPECT_EQ(resolver_.Expand(Path("missing/*")), std::vector<std::string>());
  EXPECT_EQ(resolver_.Expand(Path("missing")), std::vector<std::string>{Path("missing")});
}

}  // namespace
}  // namespace bashward::sandbox
