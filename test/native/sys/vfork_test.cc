#include "sys/vfork.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/forked.h"
#include "sys/signals.h"
#include "sys/unique_fd.h"

namespace bashward::sys {
namespace {

alignas(16) char stack[kVforkStackSize];

// On the tests' memory: it may not be instrumented.
__attribute__((no_sanitize("address", "thread", "undefined"))) int WriteAnswer(void* argument) {
  *static_cast<volatile int*>(argument) = 42;
  return 7;
}

TEST(Vfork, ReturnsWhenTheChildHasWrittenItsResult) {
  volatile int answer = 0;
  const SignalBlock block;
  const pid_t pid = Vfork(WriteAnswer, const_cast<int*>(&answer), stack, nullptr);
  ASSERT_GT(pid, 1);
  EXPECT_EQ(answer, 42);
  int status = 0;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(Vfork, GivesADescriptorOfTheChild) {
  volatile int answer = 0;
  int descriptor = -1;
  const SignalBlock block;
  const pid_t pid = Vfork(WriteAnswer, const_cast<int*>(&answer), stack, &descriptor);
  ASSERT_GT(pid, 1);
  const UniqueFd pidfd(descriptor);
  EXPECT_EQ(fcntl(pidfd.get(), F_GETFD), FD_CLOEXEC);
  pollfd ended{pidfd.get(), POLLIN, 0};
  EXPECT_EQ(poll(&ended, 1, 10'000), 1);
  EXPECT_EQ(waitpid(pid, nullptr, 0), pid);
}

TEST(Vfork, FailsWithoutADescriptorToGive) {
  test::InForkedProcess([] {
    const rlimit limit{0, 0};
    setrlimit(RLIMIT_NOFILE, &limit);
    volatile int answer = 0;
    int descriptor = -1;
    const SignalBlock block;
    EXPECT_EQ(Vfork(WriteAnswer, const_cast<int*>(&answer), stack, &descriptor), -1);
    EXPECT_EQ(errno, EMFILE);
    EXPECT_EQ(answer, 0);
  });
}

}  // namespace
}  // namespace bashward::sys
