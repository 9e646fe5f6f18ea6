#include "sys/own_mapping.h"

#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "support/temporary_directory.h"
#include "sys/unique_fd.h"

namespace bashward::sys {
namespace {

// A library as a loader maps it: pages that are read, pages that are executed, and pages of data, of which
// the first is read-only after relocation, and the last has zeros that are not in the file.
class OwnMapping : public ::testing::Test {
 protected:
  enum Page { kRead = 0, kExecuted = 2, kRelocated = 4, kData = 5, kEnd = 7 };

  OwnMapping() : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))) {
    Write(FileContent());
    Map();
  }
  ~OwnMapping() override { munmap(start_, size()); }

  size_t size() const { return kEnd * page_; }
  char* At(int page) const { return start_ + page * page_; }
  const ElfW(Ehdr) * header() const { return reinterpret_cast<const ElfW(Ehdr)*>(start_); }
  // Without what lies behind the file's end, which shows as zeros.
  std::string Content() const { return {start_, size() - page_ / 2}; }
  // In place, as `cp` does it: an empty file, and then the content.
  void Write(const std::string& content) const {
    const UniqueFd file(open(path().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    ASSERT_EQ(write(file.get(), content.data(), content.size()), static_cast<ssize_t>(content.size()));
  }
  std::string path() const { return directory_.File("library"); }
  int MappingsOfFile() const {
    std::ifstream maps("/proc/self/maps");
    int count = 0;
    for (std::string line; std::getline(maps, line);) {
      if (line.find(path()) != std::string::npos) ++count;
    }
    return count;
  }

 private:
  ElfW(Phdr) Segment(ElfW(Word) type, int from, int to, ElfW(Word) flags) const {
    ElfW(Phdr) segment{};
    segment.p_type = type;
    segment.p_flags = flags;
    segment.p_offset = segment.p_vaddr = from * page_;
    segment.p_filesz = segment.p_memsz = (to - from) * page_;
    return segment;
  }
  std::string FileContent() const {
    ElfW(Phdr) segments[] = {
        Segment(PT_LOAD, kRead, kExecuted, PF_R),
        Segment(PT_LOAD, kExecuted, kRelocated, PF_R | PF_X),
        Segment(PT_LOAD, kRelocated, kEnd, PF_R | PF_W),
        Segment(PT_GNU_RELRO, kRelocated, kData, PF_R),
    };
    segments[2].p_filesz -= page_ / 2;
    ElfW(Ehdr) header{};
    header.e_phoff = sizeof header;
    header.e_phnum = sizeof segments / sizeof segments[0];
    std::string content(size() - page_ / 2, 'a');
    memcpy(content.data(), &header, sizeof header);
    memcpy(content.data() + sizeof header, segments, sizeof segments);
    return content;
  }
  void Map() {
    const UniqueFd file(open(path().c_str(), O_RDONLY | O_CLOEXEC));
    start_ = static_cast<char*>(mmap(nullptr, size(), PROT_READ, MAP_PRIVATE, file.get(), 0));
    ASSERT_NE(start_, MAP_FAILED);
    ASSERT_EQ(mprotect(At(kExecuted), 2 * page_, PROT_READ | PROT_EXEC), 0);
    ASSERT_EQ(mprotect(At(kData), 2 * page_, PROT_READ | PROT_WRITE), 0);
  }

  test::TemporaryDirectory directory_;
  size_t page_;
  char* start_ = nullptr;
};

// Without it there would be nothing to do.
TEST_F(OwnMapping, OtherwiseLosesWhatItHasWrittenWhenTheFileIsTruncated) {
  *At(kData) = 'b';
  Write(std::string(size(), 'c'));
  EXPECT_EQ(*At(kData), 'c');
}

TEST_F(OwnMapping, KeepsEverythingWhateverIsWrittenToTheFile) {
  *At(kData) = 'b';
  const std::string before = Content();
  ASSERT_TRUE(DetachFromFile(header()));
  Write(std::string(size(), 'c'));
  EXPECT_EQ(Content(), before);
}

TEST_F(OwnMapping, KeepsEverythingWhenTheFileIsTruncated) {
  const std::string before = Content();
  ASSERT_TRUE(DetachFromFile(header()));
  ASSERT_EQ(truncate(path().c_str(), 0), 0);
  EXPECT_EQ(Content(), before);
}

TEST_F(OwnMapping, HasNothingMappedFromTheFileAnyMore) {
  ASSERT_GT(MappingsOfFile(), 0);
  ASSERT_TRUE(DetachFromFile(header()));
  EXPECT_EQ(MappingsOfFile(), 0);
}

TEST_F(OwnMapping, KeepsTheRightsOfEachPage) {
  ASSERT_TRUE(DetachFromFile(header()));
  const auto rights_of = [](const char* address) {
    std::ifstream file("/proc/self/maps");
    const auto wanted = reinterpret_cast<uintptr_t>(address);
    for (std::string line; std::getline(file, line);) {
      unsigned long start = 0;
      unsigned long end = 0;
      char rights[5] = {};
      if (sscanf(line.c_str(), "%lx-%lx %4s", &start, &end, rights) == 3 && start <= wanted && wanted < end) {
        return std::string(rights);
      }
    }
    return std::string();
  };
  EXPECT_EQ(rights_of(At(kRead)), "r--p");
  EXPECT_EQ(rights_of(At(kExecuted)), "r-xp");
  EXPECT_EQ(rights_of(At(kRelocated)), "r--p");
  EXPECT_EQ(rights_of(At(kData)), "rw-p");
}

TEST_F(OwnMapping, MayBeDoneTwice) {
  ASSERT_TRUE(DetachFromFile(header()));
  const std::string before = Content();
  ASSERT_TRUE(DetachFromFile(header()));
  EXPECT_EQ(Content(), before);
}

}  // namespace
}  // namespace bashward::sys
