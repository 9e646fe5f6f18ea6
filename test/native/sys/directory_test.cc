#include "sys/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <map>
#include <set>
#include <string>

#include "support/temporary_directory.h"
#include "sys/unique_fd.h"

namespace bashward::sys {
namespace {

class ForEachEntryTest : public ::testing::Test {
 protected:
  UniqueFd Open() const {
    return UniqueFd(open(directory_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  void MakeFiles(int count) {
    for (int i = 0; i < count; ++i) std::ofstream(directory_.File("file " + std::to_string(i)));
  }
  const test::TemporaryDirectory directory_;
};

TEST_F(ForEachEntryTest, VisitsEveryEntryOnceWithDotAndDotDot) {
  MakeFiles(3);
  std::multiset<std::string> names;
  const UniqueFd directory = Open();
  EXPECT_TRUE(ForEachEntry(directory.get(), [&](const DirectoryEntry& entry) {
    names.insert(entry.name);
    return true;
  }));
  EXPECT_EQ(names, (std::multiset<std::string>{".", "..", "file 0", "file 1", "file 2"}));
}

TEST_F(ForEachEntryTest, VisitsMoreThanItsBufferHolds) {
  MakeFiles(300);
  std::set<std::string> names;
  const UniqueFd directory = Open();
  EXPECT_TRUE(ForEachEntry<1024>(directory.get(), [&](const DirectoryEntry& entry) {
    names.insert(entry.name);
    return true;
  }));
  EXPECT_EQ(names.size(), 302U);
}

TEST_F(ForEachEntryTest, StopsWhenTheVisitorHasHadEnough) {
  MakeFiles(300);
  int visits = 0;
  const UniqueFd directory = Open();
  EXPECT_TRUE(ForEachEntry<1024>(directory.get(), [&](const DirectoryEntry&) { return ++visits < 50; }));
  EXPECT_EQ(visits, 50);
}

TEST_F(ForEachEntryTest, KnowsDotAndDotDotFromOtherNames) {
  for (const char* name : {".hidden", "..data", "...", "a"}) std::ofstream(directory_.File(name));
  std::map<std::string, bool> are_dots;
  const UniqueFd directory = Open();
  ForEachEntry(directory.get(), [&](const DirectoryEntry& entry) {
    are_dots[entry.name] = entry.IsDotOrDotDot();
    return true;
  });
  EXPECT_EQ(
      are_dots,
      (std::map<std::string, bool>{
          {".", true}, {"..", true}, {".hidden", false}, {"..data", false}, {"...", false}, {"a", false}}));
}

TEST_F(ForEachEntryTest, GivesTheTypeWhereTheFileSystemTells) {
  ASSERT_EQ(mkdir(directory_.File("directory").c_str(), 0700), 0);
  ASSERT_EQ(symlink("directory", directory_.File("link").c_str()), 0);
  std::map<std::string, uint8_t> types;
  const UniqueFd directory = Open();
  ForEachEntry(directory.get(), [&](const DirectoryEntry& entry) {
    if (entry.type != DT_UNKNOWN) types[entry.name] = entry.type;
    return true;
  });
  if (types.empty()) return;
  EXPECT_EQ(types["directory"], DT_DIR);
  EXPECT_EQ(types["link"], DT_LNK);
}

TEST_F(ForEachEntryTest, FailsOnWhatIsNoDirectory) {
  MakeFiles(1);
  const UniqueFd file(open(directory_.File("file 0").c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_FALSE(ForEachEntry(file.get(), [](const DirectoryEntry&) { return true; }));
  EXPECT_EQ(errno, ENOTDIR);
}

}  // namespace
}  // namespace bashward::sys
