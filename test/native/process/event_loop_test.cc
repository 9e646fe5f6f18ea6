#include "process/event_loop.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

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
using test::RunUntil;
using test::RunWhatIsReady;

class EventLoopTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(loop_.Open(), 0); }
  EventLoop loop_;
};

TEST_F(EventLoopTest, RunsATaskOfItsOwnThread) {
  bool ran = false;
  loop_.Post([&] { ran = true; });
  EXPECT_FALSE(ran);
  RunUntil(loop_, [&] { return ran; });
}

TEST_F(EventLoopTest, IsWokenByATaskOfAnotherThread) {
  bool ran = false;
  std::thread other([&] { loop_.Post([&] { ran = true; }); });
  RunUntil(loop_, [&] { return ran; });
  other.join();
}

TEST_F(EventLoopTest, RunsTheTasksOfEachThreadInTheirOrder) {
  constexpr int kThreads = 4;
  constexpr int kTasks = 2000;
  std::vector<std::vector<int>> ran(kThreads);
  int count = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int task = 0; task < kTasks; ++task) {
        loop_.Post([&, thread, task] {
          ran[static_cast<size_t>(thread)].push_back(task);
          ++count;
        });
      }
    });
  }
  RunUntil(loop_, [&] { return count == kThreads * kTasks; });
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<int>& tasks : ran) {
    for (int task = 0; task < kTasks; ++task) ASSERT_EQ(tasks[static_cast<size_t>(task)], task);
  }
}

TEST_F(EventLoopTest, RunsATaskThatATaskPosted) {
  bool ran = false;
  loop_.Post([&] { loop_.Post([&] { ran = true; }); });
  RunUntil(loop_, [&] { return ran; });
}

TEST_F(EventLoopTest, RunsDeferredTasksAfterTheEventsAndTimersOfTheRound) {
  std::string order;
  Timer timer(loop_.timers(), [&] { order += "timer "; });
  timer.SetIn(0);
  loop_.Post([&] {
    loop_.Defer([&] { order += "deferred "; });
    order += "task ";
  });
  loop_.RunOnce();
  EXPECT_EQ(order, "task timer deferred ");
}

TEST_F(EventLoopTest, RunsWhatADeferredTaskDefersInTheSameRound) {
  std::string order;
  loop_.Post([&] {
    loop_.Defer([&] {
      order += "1";
      for (int i = 0; i < 100; ++i) loop_.Defer([&] { order += "."; });
      loop_.Defer([&] { order += "2"; });
    });
  });
  loop_.RunOnce();
  EXPECT_EQ(order, "1" + std::string(100, '.') + "2");
}

TEST_F(EventLoopTest, RunsADeferredTaskOnce) {
  int runs = 0;
  loop_.Post([&] { loop_.Defer([&] { ++runs; }); });
  RunWhatIsReady(loop_);
  EXPECT_EQ(runs, 1);
}

TEST_F(EventLoopTest, DeliversTheEventsOfADescriptor) {
  Pipe pipe;
  uint32_t got = 0;
  Watch watch(loop_, [&](uint32_t events) {
    got = events;
    watch.Stop();
  });
  ASSERT_EQ(watch.Set(pipe.read_end.get(), EPOLLIN), 0);
  EXPECT_TRUE(watch.active());
  test::WriteAll(pipe.write_end.get(), "x");
  RunUntil(loop_, [&] { return got != 0; });
  EXPECT_EQ(got, static_cast<uint32_t>(EPOLLIN));
  EXPECT_FALSE(watch.active());
}

TEST_F(EventLoopTest, ChangesTheEventsOfAWatchThatRuns) {
  test::SocketPair sockets;
  uint32_t got = 0;
  Watch watch(loop_, [&](uint32_t events) { got = events; });
  ASSERT_EQ(watch.Set(sockets.one.get(), EPOLLIN), 0);
  RunWhatIsReady(loop_);
  EXPECT_EQ(got, 0U);
  ASSERT_EQ(watch.Set(sockets.one.get(), EPOLLIN | EPOLLOUT), 0);
  RunWhatIsReady(loop_);
  EXPECT_EQ(got, static_cast<uint32_t>(EPOLLOUT));
}

TEST_F(EventLoopTest, DeliversNothingAfterStop) {
  Pipe pipe;
  int calls = 0;
  Watch watch(loop_, [&](uint32_t) { ++calls; });
  ASSERT_EQ(watch.Set(pipe.read_end.get(), EPOLLIN), 0);
  test::WriteAll(pipe.write_end.get(), "x");
  watch.Stop();
  watch.Stop();
  RunWhatIsReady(loop_);
  EXPECT_EQ(calls, 0);
}

TEST_F(EventLoopTest, DeliversNothingToAWatchThatIsGone) {
  Pipe pipe;
  {
    Watch watch(loop_, [](uint32_t) { FAIL() << "it is gone"; });
    ASSERT_EQ(watch.Set(pipe.read_end.get(), EPOLLIN), 0);
    test::WriteAll(pipe.write_end.get(), "x");
  }
  RunWhatIsReady(loop_);
}

// Both events are fetched by one system call; whichever callback comes first stops the other watch.
TEST_F(EventLoopTest, DropsAnEventThatWasFetchedBeforeItsWatchStopped) {
  Pipe one;
  Pipe other;
  int calls = 0;
  std::unique_ptr<Watch> one_watch;
  std::unique_ptr<Watch> other_watch;
  one_watch = std::make_unique<Watch>(loop_, [&](uint32_t) {
    ++calls;
    other_watch->Stop();
  });
  other_watch = std::make_unique<Watch>(loop_, [&](uint32_t) {
    ++calls;
    one_watch->Stop();
  });
  ASSERT_EQ(one_watch->Set(one.read_end.get(), EPOLLIN), 0);
  ASSERT_EQ(other_watch->Set(other.read_end.get(), EPOLLIN), 0);
  test::WriteAll(one.write_end.get(), "x");
  test::WriteAll(other.write_end.get(), "x");
  loop_.RunOnce();
  EXPECT_EQ(calls, 1);
}

TEST_F(EventLoopTest, DropsAFetchedEventOfAWatchThatWasStoppedAndSetAgain) {
  Pipe one;
  Pipe other;
  Pipe quiet;
  int calls = 0;
  std::unique_ptr<Watch> watches[2];
  for (int i = 0; i < 2; ++i) {
    watches[i] = std::make_unique<Watch>(loop_, [&, i](uint32_t) {
      ++calls;
      watches[1 - i]->Stop();
      EXPECT_EQ(watches[1 - i]->Set(quiet.read_end.get(), EPOLLIN), 0);
    });
  }
  ASSERT_EQ(watches[0]->Set(one.read_end.get(), EPOLLIN), 0);
  ASSERT_EQ(watches[1]->Set(other.read_end.get(), EPOLLIN), 0);
  test::WriteAll(one.write_end.get(), "x");
  test::WriteAll(other.write_end.get(), "x");
  loop_.RunOnce();
  EXPECT_EQ(calls, 1);
}

TEST_F(EventLoopTest, HandlesMoreDescriptorsThanOneRoundFetches) {
  constexpr int kPipes = 200;
  std::vector<std::unique_ptr<Pipe>> pipes;
  std::vector<std::unique_ptr<Watch>> watches;
  int called = 0;
  for (int i = 0; i < kPipes; ++i) {
    pipes.push_back(std::make_unique<Pipe>());
    watches.push_back(std::make_unique<Watch>(loop_, [&, i](uint32_t) {
      ++called;
      watches[static_cast<size_t>(i)]->Stop();
    }));
    ASSERT_EQ(watches.back()->Set(pipes.back()->read_end.get(), EPOLLIN), 0);
    test::WriteAll(pipes.back()->write_end.get(), "x");
  }
  RunUntil(loop_, [&] { return called == kPipes; });
}

TEST_F(EventLoopTest, SaysWhyADescriptorCannotBeWatched) {
  Watch closed(loop_, [](uint32_t) {});
  EXPECT_EQ(closed.Set(-1, EPOLLIN), EBADF);
  EXPECT_FALSE(closed.active());
  const sys::UniqueFd directory(open("/", O_RDONLY | O_CLOEXEC));
  Watch not_pollable(loop_, [](uint32_t) {});
  EXPECT_EQ(not_pollable.Set(directory.get(), EPOLLIN), EPERM);
}

TEST_F(EventLoopTest, WaitsForATimerNotLessThanItsDelay) {
  bool ran = false;
  Timer timer(loop_.timers(), [&] { ran = true; });
  const uint64_t start = MonotonicNs();
  timer.SetIn(3 * kNsPerMs / 2);
  RunUntil(loop_, [&] { return ran; });
  EXPECT_GE(MonotonicNs() - start, 3 * kNsPerMs / 2);
}

void ExpectALoopThatWorks() {
  EventLoop loop;
  ASSERT_EQ(loop.Open(), 0);
  bool timer_ran = false;
  Timer timer(loop.timers(), [&] { timer_ran = true; });
  const uint64_t start = MonotonicNs();
  timer.SetIn(3 * kNsPerMs / 2);
  RunUntil(loop, [&] { return timer_ran; });
  EXPECT_GE(MonotonicNs() - start, 3 * kNsPerMs / 2);
  Pipe pipe;
  bool event_came = false;
  Watch watch(loop, [&](uint32_t) { event_came = true; });
  ASSERT_EQ(watch.Set(pipe.read_end.get(), EPOLLIN), 0);
  std::thread writer([&] { test::WriteAll(pipe.write_end.get(), "x"); });
  RunUntil(loop, [&] { return event_came; });
  writer.join();
}

TEST(EventLoop, WorksOnAKernelWithoutEpollPwait2) {
  test::InForkedProcess([] {
    test::RefuseSystemCall(SYS_epoll_pwait2, ENOSYS);
    ExpectALoopThatWorks();
  });
}

TEST(EventLoop, WorksInAContainerThatRefusesEpollPwait2) {
  test::InForkedProcess([] {
    test::RefuseSystemCall(SYS_epoll_pwait2, EPERM);
    ExpectALoopThatWorks();
  });
}

TEST(EventLoop, SaysWhyItCannotBeOpened) {
  test::InForkedProcess([] {
    const rlimit limit{3, 3};
    setrlimit(RLIMIT_NOFILE, &limit);
    EventLoop loop;
    EXPECT_EQ(loop.Open(), EMFILE);
  });
}

}  // namespace
}  // namespace bashward::process
