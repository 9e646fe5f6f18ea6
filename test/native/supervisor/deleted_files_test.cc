// Finds deleted files that real children still have open.
#include "supervisor/deleted_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "supervisor/scratch_fixture.h"
#include "support/processes.h"

namespace bashward::supervisor {
namespace {

constexpr size_t kSize = 256 * 1024;
constexpr uint64_t kEverything = ~uint64_t{0};

class DeletedFilesTest : public ScratchTest {};

// A descriptor of a file that has been deleted.
int MakeDeleted(const std::string& path) {
  Fill(path, kSize);
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  EXPECT_GE(fd, 0);
  EXPECT_EQ(unlink(path.c_str()), 0);
  return fd;
}

// Runs `check` while a child that has run `prepare` waits.
void WithChild(const std::function<void()>& prepare, const std::function<void()>& check) {
  int ready[2];
  int end[2];
  ASSERT_EQ(pipe2(ready, O_CLOEXEC), 0);
  ASSERT_EQ(pipe2(end, O_CLOEXEC), 0);
  // Only root can look into a process that has become another user.
  ASSERT_EQ(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  char byte = 'x';
  if (child == 0) {
    close(end[1]);
    prepare();
    const bool told = write(ready[1], &byte, 1) == 1;
    _exit(told && read(end[0], &byte, 1) == 0 ? 0 : 1);
  }
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  check();
  for (const int fd : {ready[0], ready[1], end[0], end[1]}) close(fd);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
}

TEST_P(DeletedFilesTest, FindsADeletedFileThatAChildHasOpen) {
  WithScratch([&](Scratch&) {
    WithChild([&] { MakeDeleted(Path("file")); },
              [] {
                const DeletedFiles found = FindDeletedFiles("scratch", kEverything);
                EXPECT_GE(found.bytes, kSize);
                EXPECT_EQ(found.count, 1U);
                EXPECT_FALSE(found.incomplete);
              });
  });
}

TEST_P(DeletedFilesTest, CountsADeletedFileOnceThatSeveralDescriptorsAreOf) {
  WithScratch([&](Scratch&) {
    WithChild([&] { EXPECT_GE(dup(MakeDeleted(Path("file"))), 0); },
              [] { EXPECT_EQ(FindDeletedFiles("scratch", kEverything).count, 1U); });
  });
}

TEST_P(DeletedFilesTest, FindsADeletedFileThatIsMappedOnlyOrSaysThatSomethingIsMissing) {
  const auto map = [&] {
    const int fd = MakeDeleted(Path("file"));
    EXPECT_NE(mmap(nullptr, kSize, PROT_READ, MAP_SHARED, fd, 0), MAP_FAILED);
    close(fd);
  };
  WithScratch([&](Scratch&) {
    WithChild(map, [] {
      const DeletedFiles found = FindDeletedFiles("scratch", kEverything);
      EXPECT_TRUE(found.bytes >= kSize || found.incomplete) << found.bytes;
    });
  });
}

TEST_P(DeletedFilesTest, LeavesOutDeletedFilesOfOtherDirectoriesAndFilesThatAreStillThere) {
  WithScratch([&](Scratch&) {
    const auto open_others = [&] {
      MakeDeleted(directory_.File("elsewhere"));
      Fill(Path("file"), kSize);
      EXPECT_GE(open(Path("file").c_str(), O_RDONLY), 0);
    };
    WithChild(open_others, [] { EXPECT_EQ(FindDeletedFiles("scratch", kEverything).count, 0U); });
  });
}

TEST_P(DeletedFilesTest, IsFullOfDeletedFilesAfterSomeLooks) {
  const auto fill = [&] {
    for (int i = 0; i < 5; ++i) MakeDeleted(Path("file"));
  };
  WithScratch([&](Scratch& scratch) {
    WithChild(fill, [&] {
      bool full = false;
      for (int look = 0; look < 11 && !full; ++look) full = scratch.IsFull();
      EXPECT_TRUE(full);
    });
  });
}

INSTANTIATE_TEST_SUITE_P(, DeletedFilesTest, ::testing::ValuesIn(test::Users()),
                         [](const auto& user) { return test::NameOf(user.param); });

}  // namespace
}  // namespace bashward::supervisor
