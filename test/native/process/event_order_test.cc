// A timer that is due never comes before what the descriptors had when it became due.
#include <errno.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/syscall.h>

#include <memory>
#include <string>
#include <vector>

#include "process/event_loop.h"
#include "support/descriptors.h"
#include "support/forked.h"
#include "support/loop.h"
#include "support/seccomp.h"

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

namespace bashward::process {
namespace {

using test::Pipe;

constexpr uint64_t kDelayNs = 2 * kNsPerMs;

// For the time that a stopped process does not run.
void SpendTime(uint64_t duration_ns) {
  const uint64_t end = MonotonicNs() + duration_ns;
  while (MonotonicNs() < end) {
  }
}

int stopped_wait_pipe = -1;

// The place of epoll_pwait2(2) in a process that is stopped in it and continued later: meanwhile something
// came, and the timer became due. signal(7) lists the calls that then fail with EINTR.
long StopInTheWait(const uint64_t*) {
  if (stopped_wait_pipe < 0) return -ENOSYS;
  test::WriteAll(stopped_wait_pipe, "x");
  stopped_wait_pipe = -1;
  SpendTime(2 * kDelayNs);
  return -EINTR;
}

TEST(EventOrder, PutsWhatCameWhileTheProcessWasStoppedBeforeATimer) {
  test::InForkedProcess([] {
    EventLoop loop;
    ASSERT_EQ(loop.Open(), 0);
    Pipe pipe;
    std::string order;
    Watch watch(loop, [&](uint32_t) {
      order += "event ";
      watch.Stop();
    });
    ASSERT_EQ(watch.Set(pipe.read_end.get(), EPOLLIN), 0);
    Timer timer(loop.timers(), [&] { order += "timer "; });
    stopped_wait_pipe = pipe.write_end.get();
    test::AnswerSystemCall(SYS_epoll_pwait2, StopInTheWait);
    timer.SetIn(kDelayNs);
    test::RunUntil(loop, [&] { return order.find("timer") != std::string::npos; });
    EXPECT_EQ(order, "event timer ");
  });
}

// The timer becomes due while the events of a look are handled, and something more comes.
TEST(EventOrder, PutsWhatCameDuringTheHandlersBeforeATimer) {
  EventLoop loop;
  ASSERT_EQ(loop.Open(), 0);
  Pipe first;
  Pipe second;
  std::string order;
  Timer timer(loop.timers(), [&] { order += "timer "; });
  Watch first_watch(loop, [&](uint32_t) {
    first_watch.Stop();
    test::WriteAll(second.write_end.get(), "x");
    SpendTime(2 * kDelayNs);
    order += "first ";
  });
  Watch second_watch(loop, [&](uint32_t) {
    second_watch.Stop();
    order += "second ";
  });
  ASSERT_EQ(first_watch.Set(first.read_end.get(), EPOLLIN), 0);
  ASSERT_EQ(second_watch.Set(second.read_end.get(), EPOLLIN), 0);
  test::WriteAll(first.write_end.get(), "x");
  timer.SetIn(kDelayNs);
  test::RunUntil(loop, [&] { return order.find("timer") != std::string::npos; });
  EXPECT_EQ(order, "first second timer ");
}

TEST(EventOrder, PutsMoreEventsThanOneCallFetchesBeforeATimer) {
  constexpr size_t kPipes = 200;
  EventLoop loop;
  ASSERT_EQ(loop.Open(), 0);
  std::vector<std::unique_ptr<Pipe>> pipes;
  std::vector<std::unique_ptr<Watch>> watches;
  size_t handled = 0;
  for (size_t i = 0; i < kPipes; ++i) {
    pipes.push_back(std::make_unique<Pipe>());
    watches.push_back(std::make_unique<Watch>(loop, [&, i](uint32_t) {
      watches[i]->Stop();
      ++handled;
    }));
    ASSERT_EQ(watches[i]->Set(pipes[i]->read_end.get(), EPOLLIN), 0);
    test::WriteAll(pipes[i]->write_end.get(), "x");
  }
  size_t handled_before = 0;
  bool ran = false;
  Timer timer(loop.timers(), [&] {
    ran = true;
    handled_before = handled;
  });
  timer.SetIn(0);
  test::RunUntil(loop, [&] { return ran; });
  EXPECT_EQ(handled_before, kPipes);
}

// Who cancels a command comes after the command's own end, if that lies there.
TEST(EventOrder, PutsWhatLiesThereBeforeATask) {
  EventLoop loop;
  ASSERT_EQ(loop.Open(), 0);
  Pipe pipe;
  std::string order;
  Watch watch(loop, [&](uint32_t) {
    watch.Stop();
    order += "event ";
  });
  ASSERT_EQ(watch.Set(pipe.read_end.get(), EPOLLIN), 0);
  loop.Post([&] { order += "task "; });
  test::WriteAll(pipe.write_end.get(), "x");
  test::RunWhatIsReady(loop);
  EXPECT_EQ(order, "event task ");
}

}  // namespace
}  // namespace bashward::process
