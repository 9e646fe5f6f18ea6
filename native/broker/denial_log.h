// What the broker has refused: written by its threads, read by the main thread at any time.
#ifndef BASHWARD_BROKER_DENIAL_LOG_H_
#define BASHWARD_BROKER_DENIAL_LOG_H_

#include <stddef.h>
#include <stdint.h>

#include "process/control_protocol.h"

namespace bashward::broker {

inline constexpr size_t kMaxTarget = 4095;

struct Denial {
  protocol::Operation operation;
  uint32_t size;
  char target[kMaxTarget];  // the path as far as it is known, without a NUL
};

class DenialLog {
 public:
  // From any thread. The same operation on the same target is kept once; what is too long is cut off.
  void Add(protocol::Operation operation, const char* target, size_t size);

  // For any thread. What is before the count never changes again.
  uint32_t count() const { return __atomic_load_n(&count_, __ATOMIC_SEQ_CST); }
  const Denial& operator[](uint32_t i) const { return entries_[i]; }
  // Those that found no room.
  uint32_t dropped() const { return __atomic_load_n(&dropped_, __ATOMIC_ACQUIRE); }

  // Makes an eventfd readable whenever there is another entry, from now on. Look at the count afterwards.
  void WakeBy(int eventfd) { __atomic_store_n(&eventfd_, eventfd, __ATOMIC_SEQ_CST); }

 private:
  void AddLocked(protocol::Operation operation, const char* target, size_t size);

  uint32_t locked_ = 0;
  uint32_t count_ = 0;
  uint32_t dropped_ = 0;
  int eventfd_ = -1;
  Denial entries_[protocol::kMaxDenials];
};

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_DENIAL_LOG_H_
