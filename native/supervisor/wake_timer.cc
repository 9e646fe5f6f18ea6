#include "supervisor/wake_timer.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace bashward::supervisor {
namespace {

constexpr time_t kSeconds = 2;

}  // namespace

void StartWakeTimer() {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGCONT;
  int timer = 0;
  if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) != 0) return;
  itimerspec interval{};
  interval.it_value.tv_sec = kSeconds;
  interval.it_interval.tv_sec = kSeconds;
  syscall(SYS_timer_settime, timer, 0, &interval, nullptr);
}

}  // namespace bashward::supervisor
