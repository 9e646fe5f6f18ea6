#include "broker/denial_log.h"

#include <string.h>

#include "broker/kernel.h"

namespace bashward::broker {
namespace {

bool IsSame(const Denial& denial, protocol::Operation operation, const char* target, size_t size) {
  if (denial.operation != operation || denial.size != size) return false;
  size_t i = 0;
  while (i < size && denial.target[i] == target[i]) ++i;
  return i == size;
}

}  // namespace

// Held for as long as it takes to copy a text and to write to an eventfd, neither of which waits.
void DenialLog::Add(protocol::Operation operation, const char* target, size_t size) {
  while (__atomic_exchange_n(&locked_, 1, __ATOMIC_ACQUIRE) != 0) kernel::Call(SYS_sched_yield);
  AddLocked(operation, target, size);
  __atomic_store_n(&locked_, 0, __ATOMIC_RELEASE);
}

void DenialLog::AddLocked(protocol::Operation operation, const char* target, size_t size) {
  if (size > kMaxTarget) size = kMaxTarget;
  for (uint32_t i = 0; i < count_; ++i) {
    if (IsSame(entries_[i], operation, target, size)) return;
  }
  if (count_ == protocol::kMaxDenials) {
    // A command can make any number of these.
    if (dropped_ != UINT32_MAX) __atomic_store_n(&dropped_, dropped_ + 1, __ATOMIC_RELEASE);
    return;
  }
  Denial& entry = entries_[count_];
  entry.operation = operation;
  entry.size = static_cast<uint32_t>(size);
  memcpy(entry.target, target, size);
  // In one order with WakeBy() and what follows it: either side sees what the other has done.
  __atomic_store_n(&count_, count_ + 1, __ATOMIC_SEQ_CST);
  const int eventfd = __atomic_load_n(&eventfd_, __ATOMIC_SEQ_CST);
  const uint64_t one = 1;
  if (eventfd >= 0) kernel::Call(SYS_write, eventfd, &one, sizeof one);
}

}  // namespace bashward::broker
