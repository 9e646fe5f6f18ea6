#include "supervisor/wake_timer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <string>

#include "support/forked.h"
#include "sys/signals.h"

namespace bashward::supervisor {
namespace {

constexpr auto kLimit = std::chrono::seconds(20);

bool Within(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + kLimit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    const timespec pause{0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

bool IsPending(pid_t pid, int signal) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("ShdPnd:", 0) == 0)
      return (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1) != 0;
  }
  return false;
}

bool HasChanged(pid_t pid, int options) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, options | WNOHANG) == 0 && info.si_pid == pid;
}

// Has its timers, and never reads a signal.
pid_t ForkArmed() {
  return test::Fork([] {
    sys::SetSignalMask(sys::kAllSignals);
    ArmWakeTimers();
    const timespec limit{60, 0};
    nanosleep(&limit, nullptr);
  });
}

void KillAndReap(pid_t pid) {
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
}

TEST(WakeTimers, ContinueAProcessThatIsStoppedBeforeItReadsTheirSignal) {
  const pid_t pid = ForkArmed();
  EXPECT_TRUE(Within([&] { return IsPending(pid, SIGCONT); }));
  EXPECT_EQ(kill(pid, SIGSTOP), 0);
  EXPECT_TRUE(Within([&] { return HasChanged(pid, WSTOPPED); }));
  EXPECT_TRUE(Within([&] { return HasChanged(pid, WCONTINUED); }));
  KillAndReap(pid);
}

}  // namespace
}  // namespace bashward::supervisor
