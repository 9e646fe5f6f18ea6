#include "broker/sockets/waiting_connects.h"

#include <time.h>

#include <utility>

namespace bashward::broker {
namespace {

constexpr uint64_t kFirstDelayMs = 1;
constexpr uint64_t kLongestDelayMs = 100;

}  // namespace

bool WaitingConnects::Add(WaitingConnect connect) {
  size_t free = 0;
  while (free < size_ && entries_[free].id != 0) ++free;
  if (free == kCapacity) return false;
  if (free == size_) ++size_;
  connect.delay_ms = kFirstDelayMs;
  connect.next_ms = ClockMs() + connect.delay_ms;
  entries_[free] = std::move(connect);
  return true;
}

bool WaitingConnects::HasInode(uint64_t inode) const {
  for (size_t i = 0; i < size_; ++i) {
    if (entries_[i].id != 0 && entries_[i].inode == inode) return true;
  }
  return false;
}

WaitingConnect* WaitingConnects::Due(uint64_t now_ms) {
  for (size_t i = 0; i < size_; ++i) {
    if (entries_[i].id != 0 && entries_[i].next_ms <= now_ms) return &entries_[i];
  }
  while (size_ > 0 && entries_[size_ - 1].id == 0) --size_;
  return nullptr;
}

void WaitingConnects::PutOff(WaitingConnect* connect, uint64_t now_ms) {
  connect->delay_ms *= 2;
  if (connect->delay_ms > kLongestDelayMs) connect->delay_ms = kLongestDelayMs;
  connect->next_ms = now_ms + connect->delay_ms;
}

uint64_t WaitingConnects::NextMs() const {
  uint64_t next = UINT64_MAX;
  for (size_t i = 0; i < size_; ++i) {
    if (entries_[i].id != 0 && entries_[i].next_ms < next) next = entries_[i].next_ms;
  }
  return next;
}

uint64_t ClockMs() {
  timespec now{};
  kernel::Call(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1'000'000;
}

}  // namespace bashward::broker
