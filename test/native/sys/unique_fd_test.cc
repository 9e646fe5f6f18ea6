#include "sys/unique_fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <utility>

namespace bashward::sys {
namespace {

int OpenNull() {
  return open("/dev/null", O_RDONLY | O_CLOEXEC);
}
bool IsOpen(int fd) {
  return fcntl(fd, F_GETFD) >= 0;
}

TEST(UniqueFd, ClosesWithItsScope) {
  const int fd = OpenNull();
  {
    const UniqueFd owner(fd);
  }
  EXPECT_FALSE(IsOpen(fd));
}

TEST(UniqueFd, ClosesTheOldOneWhenItIsGivenAnother) {
  const int first = OpenNull();
  const int second = OpenNull();
  UniqueFd owner(first);
  owner.reset(second);
  EXPECT_FALSE(IsOpen(first));
  EXPECT_TRUE(IsOpen(second));
}

TEST(UniqueFd, KeepsTheDescriptorOpenWhenItIsReleased) {
  UniqueFd owner(OpenNull());
  const int fd = owner.release();
  EXPECT_FALSE(owner.valid());
  EXPECT_TRUE(IsOpen(fd));
  close(fd);
}

TEST(UniqueFd, HandsTheDescriptorOverWhenItIsMoved) {
  UniqueFd from(OpenNull());
  const int fd = from.get();
  UniqueFd to(OpenNull());
  const int replaced = to.get();
  to = std::move(from);
  EXPECT_EQ(to.get(), fd);
  EXPECT_FALSE(from.valid());
  EXPECT_FALSE(IsOpen(replaced));
}

TEST(UniqueFd, SurvivesBeingMovedToItself) {
  UniqueFd owner(OpenNull());
  UniqueFd& same = owner;
  owner = std::move(same);
  EXPECT_TRUE(IsOpen(owner.get()));
}

}  // namespace
}  // namespace bashward::sys
