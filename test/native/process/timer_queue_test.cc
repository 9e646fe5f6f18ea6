#include "process/timer_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace bashward::process {
namespace {

constexpr uint64_t kHour = uint64_t{3600} * 1000 * kNsPerMs;
uint64_t After(uint64_t delay_ns) {
  return MonotonicNs() + delay_ns;
}

TEST(TimerQueue, HasNoDeadlineWhenEmpty) {
  EXPECT_EQ(TimerQueue().next(), TimerQueue::kNever);
}

TEST(TimerQueue, KnowsTheEarliestDeadline) {
  TimerQueue queue;
  Timer late(queue, [] {});
  Timer early(queue, [] {});
  late.SetIn(2 * kHour);
  early.SetIn(kHour);
  EXPECT_LE(queue.next(), After(kHour));
  EXPECT_GT(queue.next(), MonotonicNs());
}

TEST(TimerQueue, RunsWhatIsDueInTheOrderOfDeadlines) {
  TimerQueue queue;
  std::string order;
  Timer third(queue, [&] { order += "3"; });
  Timer first(queue, [&] { order += "1"; });
  Timer second(queue, [&] { order += "2"; });
  third.SetIn(3 * kHour);
  first.SetIn(kHour);
  second.SetIn(2 * kHour);
  queue.RunDue(After(2 * kHour));
  EXPECT_EQ(order, "12");
  EXPECT_TRUE(third.pending());
}

TEST(TimerQueue, LeavesWhatIsNotDue) {
  TimerQueue queue;
  bool ran = false;
  Timer timer(queue, [&] { ran = true; });
  timer.SetIn(kHour);
  queue.RunDue(MonotonicNs());
  EXPECT_FALSE(ran);
}

TEST(Timer, RunsOnce) {
  TimerQueue queue;
  int runs = 0;
  Timer timer(queue, [&] { ++runs; });
  timer.SetIn(0);
  queue.RunDue(After(kHour));
  queue.RunDue(After(kHour));
  EXPECT_EQ(runs, 1);
  EXPECT_FALSE(timer.pending());
}

TEST(Timer, ReplacesItsDeadlineWhenItIsSetAgain) {
  TimerQueue queue;
  int runs = 0;
  Timer timer(queue, [&] { ++runs; });
  timer.SetIn(kHour);
  timer.SetIn(3 * kHour);
  queue.RunDue(After(2 * kHour));
  EXPECT_EQ(runs, 0);
  queue.RunDue(After(4 * kHour));
  EXPECT_EQ(runs, 1);
}

TEST(Timer, DoesNotRunOnceCleared) {
  TimerQueue queue;
  int runs = 0;
  Timer timer(queue, [&] { ++runs; });
  timer.SetIn(0);
  timer.Clear();
  timer.Clear();
  queue.RunDue(After(kHour));
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(queue.next(), TimerQueue::kNever);
}

TEST(Timer, LeavesTheQueueWhenItIsDestroyed) {
  TimerQueue queue;
  {
    Timer timer(queue, [] { FAIL() << "it is gone"; });
    timer.SetIn(0);
  }
  queue.RunDue(After(kHour));
}

TEST(Timer, CanBeSetAgainByItsOwnCallback) {
  TimerQueue queue;
  int runs = 0;
  Timer* self = nullptr;
  Timer timer(queue, [&] {
    if (++runs < 3) self->SetIn(0);
  });
  self = &timer;
  timer.SetIn(0);
  queue.RunDue(After(kHour));
  EXPECT_EQ(runs, 3);
}

TEST(Timer, CanClearAnotherOfTheSameDeadline) {
  TimerQueue queue;
  int runs = 0;
  Timer* one_pointer = nullptr;
  Timer* other_pointer = nullptr;
  Timer one(queue, [&] {
    ++runs;
    other_pointer->Clear();
  });
  Timer other(queue, [&] {
    ++runs;
    one_pointer->Clear();
  });
  one_pointer = &one;
  other_pointer = &other;
  one.SetIn(0);
  other.SetIn(0);
  queue.RunDue(After(kHour));
  EXPECT_EQ(runs, 1);
}

TEST(MonotonicNs, NeverGoesBack) {
  uint64_t last = MonotonicNs();
  for (int i = 0; i < 1000; ++i) {
    const uint64_t now = MonotonicNs();
    ASSERT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace bashward::process
