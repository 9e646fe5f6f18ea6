#include "process/event_loop.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

namespace bashward::process {
namespace {

constexpr uint64_t kWakeId = 0;
constexpr int kEventsPerRound = 64;

}  // namespace

EventLoop::~EventLoop() {
  // After whoever has posted the last one.
  const std::lock_guard<std::mutex> lock(mutex_);
  posted_.clear();
}

int EventLoop::Open() {
  epoll_.reset(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_.valid()) return errno;
  wake_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_.valid()) return errno;
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kWakeId;
  return epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event) == 0 ? 0 : errno;
}

void EventLoop::Post(std::function<void()> task) {
  bool first = false;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    first = posted_.empty();
    posted_.push_back(std::move(task));
  }
  if (!first) return;  // the loop has been woken for the first of them
  const uint64_t one = 1;
  ssize_t written = 0;
  do {
    written = write(wake_.get(), &one, sizeof one);
  } while (written < 0 && errno == EINTR);
}

void EventLoop::RunPosted() {
  is_woken_ = false;
  uint64_t count = 0;
  (void)!read(wake_.get(), &count, sizeof count);
  std::vector<std::function<void()>> tasks;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    tasks.swap(posted_);
  }
  for (auto& task : tasks) task();
}

void EventLoop::Run() {
  for (;;) RunOnce();
}

void EventLoop::RunOnce() {
  timers_.RunDue(Look());
  // A task may defer another; those run now as well.
  for (size_t i = 0; i < deferred_.size(); ++i) {
    auto task = std::move(deferred_[i]);
    task();
  }
  deferred_.clear();
}

uint64_t EventLoop::Look() {
  const uint64_t next = timers_.next();
  const uint64_t begin = MonotonicNs();
  uint64_t timeout = TimerQueue::kNever;
  if (next != TimerQueue::kNever) timeout = next > begin ? next - begin : 0;
  const int count = Wait(timeout);
  // Each descriptor that was ready keeps its place in the kernel's list until it has been told of.
  size_t rounds = count == kEventsPerRound ? watches_.size() / kEventsPerRound + 1 : 0;
  while (rounds > 0 && Wait(0) == kEventsPerRound) --rounds;
  if (is_woken_) RunPosted();
  if (count < 0) return 0;
  return count == 0 ? std::max(begin, next) : begin;
}

int EventLoop::Poll(epoll_event* events, uint64_t timeout_ns) {
  timespec timeout{};
  timeout.tv_sec = static_cast<time_t>(timeout_ns / 1'000'000'000);
  timeout.tv_nsec = static_cast<long>(timeout_ns % 1'000'000'000);
  const timespec* limit = timeout_ns == TimerQueue::kNever ? nullptr : &timeout;
  // Pauses between reads are shorter than the milliseconds of epoll_wait; epoll_pwait2 came with Linux 5.11.
  if (has_pwait2_) {
    const int count =
        static_cast<int>(syscall(SYS_epoll_pwait2, epoll_.get(), events, kEventsPerRound, limit, nullptr, 0));
    if (count >= 0 || (errno != ENOSYS && errno != EPERM)) return count;
    has_pwait2_ = false;
  }
  pollfd ready{epoll_.get(), POLLIN, 0};
  const int found = ppoll(&ready, 1, limit, nullptr);
  if (found <= 0) return found;
  const int count = epoll_wait(epoll_.get(), events, kEventsPerRound, 0);
  // Woken for nothing, it has not waited until the timeout.
  return count == 0 ? -1 : count;
}

int EventLoop::Wait(uint64_t timeout_ns) {
  epoll_event events[kEventsPerRound];
  const int count = Poll(events, timeout_ns);
  for (int i = 0; i < count; ++i) {
    // A copy: epoll_event is packed on x86-64, and a reference to what is in it would be misaligned.
    const uint64_t id = events[i].data.u64;
    if (id == kWakeId) {
      // Later: a task that cancels a command comes after the end of the command that lies there already.
      is_woken_ = true;
      continue;
    }
    auto watch = watches_.find(id);
    if (watch != watches_.end()) watch->second->callback_(events[i].events);
  }
  return count;
}

int Watch::Set(int fd, uint32_t events) {
  epoll_event event{};
  event.events = events;
  if (id_ != 0) {
    event.data.u64 = id_;
    return epoll_ctl(loop_.epoll_.get(), EPOLL_CTL_MOD, fd_, &event) == 0 ? 0 : errno;
  }
  event.data.u64 = loop_.next_watch_id_;
  if (epoll_ctl(loop_.epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) return errno;
  id_ = loop_.next_watch_id_++;
  fd_ = fd;
  loop_.watches_.emplace(id_, this);
  return 0;
}

void Watch::Stop() {
  if (id_ == 0) return;
  epoll_ctl(loop_.epoll_.get(), EPOLL_CTL_DEL, fd_, nullptr);
  loop_.watches_.erase(id_);
  id_ = 0;
  fd_ = -1;
}

}  // namespace bashward::process
