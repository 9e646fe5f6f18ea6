#include "supervisor/watched_paths.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "supervisor/watched_paths_fixture.h"
#include "support/descriptors.h"
#include "support/must_work.h"
#include "support/own_mounts.h"
#include "support/wait.h"

namespace bashward::supervisor {
namespace {

TEST_F(WatchedPathsTest, ReportsNothingWhereNothingHasChanged) {
  Write("AGENTS.md", "text");
  Write(".vscode/settings.json", "{}");
  MakeRepository(".git");
  Record({"AGENTS.md", ".vscode", ".git/hooks", ".git/config", ".git/modules/*/config", "missing"});
  Write("other", "text");
  EXPECT_EQ(Changes(), Paths());
  EXPECT_EQ(unwatched(), 0U);
}

TEST_F(WatchedPathsTest, ReportsAgainAndAnewWhenItIsAskedAgain) {
  Write("AGENTS.md", "old");
  Write(".envrc", "");
  MakeRepository(".git");
  Record({"AGENTS.md", ".envrc", ".mise.toml", ".git/hooks"});
  Write("AGENTS.md", "new");
  Write(".mise.toml", "");
  Write(".git/hooks/post-commit", "");
  EXPECT_EQ(Changes(), Paths({".git/hooks/post-commit", ".mise.toml", "AGENTS.md"}));
  EXPECT_EQ(Changes(), Paths({".git/hooks/post-commit", ".mise.toml", "AGENTS.md"}));
  Remove(".mise.toml");
  Remove(".envrc");
  Write("AGENTS.md", "old");
  EXPECT_EQ(Changes(), Paths({".envrc", ".git/hooks/post-commit"}));
}

TEST_F(WatchedPathsTest, ReportsANewGitDirectoryAlikeWhenItIsAskedAgain) {
  Record({".git/hooks", ".git/config"});
  MakeGitDirectory("bare.git");
  const Paths first = Changes();
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(Changes(), first);
}

TEST_F(WatchedPathsTest, ReportsNothingWhereNothingIsWatched) {
  Record({});
  Write("AGENTS.md", "text");
  EXPECT_EQ(Changes(), Paths());
}

TEST_F(WatchedPathsTest, ReportsWhatWasCreated) {
  Record({"AGENTS.md", ".cargo/config.toml"});
  Write("AGENTS.md", "");
  Write(".cargo/config.toml", "");
  EXPECT_EQ(Changes(), Paths({".cargo/config.toml", "AGENTS.md"}));
}

TEST_F(WatchedPathsTest, ReportsWhatWasRemoved) {
  Write("AGENTS.md", "");
  Write(".cargo/config.toml", "");
  Record({"AGENTS.md", ".cargo/config.toml"});
  Remove("AGENTS.md");
  Remove(".cargo");
  EXPECT_EQ(Changes(), Paths({".cargo/config.toml", "AGENTS.md"}));
}

TEST_F(WatchedPathsTest, ReportsContentOfTheSameSize) {
  Write("AGENTS.md", "old");
  Record({"AGENTS.md"});
  Write("AGENTS.md", "new");
  EXPECT_EQ(Changes(), Paths({"AGENTS.md"}));
}

TEST_F(WatchedPathsTest, ReportsContentWhoseTimesWereSetBack) {
  Write("AGENTS.md", "old");
  struct stat before{};
  ASSERT_EQ(stat(In("AGENTS.md").c_str(), &before), 0);
  Record({"AGENTS.md"});
  Write("AGENTS.md", "new");
  const timespec times[2] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(utimensat(AT_FDCWD, In("AGENTS.md").c_str(), times, 0), 0);
  EXPECT_EQ(Changes(), Paths({"AGENTS.md"}));
}

TEST_F(WatchedPathsTest, DoesNotReportTheSameContentWrittenAnew) {
  Write(".git/config", "[core]\n");
  Record({".git/config"});
  Write(".git/config.lock", "[core]\n");
  Move(".git/config.lock", ".git/config");
  EXPECT_EQ(Changes(), Paths());
}

TEST_F(WatchedPathsTest, ReportsAHookThatBecomesExecutable) {
  Write(".git/hooks/pre-commit", "#!/bin/sh\n");
  ASSERT_EQ(chmod(In(".git/hooks/pre-commit").c_str(), 0644), 0);
  Record({".git/hooks"});
  ASSERT_EQ(chmod(In(".git/hooks/pre-commit").c_str(), 0755), 0);
  EXPECT_EQ(Changes(), Paths({".git/hooks/pre-commit"}));
}

TEST_F(WatchedPathsTest, ReportsEachEntryOfADirectory) {
  Write(".vscode/changed", "old");
  Write(".vscode/removed", "");
  Write(".vscode/same", "");
  Record({".vscode"});
  Write(".vscode/changed", "new");
  Write(".vscode/created", "");
  Remove(".vscode/removed");
  EXPECT_EQ(Changes(), Paths({".vscode/changed", ".vscode/created", ".vscode/removed"}));
}

TEST_F(WatchedPathsTest, ReportsOfADirectoryThatCameOrWentNothingElse) {
  Write(".idea/a", "");
  Record({".idea", ".vscode"});
  Move(".idea", ".vscode");
  EXPECT_EQ(Changes(), Paths({".idea", ".vscode"}));
}

TEST_F(WatchedPathsTest, LooksTwoLevelsDeepWithAStar) {
  Write(".claude/commands/old.md", "old");
  Record({".claude/*"});
  Write(".claude/commands/old.md", "new");
  Write(".claude/commands/new.md", "");
  Write(".claude/settings.json", "");
  EXPECT_EQ(Changes(),
            Paths({".claude/commands/new.md", ".claude/commands/old.md", ".claude/settings.json"}));
}

TEST_F(WatchedPathsTest, LooksIntoEveryEntryWithAStarInTheMiddle) {
  Write(".git/modules/a/config", "old");
  Write(".git/modules/b/config", "same");
  Record({".git/modules/*/config"});
  Write(".git/modules/a/config", "new");
  Write(".git/modules/c/config", "");
  Write(".git/modules/c/other", "");
  EXPECT_EQ(Changes(), Paths({".git/modules/a/config", ".git/modules/c/config"}));
}

TEST_F(WatchedPathsTest, ReportsWhatReplacesAPath) {
  Write("AGENTS.md", "");
  Write(".vscode/settings.json", "");
  Record({"AGENTS.md", ".vscode"});
  Remove("AGENTS.md");
  MakeDirectory("AGENTS.md");
  Move(".vscode", "moved");
  Link("moved", ".vscode");
  EXPECT_EQ(Changes(), Paths({".vscode", "AGENTS.md"}));
}

TEST_F(WatchedPathsTest, ReportsALinkThatLeadsElsewhere) {
  Link("one", "AGENTS.md");
  Link("same", "CLAUDE.md");
  Record({"AGENTS.md", "CLAUDE.md"});
  Remove("AGENTS.md");
  Link("two", "AGENTS.md");
  Remove("CLAUDE.md");
  Link("same", "CLAUDE.md");
  EXPECT_EQ(Changes(), Paths({"AGENTS.md"}));
}

TEST_F(WatchedPathsTest, ReportsADirectoryOnTheWayThatBecomesALink) {
  Write(".cargo/config.toml", "");
  Record({".cargo/config.toml"});
  Move(".cargo", "moved");
  Link("moved", ".cargo");
  EXPECT_EQ(Changes(), Paths({".cargo/config.toml"}));
}

TEST_F(WatchedPathsTest, ReportsALinkOnTheWayThatLeadsElsewhere) {
  Write("one/config.toml", "");
  Write("two/config.toml", "");
  Link("one", ".cargo");
  Record({".cargo/config.toml"});
  Remove(".cargo");
  Link("two", ".cargo");
  EXPECT_EQ(Changes(), Paths({".cargo/config.toml"}));
}

TEST_F(WatchedPathsTest, OpensNoFifo) {
  ASSERT_EQ(mkfifo(In("AGENTS.md").c_str(), 0600), 0);
  Write("CLAUDE.md", "");
  Record({"AGENTS.md", "CLAUDE.md"});
  Remove("CLAUDE.md");
  ASSERT_EQ(mkfifo(In("CLAUDE.md").c_str(), 0600), 0);
  EXPECT_EQ(Changes(), Paths({"CLAUDE.md"}));
}

TEST_F(WatchedPathsTest, ReadsNoDevice) {
  if (geteuid() != 0) return test::OnlyRootCanTest("an ordinary user makes no device files");
  constexpr unsigned kMemory = 1, kZero = 5, kFull = 7;
  if (mknod(In("AGENTS.md").c_str(), S_IFCHR | 0600, makedev(kMemory, kZero)) != 0 ||
      mknod(In("CLAUDE.md").c_str(), S_IFCHR | 0600, makedev(kMemory, kZero)) != 0) {
    return test::CannotTest("device files cannot be made here");
  }
  Record({"AGENTS.md", "CLAUDE.md"});
  Remove("CLAUDE.md");
  ASSERT_EQ(mknod(In("CLAUDE.md").c_str(), S_IFCHR | 0600, makedev(kMemory, kFull)), 0);
  EXPECT_EQ(Changes(), Paths({"CLAUDE.md"}));
}

TEST_F(WatchedPathsTest, ReportsOfALargeFileThatItWasWritten) {
  constexpr off_t kSize = 8 * 1024 * 1024;
  Write("AGENTS.md", "");
  Write("CLAUDE.md", "");
  ASSERT_EQ(truncate(In("AGENTS.md").c_str(), kSize), 0);
  ASSERT_EQ(truncate(In("CLAUDE.md").c_str(), kSize), 0);
  const timespec long_ago[2] = {{1, 0}, {1, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, In("CLAUDE.md").c_str(), long_ago, 0), 0);
  Record({"AGENTS.md", "CLAUDE.md"});
  const timespec now[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
  ASSERT_EQ(utimensat(AT_FDCWD, In("CLAUDE.md").c_str(), now, 0), 0);
  const Paths changes = Changes();
  EXPECT_NE(std::find(changes.begin(), changes.end(), "CLAUDE.md"), changes.end());
}

TEST_F(WatchedPathsTest, ReportsOfACrowdedDirectoryOnlyTheDirectory) {
  for (int i = 0; i < 200; ++i) Write(".idea/" + std::to_string(i), "");
  Record({".idea", "AGENTS.md"});
  EXPECT_EQ(unwatched(), 1U);
  Write(".idea/new", "");
  EXPECT_EQ(Changes(), Paths({".idea"}));
}

TEST_F(WatchedPathsTest, ReportsADirectoryThatBecomesCrowded) {
  Write(".git/modules/a/config", "");
  MakeDirectory(".idea");
  Record({".idea", ".git/modules/*/config"});
  for (int i = 0; i < 200; ++i) {
    Write(".idea/" + std::to_string(i), "");
    MakeDirectory(".git/modules/" + std::to_string(i));
  }
  EXPECT_EQ(Changes(), Paths({".git/modules", ".idea"}));
}

TEST_F(WatchedPathsTest, ReportsARootWithMoreThanIsLookedAt) {
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}) MakeDirectory(name);
  Record({"*"});
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}) {
    for (int i = 0; i < 120; ++i) Write(std::string(name) + "/" + std::to_string(i), "");
  }
  const Paths changes = Changes();
  EXPECT_EQ(changes.size(), protocol::kMaxChanges);
  EXPECT_NE(std::find(changes.begin(), changes.end(), "."), changes.end());
}

TEST_F(WatchedPathsTest, WatchesEveryRoot) {
  Write("one/AGENTS.md", "old");
  MakeDirectory("two");
  Record({"AGENTS.md"}, {"one", "two"});
  Write("one/AGENTS.md", "new");
  Write("two/AGENTS.md", "");
  EXPECT_EQ(Changes(), Paths({"one/AGENTS.md", "two/AGENTS.md"}));
}

// tmpfs does not change its times then.
TEST_F(WatchedPathsTest, ReportsAWriteThroughAMappingThatWasReadFrom) {
  test::WithOwnMounts([&](const std::string& directory) {
    const std::string root = directory + "/ws";
    test::MakeDirectory(root);
    test::WriteFile(root + "/AGENTS.md", "old");
    test::WriteFile(root + "/CLAUDE.md", "old");
    const auto is_old = [&] {
      struct stat status{};
      timespec now{};
      clock_gettime(CLOCK_REALTIME, &now);
      return stat((root + "/CLAUDE.md").c_str(), &status) == 0 &&
             (now.tv_sec - status.st_ctim.tv_sec) * 1000 +
                     (now.tv_nsec - status.st_ctim.tv_nsec) / 1'000'000 >
                 200;
    };
    ASSERT_TRUE(test::WaitUntil(is_old));
    sandbox::WritableRoots writable;
    const std::string list = root + '\0';
    ASSERT_TRUE(writable.Open(list.c_str(), 1));
    const auto paths = std::make_unique<WatchedPaths>();
    paths->Record(writable, "AGENTS.md\0CLAUDE.md", 2);
    const sys::UniqueFd file(open((root + "/AGENTS.md").c_str(), O_RDWR | O_CLOEXEC));
    void* const mapped = mmap(nullptr, 3, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    ASSERT_NE(mapped, MAP_FAILED);
    volatile char* const text = static_cast<char*>(mapped);
    ASSERT_EQ(text[0], 'o');
    text[0] = 'n';
    ASSERT_EQ(munmap(mapped, 3), 0);
    Paths changes;
    paths->Compare([&](const char* path, size_t length) { changes.emplace_back(path, length); });
    EXPECT_EQ(changes, Paths({root + "/AGENTS.md"}));
  });
}

TEST_F(WatchedPathsTest, LeavesNoDescriptorOpen) {
  MakeRepository(".git");
  MakeRepository("nested/.git");
  Write("AGENTS.md", "");
  sandbox::WritableRoots roots;
  Record({"AGENTS.md", ".git/hooks", ".git/*/x"});
  const std::vector<int> before = test::OpenDescriptors();
  Write("AGENTS.md", "new");
  Write("nested/.git/config", "new");
  EXPECT_EQ(Changes(), Paths({"AGENTS.md", "nested/.git/config"}));
  EXPECT_EQ(test::OpenDescriptors(), before);
}

}  // namespace
}  // namespace bashward::supervisor
