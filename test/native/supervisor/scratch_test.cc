#include "supervisor/scratch.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "sandbox/system_calls.h"
#include "supervisor/scratch_fixture.h"
#include "support/seccomp.h"

namespace bashward::supervisor {
namespace {

TEST_P(ScratchTest, IsMadeForTheUserAlone) {
  WithScratch([&](Scratch& scratch) {
    EXPECT_TRUE(scratch.exists());
    EXPECT_EQ(ModeOf(path_), kMode);
    struct stat status{};
    EXPECT_EQ(stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, geteuid());
  });
}

TEST_P(ScratchTest, IsNothingWithoutAPath) {
  Scratch scratch("", kLimit);
  EXPECT_TRUE(scratch.Make());
  EXPECT_FALSE(scratch.exists());
  EXPECT_FALSE(scratch.IsFull());
  scratch.Remove();
}

TEST_P(ScratchTest, LeavesADirectoryAloneThatIsThereAlready) {
  Scratch scratch(outside_.c_str(), kLimit);
  EXPECT_FALSE(scratch.Make());
  EXPECT_EQ(errno, EEXIST);
  EXPECT_FALSE(scratch.exists());
  scratch.Remove();
}

TEST_P(ScratchTest, FailsWhereItsParentIsMissing) {
  const std::string path = directory_.File("missing") + "/scratch";
  Scratch scratch(path.c_str(), kLimit);
  EXPECT_FALSE(scratch.Make());
  EXPECT_EQ(errno, ENOENT);
}

// A container that refuses openat2(2), and others.
class ScratchParentTest : public ScratchTest {
 protected:
  static void EachWay(const std::function<void()>& body) {
    for (const int refusal : {0, ENOSYS, EPERM}) {
      test::InForkedProcess([&] {
        SCOPED_TRACE(refusal);
        test::Become(GetParam());
        if (refusal != 0) test::RefuseSystemCall(sandbox::number::kOpenat2, refusal);
        body();
      });
    }
  }
};

TEST_P(ScratchParentTest, IsMadeAndRemovedInIt) {
  EachWay([&] {
    Scratch scratch(path_.c_str(), kLimit);
    ASSERT_TRUE(scratch.Make()) << "errno " << errno;
    EXPECT_EQ(ModeOf(path_), kMode);
    EXPECT_TRUE(scratch.Remove());
    EXPECT_FALSE(Exists(path_));
  });
}

TEST_P(ScratchParentTest, IsNotReachedByASymbolicLink) {
  EachWay([&] {
    const std::string link = directory_.File("link");
    ASSERT_TRUE(symlink(directory_.path().c_str(), link.c_str()) == 0 || errno == EEXIST);
    for (const std::string& parent : {link, link + "/outside.d"}) {
      const std::string path = parent + "/scratch";
      Scratch scratch(path.c_str(), kLimit);
      EXPECT_FALSE(scratch.Make());
      EXPECT_TRUE(errno == ELOOP || errno == ENOTDIR) << "errno " << errno;
      EXPECT_FALSE(Exists(path));
    }
  });
}

TEST_P(ScratchParentTest, IsTheSameOneInTheEnd) {
  EachWay([&] {
    const std::string parent = directory_.File("parent");
    const std::string moved = directory_.File("moved");
    ASSERT_EQ(mkdir(parent.c_str(), kMode), 0);
    const std::string path = parent + "/scratch";
    Scratch scratch(path.c_str(), kLimit);
    ASSERT_TRUE(scratch.Make()) << "errno " << errno;
    ASSERT_EQ(rename(parent.c_str(), moved.c_str()), 0);
    ASSERT_EQ(mkdir(parent.c_str(), kMode), 0);
    ASSERT_EQ(mkdir(path.c_str(), kMode), 0);
    EXPECT_TRUE(scratch.Remove());
    EXPECT_TRUE(Exists(path));
    EXPECT_FALSE(Exists(moved + "/scratch"));
    for (const std::string& each : {path, parent, moved}) EXPECT_EQ(rmdir(each.c_str()), 0) << each;
  });
}

TEST_P(ScratchTest, NeedsAnAbsolutePath) {
  Scratch scratch("scratch", kLimit);
  EXPECT_FALSE(scratch.Make());
  EXPECT_EQ(errno, EINVAL);
}

TEST_P(ScratchTest, IsNotFullUpToItsLimit) {
  WithScratch([&](Scratch& scratch) {
    EXPECT_FALSE(scratch.IsFull());
    Fill(Path("file"), kLimit / 2);
    EXPECT_FALSE(scratch.IsFull());
  });
}

TEST_P(ScratchTest, IsFullBeyondItsLimit) {
  WithScratch([&](Scratch& scratch) {
    Fill(Path("file"), kLimit + 100'000);
    EXPECT_TRUE(scratch.IsFull());
  });
}

TEST_P(ScratchTest, IsFullOfManyFilesInManyDirectories) {
  WithScratch([&](Scratch& scratch) {
    for (int i = 0; i < 12; ++i) {
      const std::string directory = Path(std::to_string(i));
      ASSERT_EQ(mkdir(directory.c_str(), kMode), 0);
      Fill(directory + "/file", 100'000);
    }
    EXPECT_TRUE(scratch.IsFull());
  });
}

TEST_P(ScratchTest, IsFullOfThousandsOfEmptyFiles) {
  WithScratch([&](Scratch& scratch) {
    for (int i = 0; i < 1500; ++i) Fill(Path(std::to_string(i)), 0);
    EXPECT_TRUE(scratch.IsFull());
  });
}

TEST_P(ScratchTest, IsFullOfMoreEntriesThanAnyProgramOfGoodIntentMakes) {
  constexpr int kDirectories = 128;
  constexpr int kEntries = 65536;
  WithScratch([&](Scratch& scratch) {
    scratch.Remove();
    Scratch large(path_.c_str(), 1024 * kLimit);
    ASSERT_TRUE(large.Make());
    for (int i = 0; i < kDirectories; ++i) ASSERT_EQ(mkdir(Path(std::to_string(i)).c_str(), kMode), 0);
    for (int i = 0; i < kEntries - kDirectories; ++i) {
      const std::string name = std::to_string(i % kDirectories) + "/" + std::to_string(i);
      ASSERT_EQ(mkfifo(Path(name).c_str(), 0600), 0);
    }
    EXPECT_FALSE(large.IsFull());
    Fill(Path("one more"), 0);
    EXPECT_TRUE(large.IsFull());
    large.Remove();
  });
}

TEST_P(ScratchTest, IsNotFullOfHoles) {
  WithScratch([&](Scratch& scratch) {
    Fill(Path("file"), 10);
    ASSERT_EQ(truncate(Path("file").c_str(), 100 * kLimit), 0);
    EXPECT_FALSE(scratch.IsFull());
  });
}

TEST_P(ScratchTest, IsNotFullOfWhatItsLinksLeadTo) {
  WithScratch([&](Scratch& scratch) {
    ASSERT_EQ(symlink(outside_.c_str(), Path("directory").c_str()), 0);
    ASSERT_EQ(symlink((outside_ + "/inside").c_str(), Path("file").c_str()), 0);
    EXPECT_FALSE(scratch.IsFull());
  });
}

TEST_P(ScratchTest, IsFullOfDirectoriesThatAreNestedTooDeep) {
  WithScratch([&](Scratch& scratch) {
    MakeDeepTree(path_, 64);
    EXPECT_FALSE(scratch.IsFull());
    ASSERT_EQ(mkdir("d", kMode), 0);
    EXPECT_TRUE(scratch.IsFull());
  });
}

TEST_P(ScratchTest, IsFullOfWhatIsInADirectoryThatCannotBeListed) {
  WithScratch([&](Scratch& scratch) {
    const std::string directory = Path("closed");
    ASSERT_EQ(mkdir(directory.c_str(), 0300), 0);
    Fill(directory + "/file", kLimit + 100'000);
    EXPECT_TRUE(scratch.IsFull());
  });
}

INSTANTIATE_TEST_SUITE_P(, ScratchParentTest, ::testing::ValuesIn(test::Users()),
                         [](const auto& user) { return test::NameOf(user.param); });
INSTANTIATE_TEST_SUITE_P(, ScratchTest, ::testing::ValuesIn(test::Users()),
                         [](const auto& user) { return test::NameOf(user.param); });

}  // namespace
}  // namespace bashward::supervisor
