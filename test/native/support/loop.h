// Driving an event loop from a test.
#ifndef BASHWARD_TEST_SUPPORT_LOOP_H_
#define BASHWARD_TEST_SUPPORT_LOOP_H_

#include <gtest/gtest.h>

#include <chrono>

#include "process/event_loop.h"
#include "support/wait.h"

namespace bashward::test {

// Runs rounds of the loop until `condition()`; a failure when it does not become true within kPatience.
template <typename Condition>
void RunUntil(process::EventLoop& loop, Condition condition) {
  bool expired = false;
  process::Timer guard(loop.timers(), [&expired] { expired = true; });
  guard.SetIn(static_cast<uint64_t>(std::chrono::nanoseconds(kPatience).count()));
  while (!condition() && !expired) loop.RunOnce();
  EXPECT_FALSE(expired) << "the loop waited in vain";
}

// Runs rounds of the loop until nothing is ready any more.
inline void RunWhatIsReady(process::EventLoop& loop) {
  bool idle = false;
  process::Timer soon(loop.timers(), [&idle] { idle = true; });
  // A timer runs after the events of its round: a few rounds reach what the events themselves made ready.
  for (int round = 0; round < 8; ++round) {
    soon.SetIn(0);
    loop.RunOnce();
  }
  EXPECT_TRUE(idle);
}

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_LOOP_H_
