#include "support/forked.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(BASHWARD_LOOK_FOR_LEAKS)
#include <sanitizer/lsan_interface.h>
#endif

#include "support/wait.h"
#include "sys/signals.h"
#include "sys/unique_fd.h"

namespace bashward::test {
namespace {

#if defined(BASHWARD_LOOK_FOR_LEAKS)

void LiftLimit(decltype(RLIMIT_NOFILE) resource) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(resource, &limit);
}

// LeakSanitizer searches a process by ptrace(2), from another one. That fails where system calls are
// filtered, where the user was changed, or where /proc cannot be read.
bool CanBeSearched() {
  if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0 || prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 1) return false;
  LiftLimit(RLIMIT_NOFILE);
  LiftLimit(RLIMIT_NPROC);
  const sys::UniqueFd threads[] = {sys::UniqueFd(open("/proc/self/task", O_RDONLY)),
                                   sys::UniqueFd(open("/proc/self/task", O_RDONLY)),
                                   sys::UniqueFd(open("/proc/self/task", O_RDONLY))};
  return threads[2].valid();
}

// It does so when a process calls exit(3), not at _exit(2).
void ExpectNoLeaks() {
  if (!CanBeSearched()) return;
  EXPECT_EQ(__lsan_do_recoverable_leak_check(), 0) << "memory has leaked, see above";
}

#else

void ExpectNoLeaks() {}

#endif

}  // namespace

pid_t Fork(const std::function<void()>& body) {
  fflush(nullptr);  // or the child prints what is buffered once more
  const pid_t pid = fork();
  if (pid != 0) {
    EXPECT_GT(pid, 0);
    return pid;
  }
  body();
  ExpectNoLeaks();
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
