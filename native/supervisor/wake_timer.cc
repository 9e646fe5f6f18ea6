#include "supervisor/wake_timer.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace bashward::supervisor {
namespace {

constexpr time_t kSeconds = 2;
// A stop throws away a SIGCONT that has not been read, and the timer that sent it never fires again. The
// second one comes later, and fires only then.
constexpr int kTimers = 2;

bool made[kTimers];
int timers[kTimers];

}  // namespace

void ArmWakeTimers() {
  for (int i = 0; i < kTimers; ++i) {
    if (!made[i]) {
      sigevent event{};
      event.sigev_notify = SIGEV_SIGNAL;
      event.sigev_signo = SIGCONT;
      made[i] = syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timers[i]) == 0;
      if (!made[i]) return;
    }
    itimerspec interval{};
    interval.it_value.tv_sec = kSeconds + i;
    interval.it_interval.tv_sec = kSeconds;
    syscall(SYS_timer_settime, timers[i], 0, &interval, nullptr);
  }
}

}  // namespace bashward::supervisor
