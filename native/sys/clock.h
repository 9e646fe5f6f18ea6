// The monotonic clock.
#ifndef BASHWARD_SYS_CLOCK_H_
#define BASHWARD_SYS_CLOCK_H_

#include <stdint.h>
#include <time.h>

namespace bashward::sys {

inline uint64_t NowMs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1'000'000;
}

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_CLOCK_H_
