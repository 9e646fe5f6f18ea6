// The read-only system in force: a forked process restricts itself, and the kernel answers.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "sandbox/landlock.h"
#include "support/errors.h"
#include "support/forked.h"
#include "support/must_work.h"
#include "support/processes.h"
#include "support/temporary_directory.h"
#include "support/users.h"

namespace bashward::sandbox {
namespace {

using test::User;

constexpr mode_t kMode = 0700;

// As each user, who owns a directory with a file, a subdirectory and a scratch directory.
class LandlockTest : public ::testing::TestWithParam<User> {
 protected:
  LandlockTest() {
    std::ofstream(file_) << "text";
    mkdir(Path("subdirectory").c_str(), kMode);
    mkdir(scratch_.c_str(), kMode);
    for (const std::string& path : {directory_.path(), file_, Path("subdirectory"), scratch_}) {
      test::GiveTo(GetParam(), path);
    }
  }

  std::string Path(const std::string& name) const { return directory_.File(name); }
  std::string Scratch(const std::string& name) const { return scratch_ + "/" + name; }

  // Runs `body` in a process that can read everything and write nothing; with `writable` set, below that
  // directory.
  void Restricted(const std::function<void()>& body, const std::string& writable = "") {
    if (LandlockAbi() < 0) return test::CannotTest("the kernel has no Landlock");
    test::InForkedProcess([&] {
      test::Become(GetParam());
      ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
      const Ruleset ruleset = CreateRuleset(LandlockAbi());
      ASSERT_TRUE(ruleset.fd.valid()) << "errno " << errno;
      ASSERT_TRUE(AllowReading(ruleset)) << "errno " << errno;
      const sys::UniqueFd below(writable.empty() ? -1 : open(writable.c_str(), O_RDONLY | O_CLOEXEC));
      ASSERT_TRUE(writable.empty() || AllowWriting(ruleset, below.get())) << "errno " << errno;
      ASSERT_TRUE(RestrictSelf(ruleset)) << "errno " << errno;
      body();
    });
  }
  void WithScratch(const std::function<void()>& body) { Restricted(body, scratch_); }

  const test::TemporaryDirectory directory_;
  const std::string file_ = directory_.File("file");
  const std::string scratch_ = directory_.File("scratch");
};

TEST_P(LandlockTest, ReadsFiles) {
  Restricted([&] { EXPECT_EQ(test::ReadFile(file_), "text"); });
}

TEST_P(LandlockTest, ListsDirectories) {
  Restricted([&] {
    for (const std::string& path : {directory_.path(), std::string("/"), std::string("/dev")}) {
      EXPECT_GE(open(path.c_str(), O_RDONLY | O_DIRECTORY), 0) << path << ": errno " << errno;
    }
  });
}

TEST_P(LandlockTest, ExecutesPrograms) {
  Restricted([] { EXPECT_EQ(test::ChildProcess({"sh", "-c", "exit 0"}).Wait(), 0); });
}

TEST_P(LandlockTest, RefusesToOpenAFileForWriting) {
  Restricted([&] {
    EXPECT_FAILS_WITH(EACCES, open(file_.c_str(), O_WRONLY));
    EXPECT_FAILS_WITH(EACCES, open(file_.c_str(), O_RDWR));
    EXPECT_FAILS_WITH(EACCES, open(file_.c_str(), O_WRONLY | O_APPEND));
  });
}

TEST_P(LandlockTest, RefusesToCreateAnything) {
  const std::string path = Path("new");
  Restricted([&] {
    EXPECT_FAILS_WITH(EACCES, open(path.c_str(), O_WRONLY | O_CREAT, 0600));
    EXPECT_FAILS_WITH(EACCES, open(directory_.path().c_str(), O_RDWR | O_TMPFILE, 0600));
    EXPECT_FAILS_WITH(EACCES, mkdir(path.c_str(), kMode));
    EXPECT_FAILS_WITH(EACCES, mkfifo(path.c_str(), 0600));
    EXPECT_FAILS_WITH(EACCES, mknod(path.c_str(), S_IFSOCK | 0600, 0));
    EXPECT_FAILS_WITH(EACCES, symlink("target", path.c_str()));
    EXPECT_FAILS_WITH(EACCES, link(file_.c_str(), path.c_str()));
  });
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_P(LandlockTest, RefusesToRemoveOrMoveAnything) {
  Restricted([&] {
    EXPECT_FAILS_WITH(EACCES, unlink(file_.c_str()));
    EXPECT_FAILS_WITH(EACCES, rmdir(Path("subdirectory").c_str()));
    EXPECT_FAILS_WITH(EACCES, rename(file_.c_str(), Path("renamed").c_str()));
  });
}

TEST_P(LandlockTest, RefusesTruncationFromVersion3On) {
  if (LandlockAbi() < 3) return test::CannotTest("the kernel's Landlock is older than version 3");
  Restricted([&] {
    EXPECT_FAILS_WITH(EACCES, truncate(file_.c_str(), 0));
    EXPECT_FAILS_WITH(EACCES, open(file_.c_str(), O_RDONLY | O_TRUNC));
  });
  EXPECT_EQ(test::ReadFile(file_), "text");
}

TEST_P(LandlockTest, OpensTheDevicesThatEveryProgramNeeds) {
  Restricted([] {
    for (const char* path : {"/dev/null", "/dev/zero", "/dev/full"}) {
      EXPECT_GE(open(path, O_RDWR), 0) << path << ": errno " << errno;
    }
    for (const char* path : {"/dev/random", "/dev/urandom"}) {
      EXPECT_GE(open(path, O_RDONLY), 0) << path << ": errno " << errno;
    }
  });
}

TEST_P(LandlockTest, RefusesToFeedTheRandomDevices) {
  Restricted([] {
    for (const char* path : {"/dev/random", "/dev/urandom"}) EXPECT_FAILS_WITH(EACCES, open(path, O_WRONLY));
  });
}

TEST_P(LandlockTest, RefusesEveryOtherDevice) {
  const std::string path = "/dev/ptmx";
  if (access(path.c_str(), R_OK) != 0) return test::CannotTest("there is no " + path);
  Restricted([&] {
    EXPECT_FAILS_WITH(EACCES, open(path.c_str(), O_RDONLY));
    EXPECT_FAILS_WITH(EACCES, open(path.c_str(), O_RDWR));
  });
}

TEST_P(LandlockTest, WritesBelowTheScratchDirectory) {
  WithScratch([&] {
    const int fd = open(Scratch("new").c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    EXPECT_GE(fd, 0) << "errno " << errno;
    EXPECT_EQ(write(fd, "scratch", 7), 7);
    EXPECT_EQ(truncate(Scratch("new").c_str(), 3), 0) << "errno " << errno;
    EXPECT_GE(open(Scratch("new").c_str(), O_WRONLY | O_TRUNC), 0) << "errno " << errno;
    EXPECT_GE(open(scratch_.c_str(), O_RDWR | O_TMPFILE, 0600), 0) << "errno " << errno;
  });
}

TEST_P(LandlockTest, MakesMovesAndRemovesBelowTheScratchDirectory) {
  WithScratch([&] {
    EXPECT_EQ(mkdir(Scratch("a").c_str(), kMode), 0) << "errno " << errno;
    EXPECT_EQ(mkfifo(Scratch("a/fifo").c_str(), 0600), 0) << "errno " << errno;
    EXPECT_EQ(symlink("fifo", Scratch("a/link").c_str()), 0) << "errno " << errno;
    EXPECT_EQ(rename(Scratch("a/fifo").c_str(), Scratch("a/renamed").c_str()), 0) << "errno " << errno;
    EXPECT_EQ(unlink(Scratch("a/renamed").c_str()), 0) << "errno " << errno;
    EXPECT_EQ(unlink(Scratch("a/link").c_str()), 0) << "errno " << errno;
    EXPECT_EQ(rmdir(Scratch("a").c_str()), 0) << "errno " << errno;
  });
}

// Below version 2 the kernel refuses all of that by itself.
TEST_P(LandlockTest, MovesFromOneDirectoryToAnotherBelowTheScratchDirectoryFromVersion2On) {
  if (LandlockAbi() < 2) return test::CannotTest("the kernel's Landlock is older than version 2");
  WithScratch([&] {
    EXPECT_EQ(mkdir(Scratch("a").c_str(), kMode), 0);
    EXPECT_EQ(mkfifo(Scratch("fifo").c_str(), 0600), 0);
    EXPECT_EQ(rename(Scratch("fifo").c_str(), Scratch("a/fifo").c_str()), 0) << "errno " << errno;
  });
}

TEST_P(LandlockTest, MakesNoSocketsAndNoDevicesBelowTheScratchDirectory) {
  WithScratch([&] {
    EXPECT_FAILS_WITH(EACCES, mknod(Scratch("socket").c_str(), S_IFSOCK | 0600, 0));
    if (geteuid() != 0) return;  // others may make no device anyway
    EXPECT_FAILS_WITH(EACCES, mknod(Scratch("device").c_str(), S_IFCHR | 0600, (1U << 8) | 3));
    EXPECT_FAILS_WITH(EACCES, mknod(Scratch("device").c_str(), S_IFBLK | 0600, (7U << 8) | 0));
  });
}

TEST_P(LandlockTest, WritesNothingBesideTheScratchDirectory) {
  WithScratch([&] {
    EXPECT_FAILS_WITH(EACCES, open(file_.c_str(), O_WRONLY));
    EXPECT_FAILS_WITH(EACCES, open(Path("new").c_str(), O_WRONLY | O_CREAT, 0600));
    EXPECT_FAILS_WITH(EACCES, rmdir(scratch_.c_str()));
    EXPECT_FAILS_WITH(EACCES, rename(scratch_.c_str(), Path("renamed").c_str()));
  });
}

TEST_P(LandlockTest, WritesNothingThroughALinkInTheScratchDirectory) {
  WithScratch([&] {
    ASSERT_EQ(symlink(file_.c_str(), Scratch("link").c_str()), 0);
    EXPECT_FAILS_WITH(EACCES, open(Scratch("link").c_str(), O_WRONLY));
  });
  EXPECT_EQ(test::ReadFile(file_), "text");
}

TEST_P(LandlockTest, MovesNothingIntoOrOutOfTheScratchDirectory) {
  WithScratch([&] {
    ASSERT_EQ(mkfifo(Scratch("fifo").c_str(), 0600), 0);
    EXPECT_EQ(rename(Scratch("fifo").c_str(), Path("fifo").c_str()), -1);
    EXPECT_EQ(rename(file_.c_str(), Scratch("file").c_str()), -1);
    EXPECT_EQ(link(file_.c_str(), Scratch("file").c_str()), -1);
  });
  EXPECT_EQ(test::ReadFile(file_), "text");
  EXPECT_FALSE(std::filesystem::exists(Path("fifo")));
}

INSTANTIATE_TEST_SUITE_P(, LandlockTest, ::testing::ValuesIn(test::Users()),
                         [](const auto& user) { return test::NameOf(user.param); });

// Rules are added without restricting anything.
class AllowWritingTest : public ::testing::Test {
 protected:
  void ExpectRefused(int below, int error) {
    if (LandlockAbi() < 0) return test::CannotTest("the kernel has no Landlock");
    const Ruleset ruleset = CreateRuleset(LandlockAbi());
    ASSERT_TRUE(ruleset.fd.valid());
    EXPECT_FALSE(AllowWriting(ruleset, below));
    EXPECT_EQ(errno, error);
  }
  const test::TemporaryDirectory directory_;
};

TEST_F(AllowWritingTest, FailsOnADescriptorThatIsNotOpen) {
  ExpectRefused(-1, EBADF);
}

TEST_F(AllowWritingTest, FailsOnAFile) {
  const std::string path = directory_.File("file");
  std::ofstream(path) << "text";
  ExpectRefused(sys::UniqueFd(open(path.c_str(), O_RDONLY | O_CLOEXEC)).get(), EINVAL);
}

TEST(RestrictSelf, FailsWithoutNoNewPrivileges) {
  if (LandlockAbi() < 0) return test::CannotTest("the kernel has no Landlock");
  test::InForkedProcess([] {
    test::Become(test::Users().back());
    EXPECT_FALSE(RestrictSelf(CreateRuleset(LandlockAbi())));
    EXPECT_EQ(errno, EPERM);
  });
}

TEST(RestrictSelf, FailsUnderSixteenDomains) {
  if (LandlockAbi() < 0) return test::CannotTest("the kernel has no Landlock");
  test::InForkedProcess([] {
    ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    const Ruleset ruleset = CreateRuleset(LandlockAbi());
    int domains = 0;
    while (domains < 20 && RestrictSelf(ruleset)) ++domains;
    EXPECT_LE(domains, 16);
    EXPECT_EQ(errno, E2BIG);
  });
}

}  // namespace
}  // namespace bashward::sandbox
