// Tells of the ends of processes that are no children of this one.
#ifndef BASHWARD_PROCESS_PROCESS_EXITS_H_
#define BASHWARD_PROCESS_PROCESS_EXITS_H_

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "process/event_loop.h"
#include "sys/unique_fd.h"

namespace bashward::process {

// Called on the reactor's thread; must not block.
class ExitListener {
 public:
  virtual ~ExitListener() = default;
  // The only call for `id`; none once it has been forgotten.
  virtual void OnExit(uint64_t id) = 0;
};

// On the loop's thread only.
class ProcessExits {
 public:
  explicit ProcessExits(EventLoop& loop) : loop_(loop) {}
  ProcessExits(const ProcessExits&) = delete;
  ProcessExits& operator=(const ProcessExits&) = delete;

  // Where no memory is left to watch it (ENOMEM, ENOSPC), the listener is told at once: it is to look itself.
  void Add(uint64_t id, sys::UniqueFd pidfd, std::shared_ptr<ExitListener> listener);
  void Forget(uint64_t id) { entries_.erase(id); }
  void ForgetAll(const ExitListener* listener);
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    Entry(EventLoop& loop, sys::UniqueFd fd, std::shared_ptr<ExitListener> told, ProcessExits* all,
          uint64_t id)
        : pidfd(std::move(fd)),
          listener(std::move(told)),
          watch(loop, [all, id](uint32_t) { all->Tell(id); }) {}
    sys::UniqueFd pidfd;
    std::shared_ptr<ExitListener> listener;
    Watch watch;  // ends before the descriptor does
  };
  void Tell(uint64_t id);

  EventLoop& loop_;
  std::unordered_map<uint64_t, std::unique_ptr<Entry>> entries_;
};

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_PROCESS_EXITS_H_
