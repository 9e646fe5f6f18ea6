#include "support/forked.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/wait.h"
#include "sys/signals.h"

namespace bashward::test {

pid_t Fork(const std::function<void()>& body) {
  fflush(nullptr);  // or the child prints what is buffered once more
  const pid_t pid = fork();
  if (pid != 0) {
    EXPECT_GT(pid, 0);
    return pid;
  }
  body();
  fflush(nullptr);
  _exit(::testing::Test::HasFailure() ? 1 : 0);
}

void Join(pid_t pid) {
  int status = 0;
  if (!WaitUntil([&] { return waitpid(pid, &status, WNOHANG) != 0; })) {
    sys::SignalProcess(pid, SIGKILL);
    waitpid(pid, &status, 0);
    FAIL() << "the forked process did not end";
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << "the forked process failed, see above; wait status " << status;
}

void InForkedProcess(const std::function<void()>& body) {
  Join(Fork(body));
}

}  // namespace bashward::test
