#include "sys/memory_file.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "support/forked.h"

namespace bashward::sys {
namespace {

TEST(MakeMemoryFile, HasTheBytesFromItsBeginningOn) {
  const std::string bytes(3'000'000, 'b');
  const UniqueFd file = MakeMemoryFile(bytes, "test");
  std::string got(bytes.size() + 1, '\0');
  size_t size = 0;
  for (ssize_t count = 1; count > 0; size += static_cast<size_t>(count)) {
    count = read(file.get(), got.data() + size, got.size() - size);
    ASSERT_GE(count, 0);
  }
  got.resize(size);
  EXPECT_TRUE(got == bytes);
}

TEST(MakeMemoryFile, MayBeEmpty) {
  const UniqueFd file = MakeMemoryFile({}, "test");
  char byte = 0;
  EXPECT_EQ(read(file.get(), &byte, 1), 0);
}

TEST(MakeMemoryFile, CannotBeChangedByWhoeverOpensIt) {
  const UniqueFd file = MakeMemoryFile("abc", "test");
  EXPECT_EQ(pwrite(file.get(), "x", 1, 0), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(ftruncate(file.get(), 0), -1);
  EXPECT_EQ(fcntl(file.get(), F_GETFD), FD_CLOEXEC);
}

TEST(MakeMemoryFile, FailsWithoutADescriptor) {
  test::InForkedProcess([] {
    const rlimit none{0, 0};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    EXPECT_FALSE(MakeMemoryFile("abc", "test").valid());
    EXPECT_EQ(errno, EMFILE);
  });
}

}  // namespace
}  // namespace bashward::sys
