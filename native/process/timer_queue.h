// Timers of the event loop, ordered by deadline.
#ifndef BASHWARD_PROCESS_TIMER_QUEUE_H_
#define BASHWARD_PROCESS_TIMER_QUEUE_H_

#include <cstdint>
#include <functional>
#include <map>

namespace bashward::process {

// CLOCK_MONOTONIC, in nanoseconds: a change of the wall clock moves no deadline.
uint64_t MonotonicNs();
inline constexpr uint64_t kNsPerMs = 1'000'000;

class Timer;

class TimerQueue {
 public:
  static constexpr uint64_t kNever = ~uint64_t{0};

  // The earliest deadline, or kNever.
  uint64_t next() const { return timers_.empty() ? kNever : timers_.begin()->first; }
  // Runs the callbacks of the timers that are due at `now`.
  void RunDue(uint64_t now);

 private:
  friend class Timer;
  std::multimap<uint64_t, Timer*> timers_;
};

// A one-shot timer that can be set again. Must not outlive its queue.
class Timer {
 public:
  Timer(TimerQueue& queue, std::function<void()> callback) : queue_(queue), callback_(std::move(callback)) {}
  ~Timer() { Clear(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  bool pending() const { return pending_; }
  void SetIn(uint64_t delay_ns);
  void Clear();

 private:
  friend class TimerQueue;
  TimerQueue& queue_;
  std::function<void()> callback_;
  std::multimap<uint64_t, Timer*>::iterator position_;
  bool pending_ = false;
};

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_TIMER_QUEUE_H_
