// epoll, timers and work posted from other threads, for one thread.
#ifndef BASHWARD_PROCESS_EVENT_LOOP_H_
#define BASHWARD_PROCESS_EVENT_LOOP_H_

#include <sys/epoll.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "process/timer_queue.h"
#include "sys/unique_fd.h"

namespace bashward::process {

class EventLoop {
 public:
  // Drops tasks that were posted since the last round; no thread may post any more.
  ~EventLoop();

  // 0, or the errno of the call that failed. The loop can be used only after 0.
  int Open();

  TimerQueue& timers() { return timers_; }

  // Runs `task` on the loop's thread, soon. From any thread.
  void Post(std::function<void()> task);
  // Runs `task` after the current round of events. From the loop's thread: for an object that ends itself in
  // a callback of its own.
  void Defer(std::function<void()> task) { deferred_.push_back(std::move(task)); }

  // Never returns.
  void Run();
  // One round: waits for the next event, timer or task and handles what is there.
  void RunOnce();

 private:
  friend class Watch;
  // Handles everything that the descriptors have, waiting for it until the next timer. Returns the latest
  // moment after which each of them was looked at: a timer that is due by then comes after all that happened
  // before it, even if this process was stopped in between (SIGSTOP, a frozen cgroup).
  uint64_t Look();
  // As epoll_wait(2): 0 only when the timeout has passed.
  int Wait(uint64_t timeout_ns);
  int Poll(epoll_event* events, uint64_t timeout_ns);
  void RunPosted();

  sys::UniqueFd epoll_;
  sys::UniqueFd wake_;
  TimerQueue timers_;
  // Events carry an id, not a pointer: an event that was queued before its watch ended finds nothing.
  std::unordered_map<uint64_t, class Watch*> watches_;
  uint64_t next_watch_id_ = 1;
  std::vector<std::function<void()>> deferred_;
  bool has_pwait2_ = true;
  bool is_woken_ = false;
  std::mutex mutex_;  // guards posted_
  std::vector<std::function<void()>> posted_;
};

// Watches a descriptor as long as this object lives. Does not own the descriptor, and must end before it.
class Watch {
 public:
  Watch(EventLoop& loop, std::function<void(uint32_t events)> callback)
      : loop_(loop), callback_(std::move(callback)) {}
  ~Watch() { Stop(); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // Starts watching, or changes the events of a watch that runs. 0 or errno.
  int Set(int fd, uint32_t events);
  void Stop();
  bool active() const { return id_ != 0; }

 private:
  friend class EventLoop;
  EventLoop& loop_;
  std::function<void(uint32_t)> callback_;
  int fd_ = -1;
  uint64_t id_ = 0;
};

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_EVENT_LOOP_H_
