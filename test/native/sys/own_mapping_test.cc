#include "sys/own_mapping.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "support/temporary_directory.h"
#include "sys/unique_fd.h"

namespace bashward::sys {
namespace {

class OwnMapping : public ::testing::Test {
 protected:
  OwnMapping() : size_(4 * static_cast<size_t>(sysconf(_SC_PAGESIZE))) { Write('a'); }
  ~OwnMapping() override {
    if (start_ != nullptr) munmap(start_, size_);
  }

  // In place, as `cp` does it.
  void Write(char byte) const {
    const UniqueFd file(open(path().c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    const std::string content(size_, byte);
    ASSERT_EQ(write(file.get(), content.data(), size_), static_cast<ssize_t>(size_));
  }
  char* Map(int protection) {
    const UniqueFd file(open(path().c_str(), O_RDONLY | O_CLOEXEC));
    start_ = static_cast<char*>(mmap(nullptr, size_, protection, MAP_PRIVATE, file.get(), 0));
    EXPECT_NE(start_, MAP_FAILED);
    return start_;
  }
  std::string Content() const { return {start_, size_}; }
  std::string All(char byte) const { return std::string(size_, byte); }
  std::string path() const { return directory_.File("mapped"); }
  size_t size() const { return size_; }

 private:
  test::TemporaryDirectory directory_;
  size_t size_;
  char* start_ = nullptr;
};

// Without it there would be nothing to do.
TEST_F(OwnMapping, ShowsWhatIsWrittenToTheFileBefore) {
  Map(PROT_READ);
  Write('b');
  EXPECT_EQ(Content(), All('b'));
}

TEST_F(OwnMapping, KeepsWhatCannotBeWritten) {
  char* const start = Map(PROT_READ);
  ASSERT_TRUE(DetachFromFile(start + size() / 2));
  Write('b');
  EXPECT_EQ(Content(), All('a'));
}

TEST_F(OwnMapping, KeepsWhatCanBeWritten) {
  char* const start = Map(PROT_READ | PROT_WRITE);
  start[1] = 'x';
  ASSERT_TRUE(DetachFromFile(start));
  Write('b');
  EXPECT_EQ(start[1], 'x');
  start[1] = 'a';
  EXPECT_EQ(Content(), All('a'));
}

TEST_F(OwnMapping, KeepsEveryPartOfTheFile) {
  char* const start = Map(PROT_READ);
  ASSERT_EQ(mprotect(start, size() / 2, PROT_READ | PROT_WRITE), 0);
  ASSERT_TRUE(DetachFromFile(start));
  Write('b');
  EXPECT_EQ(Content(), All('a'));
}

TEST_F(OwnMapping, SurvivesTheEndOfTheFile) {
  char* const start = Map(PROT_READ | PROT_EXEC);
  ASSERT_TRUE(DetachFromFile(start));
  ASSERT_EQ(truncate(path().c_str(), 0), 0);
  EXPECT_EQ(Content(), All('a'));
}

TEST_F(OwnMapping, CanBeDetachedTwice) {
  char* const start = Map(PROT_READ);
  EXPECT_TRUE(DetachFromFile(start));
  EXPECT_TRUE(DetachFromFile(start));
}

TEST_F(OwnMapping, SaysThatAnAddressIsNotMapped) {
  EXPECT_FALSE(DetachFromFile(nullptr));
}

}  // namespace
}  // namespace bashward::sys
