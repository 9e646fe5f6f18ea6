#include "process/timer_queue.h"

#include <time.h>

namespace bashward::process {

uint64_t MonotonicNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

void TimerQueue::RunDue(uint64_t now) {
  while (!timers_.empty() && timers_.begin()->first <= now) {
    Timer* timer = timers_.begin()->second;
    timer->Clear();
    timer->callback_();
  }
}

void Timer::SetIn(uint64_t delay_ns) {
  Clear();
  position_ = queue_.timers_.emplace(MonotonicNs() + delay_ns, this);
  pending_ = true;
}

void Timer::Clear() {
  if (!pending_) return;
  queue_.timers_.erase(position_);
  pending_ = false;
}

}  // namespace bashward::process
