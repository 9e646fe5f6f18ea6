#include "sys/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <limits.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "support/descriptors.h"
#include "support/forked.h"
#include "support/seccomp.h"
#include "sys/signals.h"
#include "sys/vfork.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

namespace bashward::sys {
namespace {

constexpr int kFarAway = 900;

// The targets are moved up, because they would be the tests' own stdin, stdout and stderr, which failures
// are printed to.
constexpr int kFirst = 20;

ino_t Inode(int fd) {
  struct stat status{};
  return fstat(fd, &status) == 0 ? status.st_ino : 0;
}

// Opens a new file as descriptor `fd`.
void OpenAt(int fd) {
  const int file = memfd_create("test", MFD_CLOEXEC);
  ASSERT_GE(file, 0);
  if (file == fd) return;
  ASSERT_EQ(dup3(file, fd, O_CLOEXEC), fd);
  close(file);
}

// Places `sources` and expects each target to be what its source was, open across execve. Descriptors from 20
// on and those of the target range are new files before. Ends the process: its stdout is gone afterwards.
void PlaceAndExpect(std::vector<int> sources) {
  test::InForkedProcess([&sources] {
    const int report = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
    const auto count = static_cast<int>(sources.size());
    std::vector<ino_t> wanted;
    for (int fd = 0; fd < std::max(count, 6); ++fd) OpenAt(fd);
    for (const int source : sources) {
      if (source >= kFirst && Inode(source) == 0) OpenAt(source);
    }
    for (const int source : sources) wanted.push_back(Inode(source));
    const int result = PlaceDescriptors(sources.data(), count);
    std::vector<ino_t> got;
    std::vector<int> flags;
    for (int target = 0; target < count; ++target) {
      got.push_back(Inode(target));
      flags.push_back(fcntl(target, F_GETFD));
    }
    dup2(report, STDOUT_FILENO);
    EXPECT_EQ(result, 0);
    EXPECT_EQ(got, wanted);
    for (const int flag : flags) EXPECT_EQ(flag, 0);
  });
}

TEST(PlaceDescriptors, PlacesSourcesAboveTheTargets) {
  PlaceAndExpect({20, 21, 22, 23, 24});
}
TEST(PlaceDescriptors, LeavesWhatIsInItsPlace) {
  PlaceAndExpect({0, 1, 2, 3, 4});
}
TEST(PlaceDescriptors, Swaps) {
  PlaceAndExpect({1, 0});
}
TEST(PlaceDescriptors, Rotates) {
  PlaceAndExpect({1, 2, 3, 4, 5, 0});
}
TEST(PlaceDescriptors, RotatesTheOtherWay) {
  PlaceAndExpect({5, 0, 1, 2, 3, 4});
}
TEST(PlaceDescriptors, Reverses) {
  PlaceAndExpect({5, 4, 3, 2, 1, 0});
}
TEST(PlaceDescriptors, GivesOneSourceToSeveralTargets) {
  PlaceAndExpect({20, 21, 21, 3, 20});
}
TEST(PlaceDescriptors, GivesATargetsOwnFileToOthersToo) {
  PlaceAndExpect({2, 2, 2, 0, 1, 20});
}
TEST(PlaceDescriptors, PlacesNothing) {
  PlaceAndExpect({});
}

TEST(PlaceDescriptors, PlacesEveryPermutationOfFour) {
  std::vector<int> sources = {0, 1, 2, 3};
  do {
    PlaceAndExpect(sources);
  } while (std::next_permutation(sources.begin(), sources.end()));
}

TEST(PlaceDescriptors, FailsOnASourceThatIsNotOpen) {
  test::InForkedProcess([] {
    int sources[] = {0, 1, 2, 555};
    EXPECT_EQ(PlaceDescriptors(sources, 4), -1);
    EXPECT_EQ(errno, EBADF);
  });
}

TEST(PlaceDescriptors, FailsWhenThereIsNoRoomForACopy) {
  test::InForkedProcess([] {
    const int report = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
    for (int fd = 0; fd < 4; ++fd) OpenAt(fd);
    const rlimit limit{4, 4};
    setrlimit(RLIMIT_NOFILE, &limit);
    int sources[] = {1, 0, 3, 2};
    const int result = PlaceDescriptors(sources, 4);
    const int error = errno;
    dup2(report, STDOUT_FILENO);
    EXPECT_EQ(result, -1);
    EXPECT_EQ(error, EINVAL);  // F_DUPFD from a number that is no longer allowed
  });
}

TEST(CloseRange, ClosesEverythingInIt) {
  test::InForkedProcess([] {
    for (const int fd : {19, 20, 21, 300}) ASSERT_EQ(dup2(STDERR_FILENO, fd), fd);
    EXPECT_TRUE(CloseRange(20, INT_MAX));
    EXPECT_GE(fcntl(19, F_GETFD), 0);
    for (const int fd : {20, 21, 300}) EXPECT_LT(fcntl(fd, F_GETFD), 0) << fd;
  });
}

TEST(CloseRange, LeavesWhatIsAboveIt) {
  test::InForkedProcess([] {
    for (const int fd : {20, 21, 22}) ASSERT_EQ(dup2(STDERR_FILENO, fd), fd);
    EXPECT_TRUE(CloseRange(20, 21));
    for (const int fd : {20, 21}) EXPECT_LT(fcntl(fd, F_GETFD), 0) << fd;
    EXPECT_GE(fcntl(22, F_GETFD), 0);
  });
}

TEST(CloseRange, LetsNothingSurviveExecveWhereCloseRangeIsRefused) {
  test::InForkedProcess([] {
    test::RefuseSystemCall(SYS_close_range, EPERM);
    // More than one getdents64 buffer holds.
    for (int fd = 20; fd < 220; ++fd) ASSERT_EQ(dup2(STDERR_FILENO, fd), fd);
    ASSERT_EQ(dup2(STDERR_FILENO, 19), 19);
    const size_t before = test::OpenDescriptors().size();
    EXPECT_TRUE(CloseRange(20, INT_MAX));
    EXPECT_EQ(fcntl(19, F_GETFD), 0);
    for (int fd = 20; fd < 220; ++fd) EXPECT_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC) << fd;
    EXPECT_EQ(test::OpenDescriptors().size(), before);
  });
}

TEST(CloseRange, FailsWhereTheDescriptorsAreNotShownEither) {
  for (const long call : {SYS_openat, SYS_getdents64}) {
    test::InForkedProcess([call] {
      test::RefuseSystemCall(SYS_close_range, EPERM);
      test::RefuseSystemCall(call, EACCES);
      EXPECT_FALSE(CloseRange(20, INT_MAX));
      EXPECT_EQ(errno, EACCES);
    });
  }
}

// Runs `leave` in a child that shares its parent's descriptors, and has it open one afterwards: whether the
// parent then has that one, too.
bool SharesWhatFollows(bool (*leave)()) {
  struct Child {
    bool (*leave)();
    bool left;
  } child{leave, false};
  alignas(16) static char stack[kVforkStackSize];
  const auto run = [](void* argument) {
    auto* self = static_cast<Child*>(argument);
    self->left = self->leave();
    syscall(SYS_dup3, STDERR_FILENO, kFarAway, O_CLOEXEC);
    return 0;
  };
  const SignalBlock block;
  const pid_t pid = Vfork(run, &child, stack, nullptr, CLONE_FILES);
  EXPECT_GT(pid, 1);
  EXPECT_TRUE(child.left);
  EXPECT_EQ(waitpid(pid, nullptr, 0), pid);
  return fcntl(kFarAway, F_GETFD) >= 0;
}

TEST(LeaveDescriptorTable, KeepsWhatFollowsFromTheParent) {
  test::InForkedProcess([] {
    EXPECT_FALSE(SharesWhatFollows(LeaveDescriptorTable));
    EXPECT_TRUE(SharesWhatFollows([] { return true; }));
  });
}

TEST(LeaveDescriptorTable, WorksWhereAContainerRefusesOneOfItsTwoWays) {
  for (const long call : {long{SYS_close_range}, long{SYS_unshare}}) {
    test::InForkedProcess([call] {
      test::RefuseSystemCall(call, EPERM);
      EXPECT_FALSE(SharesWhatFollows(LeaveDescriptorTable));
    });
  }
}

}  // namespace
}  // namespace bashward::sys
