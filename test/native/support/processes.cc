#include "support/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/wait.h"
#include "sys/signals.h"

namespace bashward::test {
namespace {

bool ReapOne(pid_t pid, int* status) {
  return WaitUntil([&] { return waitpid(pid, status, WNOHANG | __WALL) != 0; });
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, bool own_group) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  // Its close-on-exec end is closed by a successful execve: that is what read(2) waits for.
  int executed[2];
  EXPECT_EQ(pipe2(executed, O_CLOEXEC), 0);
  pid_ = fork();
  if (pid_ == 0) {
    if (own_group) setpgid(0, 0);
    execvp(argv[0], argv.data());
    const int error = errno;
    (void)!write(executed[1], &error, sizeof error);
    _exit(127);
  }
  close(executed[1]);
  int error = 0;
  EXPECT_EQ(read(executed[0], &error, sizeof error), 0) << arguments[0] << ": errno " << error;
  close(executed[0]);
}

ChildProcess::~ChildProcess() {
  if (pid_ <= 1) return;
  sys::SignalProcess(pid_, SIGKILL);
  int status = 0;
  ReapOne(pid_, &status);
}

int ChildProcess::Wait() {
  int status = 0;
  if (!ReapOne(pid_, &status)) {
    ADD_FAILURE() << "process " << pid_ << " does not end";
    return -1;
  }
  pid_ = -1;
  return status;
}

void BecomeSubreaper() {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
}

bool HasNoChildren() {
  siginfo_t info{};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0 && errno == ECHILD;
}

bool ReapAllChildren() {
  return WaitUntil([] {
    int status = 0;
    while (waitpid(-1, &status, WNOHANG | __WALL) > 0) {
    }
    return HasNoChildren();
  });
}

void KillAllChildren() {
  WaitUntil([] {
    // Children belong to the thread that started them.
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream children(thread.path() / "children");
      for (pid_t pid = 0; children >> pid;) sys::SignalProcess(pid, SIGKILL);
    }
    while (waitpid(-1, nullptr, WNOHANG | __WALL) > 0) {
    }
    return HasNoChildren();
  });
}

bool IsRunning(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string stat;
  if (!std::getline(file, stat)) return false;
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= stat.size()) return false;
  const char state = stat[name_end + 2];
  return state != 'Z' && state != 'X';
}

}  // namespace bashward::test
