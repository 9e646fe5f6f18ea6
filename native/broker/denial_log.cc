#include "broker/denial_log.h"

#include <string.h>

namespace bashward::broker {
namespace {

bool IsSame(const Denial& denial, protocol::Operation operation, const char* target, size_t size) {
  if (denial.operation != operation || denial.size != size) return false;
  size_t i = 0;
  while (i < size && denial.target[i] == target[i]) ++i;
  return i == size;
}

}  // namespace

void DenialLog::Add(protocol::Operation operation, const char* target, size_t size) {
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
  __atomic_store_n(&count_, count_ + 1, __ATOMIC_RELEASE);
}

}  // namespace bashward::broker
