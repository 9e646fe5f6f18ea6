// Whether what was looked up would be found again.
#include "sandbox/lookup_record.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "sandbox/directory_stamps.h"
#include "sandbox/name_pattern.h"
#include "support/own_mounts.h"
#include "support/temporary_directory.h"
#include "support/wait.h"

namespace bashward::sandbox {
namespace {

using test::WriteFile;

class LookupRecordTest : public ::testing::Test {
 protected:
  LookupRecordTest() {
    WriteFile(directory_.File("file"), "text");
    WriteFile(directory_.File("other"), "text");
    EXPECT_EQ(symlink("file", directory_.File("link").c_str()), 0);
  }
  bool LookUp(const std::string& name) {
    struct stat status{};
    return record_.LookUp(directory_.path(), name, &status);
  }
  const test::TemporaryDirectory directory_;
  LookupRecord record_;
};

TEST_F(LookupRecordTest, SaysWhetherAnEntryIsThere) {
  EXPECT_TRUE(LookUp("file"));
  EXPECT_FALSE(LookUp("missing"));
}

TEST_F(LookupRecordTest, StaysCurrentWhenSomethingElseChanges) {
  LookUp("file");
  LookUp("missing");
  record_.List(directory_.path(), "fi*");
  WriteFile(directory_.File("new"), "text");
  std::filesystem::remove(directory_.File("other"));
  EXPECT_TRUE(record_.IsCurrent());
}

TEST_F(LookupRecordTest, EndsWhenAMissingEntryAppears) {
  LookUp("missing");
  WriteFile(directory_.File("missing"), "text");
  EXPECT_FALSE(record_.IsCurrent());
}

TEST_F(LookupRecordTest, EndsWhenAnEntryIsReplacedOrRemoved) {
  LookUp("file");
  std::filesystem::rename(directory_.File("other"), directory_.File("file"));
  EXPECT_FALSE(record_.IsCurrent());
  record_ = LookupRecord();
  LookUp("file");
  std::filesystem::remove(directory_.File("file"));
  EXPECT_FALSE(record_.IsCurrent());
}

// It may get the inode of the one that was there.
TEST_F(LookupRecordTest, EndsWhenALinkIsMadeAnew) {
  ASSERT_TRUE(test::WaitUntil([&] {
    record_ = LookupRecord();
    LookUp("link");
    std::filesystem::remove(directory_.File("link"));
    EXPECT_EQ(symlink("other", directory_.File("link").c_str()), 0);
    return !record_.IsCurrent();
  }));
}

TEST_F(LookupRecordTest, EndsWhenAPatternMatchesMoreOrLess) {
  record_.List(directory_.path(), "fi*");
  WriteFile(directory_.File("fifth"), "text");
  EXPECT_FALSE(record_.IsCurrent());
  record_ = LookupRecord();
  record_.List(directory_.path(), "fi*");
  std::filesystem::remove(directory_.File("file"));
  EXPECT_FALSE(record_.IsCurrent());
}

TEST_F(LookupRecordTest, EndsWhenTheDirectoryIsAnother) {
  const std::string inner = directory_.File("inner");
  WriteFile(inner + "/file", "text");
  struct stat status{};
  record_.LookUp(inner, "missing", &status);
  std::filesystem::rename(inner, directory_.File("moved"));
  WriteFile(inner + "/file", "text");
  EXPECT_FALSE(record_.IsCurrent());
}

TEST_F(LookupRecordTest, ListsInOrderWhatMatches) {
  const auto names = record_.List(directory_.path(), "*i*");
  ASSERT_TRUE(names.has_value());
  EXPECT_EQ(*names, (std::vector<std::string>{"file", "link"}));
  EXPECT_FALSE(record_.List(directory_.File("missing"), "*").has_value());
}

TEST(DirectoryStamps, HasASettledStampOfTheSameState) {
  const test::TemporaryDirectory directory;
  DirectoryStamps stamps;
  DirectoryStamp stamp;
  ASSERT_TRUE(test::WaitUntil([&] { return (stamp = DirectoryStamp::Of(directory.path())).has_settled(); }));
  EXPECT_FALSE(stamps.Has(directory.path(), stamp));
  stamps.Add(directory.path());
  EXPECT_TRUE(stamps.Has(directory.path(), stamp));
  std::filesystem::create_directory(directory.File("new"));
  EXPECT_FALSE(stamps.Has(directory.path(), DirectoryStamp::Of(directory.path())));
}

// What came between the two looks, in the same tick, left the same times.
TEST(DirectoryStamps, HasNoStampThatHadNotSettled) {
  const test::TemporaryDirectory directory;
  ASSERT_TRUE(test::WaitUntil([&] {
    const std::string name = directory.File("new");
    std::filesystem::create_directory(name);
    std::filesystem::remove(name);
    const DirectoryStamp early = DirectoryStamp::Of(directory.path());
    if (early.has_settled()) return false;
    DirectoryStamps stamps;
    stamps.Add(directory.path());
    EXPECT_FALSE(stamps.Has(directory.path(), early));
    return true;
  }));
}

TEST(DirectoryStamp, IsCurrentOnceItHasSettledAndUntilAnEntryIsMade) {
  const test::TemporaryDirectory directory;
  WriteFile(directory.File("file"), "text");
  EXPECT_FALSE(DirectoryStamp::Of(directory.path()).IsCurrent(directory.path()));
  DirectoryStamp stamp;
  ASSERT_TRUE(test::WaitUntil([&] {
    stamp = DirectoryStamp::Of(directory.path());
    return stamp.IsCurrent(directory.path());
  }));
  WriteFile(directory.File("file"), "longer text");
  EXPECT_TRUE(stamp.IsCurrent(directory.path()));
  WriteFile(directory.File("new"), "text");
  EXPECT_FALSE(stamp.IsCurrent(directory.path()));
}

// As on ext4 with small inodes: in the same second a later change leaves the same time.
TEST(DirectoryStamp, SettlesLaterWhereTimesAreWholeSeconds) {
  struct stat status{};
  status.st_mtim = status.st_ctim = {1000, 1};
  EXPECT_FALSE(DirectoryStamp(status, {1000, 40'000'000}).has_settled());
  EXPECT_TRUE(DirectoryStamp(status, {1000, 60'000'000}).has_settled());
  status.st_mtim = status.st_ctim = {1000, 0};
  EXPECT_FALSE(DirectoryStamp(status, {1000, 900'000'000}).has_settled());
  EXPECT_FALSE(DirectoryStamp(status, {1001, 999'000'000}).has_settled());
  EXPECT_TRUE(DirectoryStamp(status, {1002, 60'000'000}).has_settled());
}

TEST(DirectoryStamp, OfWhatIsNotThereIsNeverCurrent) {
  EXPECT_FALSE(DirectoryStamp::Of("/missing").IsCurrent("/missing"));
}

TEST(MatchesPattern, TakesAStarForAnyCharacters) {
  EXPECT_TRUE(MatchesPattern("krb5cc_1000", "krb5cc_*"));
  EXPECT_TRUE(MatchesPattern("krb5cc_", "krb5cc_*"));
  EXPECT_FALSE(MatchesPattern("krb5c", "krb5cc_*"));
  EXPECT_TRUE(MatchesPattern("ssh_host_rsa_key", "ssh_host_*_key"));
  EXPECT_FALSE(MatchesPattern("ssh_host_rsa_key.pub", "ssh_host_*_key"));
  EXPECT_TRUE(MatchesPattern("a_key_key", "*_key"));
  EXPECT_TRUE(MatchesPattern(".hidden", "*"));
  EXPECT_TRUE(MatchesPattern("abc", "abc"));
  EXPECT_FALSE(MatchesPattern("abc", "ab"));
  EXPECT_TRUE(MatchesPattern("aXbXc", "a**b*c"));
}

}  // namespace
}  // namespace bashward::sandbox
