#include "process/process_exits.h"

#include <sys/epoll.h>

#include <utility>

namespace bashward::process {

void ProcessExits::Add(uint64_t id, sys::UniqueFd pidfd, std::shared_ptr<ExitListener> listener) {
  const int fd = pidfd.get();
  auto entry = std::make_unique<Entry>(loop_, std::move(pidfd), std::move(listener), this, id);
  const int error = entry->watch.Set(fd, EPOLLIN);
  entries_.emplace(id, std::move(entry));
  if (error != 0) Tell(id);
}

void ProcessExits::Tell(uint64_t id) {
  const auto position = entries_.find(id);
  if (position == entries_.end()) return;
  // It is the watch of this entry that calls: it may end only behind this round.
  std::shared_ptr<Entry> entry = std::move(position->second);
  entries_.erase(position);
  entry->watch.Stop();
  entry->listener->OnExit(id);
  loop_.Defer([entry] {});
}

void ProcessExits::ForgetAll(const ExitListener* listener) {
  for (auto position = entries_.begin(); position != entries_.end();) {
    position = position->second->listener.get() == listener ? entries_.erase(position) : std::next(position);
  }
}

}  // namespace bashward::process
