// Repositories among the watched paths.
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "supervisor/watched_paths_fixture.h"

namespace bashward::supervisor {
namespace {

TEST_F(WatchedPathsTest, IgnoresExamplesOfHooks) {
  MakeRepository(".git");
  Record({".git/hooks"});
  Write(".git/hooks/pre-commit.sample", "another");
  Write(".git/hooks/other.sample", "");
  EXPECT_EQ(Changes(), Paths());
}

TEST_F(WatchedPathsTest, ReportsAnExampleThatBecomesAHook) {
  MakeRepository(".git");
  Record({".git/hooks"});
  Move(".git/hooks/pre-commit.sample", ".git/hooks/pre-commit");
  EXPECT_EQ(Changes(), Paths({".git/hooks/pre-commit"}));
}

TEST_F(WatchedPathsTest, ReportsOfANewRepositoryNothingElse) {
  Record({".git/hooks", ".git/config"});
  MakeRepository(".git");
  MakeRepository("nested/.git");
  EXPECT_EQ(Changes(), Paths({".git", "nested/.git"}));
}

TEST_F(WatchedPathsTest, DoesNotReportWorkInARepository) {
  MakeRepository(".git");
  Record({".git/hooks", ".git/config"});
  Write(".git/HEAD", "ref: refs/heads/main\n");
  Write(".git/objects/00/1", "");
  EXPECT_EQ(Changes(), Paths());
}

TEST_F(WatchedPathsTest, ReportsARepositoryThatIsReplacedByAFile) {
  MakeRepository(".git");
  Record({".git/hooks", ".git/config"});
  Move(".git", "moved");
  Write(".git", "gitdir: moved\n");
  EXPECT_EQ(Changes(), Paths({".git"}));
}

TEST_F(WatchedPathsTest, ReportsARepositoryThatIsReplacedByALink) {
  MakeRepository(".git");
  Record({".git/hooks", ".git/config"});
  Move(".git", "moved");
  Link("moved", ".git");
  EXPECT_EQ(Changes(), Paths({".git"}));
}

TEST_F(WatchedPathsTest, ReportsAHookInARepositoryThatWasMovedAndCopied) {
  MakeRepository(".git");
  Record({".git/hooks", ".git/config"});
  Move(".git", "moved");
  std::filesystem::copy(In("moved"), In(".git"), std::filesystem::copy_options::recursive);
  Write(".git/hooks/post-checkout", "#!/bin/sh\n");
  EXPECT_EQ(Changes(), Paths({".git/hooks/post-checkout"}));
}

TEST_F(WatchedPathsTest, ReportsAnotherTargetOfAFileOfGit) {
  Write(".git", "gitdir: one\n");
  Record({".git/hooks"});
  Write(".git", "gitdir: two\n");
  EXPECT_EQ(Changes(), Paths({".git"}));
}

TEST_F(WatchedPathsTest, WatchesNestedRepositories) {
  MakeRepository("one/.git");
  MakeRepository("one/two/.git");
  Write("one/worktree/.git", "gitdir: old\n");
  Record({".git/hooks"});
  Write("one/.git/hooks/pre-commit", "");
  Write("one/two/.git/config", "[alias]\n");
  Write("one/worktree/.git", "gitdir: new\n");
  Write("one/new/.git", "gitdir: new\n");
  EXPECT_EQ(Changes(),
            Paths({"one/.git/hooks/pre-commit", "one/new/.git", "one/two/.git/config", "one/worktree/.git"}));
}

TEST_F(WatchedPathsTest, ReportsANestedRepositoryThatIsGone) {
  MakeRepository("one/.git");
  MakeRepository("two/.git");
  Record({".git/hooks"});
  Remove("one");
  Remove("two/.git");
  EXPECT_EQ(Changes(), Paths({"one/.git", "two/.git"}));
}

TEST_F(WatchedPathsTest, SearchesNeitherDeepNorInDirectoriesOfTools) {
  MakeDirectory("one/two");
  MakeDirectory("node_modules");
  MakeDirectory(".cache");
  Record({".git/hooks"});
  MakeRepository("one/two/three/.git");
  MakeRepository("node_modules/package/.git");
  MakeRepository(".cache/clone/.git");
  EXPECT_EQ(Changes(), Paths());
}

TEST_F(WatchedPathsTest, SearchesNoRepositoriesWhenNothingOfGitIsWatched) {
  Record({"AGENTS.md"});
  MakeRepository(".git");
  MakeRepository("nested/.git");
  EXPECT_EQ(Changes(), Paths());
}

TEST_F(WatchedPathsTest, SearchesNoLinkedDirectory) {
  MakeRepository("node_modules/package/.git");
  Link("node_modules/package", "link");
  Record({".git/hooks"});
  Write("node_modules/package/.git/config", "another");
  EXPECT_EQ(Changes(), Paths());
}

TEST_F(WatchedPathsTest, CountsDirectoriesThatItDoesNotSearch) {
  for (int i = 0; i < 300; ++i) MakeDirectory(std::to_string(i));
  Record({".git/hooks"});
  EXPECT_EQ(unwatched(), 300 - RepositorySearch::kMaxDirectories);
  EXPECT_EQ(Changes(), Paths());
}

TEST_F(WatchedPathsTest, WatchesARootThatIsAGitDirectory) {
  MakeGitDirectory("main.git");
  Write("main.git/modules/a/config", "old");
  Record({".git/hooks", ".git/config", ".git/info/attributes", ".git/modules/*/config",
          ".git/worktrees/*/config.worktree"},
         {"main.git"});
  Write("main.git/hooks/post-commit", "");
  Write("main.git/config", "[alias]\n");
  Write("main.git/info/attributes", "");
  Write("main.git/modules/a/config", "new");
  Write("main.git/worktrees/a/config.worktree", "");
  Write("main.git/HEAD", "ref: refs/heads/other\n");
  EXPECT_EQ(Changes(), Paths({"main.git/config", "main.git/hooks/post-commit", "main.git/info/attributes",
                              "main.git/modules/a/config", "main.git/worktrees/a/config.worktree"}));
}

TEST_F(WatchedPathsTest, WatchesGitDirectoriesInARoot) {
  for (const char* path : {"bare", "repositories/one.git", ".bare"}) MakeGitDirectory(path);
  Record({".git/hooks", ".git/config"});
  for (const char* path : {"bare", "repositories/one.git", ".bare"}) {
    Write(std::string(path) + "/hooks/update", "");
    Write(std::string(path) + "/config", "[alias]\n");
  }
  EXPECT_EQ(Changes(), Paths({".bare/config", ".bare/hooks/update", "bare/config", "bare/hooks/update",
                              "repositories/one.git/config", "repositories/one.git/hooks/update"}));
}

TEST_F(WatchedPathsTest, ReportsADirectoryThatBecomesAGitDirectory) {
  Write("one/hooks/update", "");
  MakeDirectory("one/objects");
  MakeDirectory("one/refs");
  Write("linked/config", "");
  Record({".git/hooks", ".git/config"});
  Write("one/HEAD", "ref: refs/heads/main\n");
  Write("linked/HEAD", "ref: refs/heads/main\n");
  Write("linked/commondir", "../elsewhere\n");
  MakeGitDirectory("new/bare.git");
  EXPECT_EQ(Changes(), Paths({"linked/HEAD", "new/bare.git/HEAD", "one/HEAD"}));
}

TEST_F(WatchedPathsTest, ReportsTheHooksOfAGitDirectoryThatIsNoneAnyMore) {
  MakeGitDirectory("bare");
  Record({".git/hooks"});
  Remove("bare/HEAD");
  Write("bare/hooks/update", "");
  EXPECT_EQ(Changes(), Paths({"bare/hooks/update"}));
}

TEST_F(WatchedPathsTest, TakesNoOtherDirectoryForAGitDirectory) {
  Write("HEAD", "");
  MakeDirectory("objects");
  Write("sub/refs/x", "");
  Write("sub/objects/x", "");
  Record({".git/hooks", ".git/config"});
  Write("config", "");
  Write("hooks/use-state.ts", "");
  Write("sub/config", "");
  EXPECT_EQ(Changes(), Paths());
}

TEST_F(WatchedPathsTest, ReportsThatANestedRepositoryTakesItsSettingsFromElsewhere) {
  MakeRepository("one/.git");
  Record({".git/hooks"});
  Write("one/.git/commondir", "../../elsewhere\n");
  EXPECT_EQ(Changes(), Paths({"one/.git/commondir"}));
}

TEST_F(WatchedPathsTest, ReportsWhatIsInSeveralRootsOnce) {
  MakeRepository("ws/one/.git");
  Record({".git/hooks", "one/.git/config"}, {"ws", "ws/one", "ws"});
  Write("ws/one/.git/hooks/update", "");
  Write("ws/one/.git/config", "[alias]\n");
  EXPECT_EQ(Changes(), Paths({"ws/one/.git/config", "ws/one/.git/hooks/update"}));
}

class WorktreesTest : public WatchedPathsTest {
 protected:
  // As `git worktree add` does it, of the repository that is in `repository`/.git.
  void AddWorktree(const std::string& repository, const std::string& path) const {
    const std::string own = repository + "/.git/worktrees/new";
    Write(own + "/HEAD", "ref: refs/heads/new\n");
    Write(own + "/commondir", "../..\n");
    Write(path + "/.git", "gitdir: " + In(own) + "\n");
  }
  const Paths watched_{".git/hooks", ".git/config", ".git/worktrees/*/commondir",
                       ".git/worktrees/*/config.worktree"};
};

TEST_F(WorktreesTest, ReportsNoNewWorktreeOfAWatchedRepository) {
  MakeRepository("one/.git");
  MakeRepository("two/.git");
  Record(watched_, {"", "two"});
  AddWorktree("one", "tree");
  AddWorktree("two", "two/tree");
  EXPECT_EQ(Changes(), Paths());
}

TEST_F(WorktreesTest, ReportsAWorktreeOfANewRepository) {
  Record(watched_);
  MakeRepository("one/.git");
  AddWorktree("one", "tree");
  EXPECT_EQ(Changes(), Paths({"one/.git", "tree/.git"}));
}

TEST_F(WorktreesTest, ReportsAWorktreeThatTakesItsSettingsFromElsewhere) {
  MakeRepository("one/.git");
  Record(watched_);
  AddWorktree("one", "tree");
  Write("one/.git/worktrees/new/commondir", "../../../elsewhere\n");
  EXPECT_EQ(Changes(), Paths({"one/.git/worktrees/new/commondir", "tree/.git"}));
}

TEST_F(WorktreesTest, ReportsAWorktreeWithSettingsOfItsOwn) {
  MakeRepository("one/.git");
  Record(watched_);
  AddWorktree("one", "tree");
  Write("one/.git/worktrees/new/config.worktree", "[alias]\n");
  EXPECT_EQ(Changes(), Paths({"one/.git/worktrees/new/config.worktree", "tree/.git"}));
}

TEST_F(WorktreesTest, ReportsAWorktreeBehindALink) {
  MakeRepository("one/.git");
  MakeRepository("two/.git");
  Record(watched_);
  AddWorktree("one", "first");
  Move("one/.git/worktrees", "moved");
  Link("../../moved", "one/.git/worktrees");
  MakeDirectory("two/.git/worktrees");
  Move("moved/new", "moved/other");
  Link("../../../moved/other", "two/.git/worktrees/new");
  Write("second/.git", "gitdir: " + In("two/.git/worktrees/new") + "\n");
  EXPECT_EQ(Changes(), Paths({"first/.git", "second/.git", "two/.git/worktrees/new/commondir",
                              "two/.git/worktrees/new/config.worktree"}));
}

TEST_F(WorktreesTest, ReportsFilesOfGitThatLeadAnywhereElse) {
  MakeRepository("one/.git");
  Record(watched_);
  AddWorktree("one", "tree");
  int i = 0;
  Paths expected;
  for (const std::string& target :
       {In("one/.git/worktrees/../worktrees/new"), In("one/.git/worktrees/.."), In("one/.git/worktrees/"),
        In("one/.git"), In("one/.git/worktrees/new/"), In("one/.git/worktrees/missing"),
        std::string("../one/.git/worktrees/new"), In("one/.git/hooks/worktrees/new"), In(""),
        std::string()}) {
    const std::string path = "file" + std::to_string(i++) + "/.git";
    Write(path, "gitdir: " + target + "\n");
    expected.push_back(path);
  }
  EXPECT_EQ(Changes(), expected);
}

// Whoever swaps what meanwhile: nothing outside is looked at, and it ends.
TEST_F(WatchedPathsTest, ComesToAnEndWhileDirectoriesAreSwapped) {
  MakeRepository("nested/.git");
  MakeRepository("other");
  Record({".git/hooks", ".git/config", "nested/*"});
  std::atomic<bool> stop{false};
  std::thread swapper([&] {
    const std::string git = In("nested/.git"), moved = In("nested/moved"), target = In("other");
    while (!stop) {
      rename(git.c_str(), moved.c_str());
      static_cast<void>(symlink(target.c_str(), git.c_str()));
      unlink(git.c_str());
      mkfifo(git.c_str(), 0600);
      unlink(git.c_str());
      rename(moved.c_str(), git.c_str());
    }
  });
  for (int round = 0; round < 200; ++round) {
    for (const std::string& path : Changes()) EXPECT_EQ(path.rfind("nested", 0), 0U) << path;
  }
  stop = true;
  swapper.join();
}

}  // namespace
}  // namespace bashward::supervisor
