#include "process/worker_thread.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "support/wait.h"
#include "sys/signals.h"

namespace bashward::process {
namespace {

// Its thread ends when the test does.
class Worker {
 public:
  ~Worker() { worker_->Stop(); }
  int Post(std::function<void()> task) { return worker_->Post(std::move(task)); }

 private:
  std::shared_ptr<WorkerThread> worker_ = std::make_shared<WorkerThread>("test");
};

TEST(WorkerThread, RunsATaskOnAnotherThread) {
  Worker worker;
  std::atomic<long> thread{0};
  ASSERT_EQ(worker.Post([&] { thread = syscall(SYS_gettid); }), 0);
  EXPECT_TRUE(test::WaitUntil([&] { return thread != 0; }));
  EXPECT_NE(thread, syscall(SYS_gettid));
}

TEST(WorkerThread, RunsTasksInTheirOrder) {
  Worker worker;
  std::vector<int> order;
  std::atomic<bool> done{false};
  for (int i = 0; i < 1000; ++i) worker.Post([&order, i] { order.push_back(i); });
  worker.Post([&] { done = true; });
  ASSERT_TRUE(test::WaitUntil([&] { return done.load(); }));
  ASSERT_EQ(order.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
}

TEST(WorkerThread, RunsATaskThatATaskPosted) {
  Worker worker;
  std::atomic<bool> ran{false};
  worker.Post([&] { worker.Post([&] { ran = true; }); });
  EXPECT_TRUE(test::WaitUntil([&] { return ran.load(); }));
}

TEST(WorkerThread, LeavesSignalsToTheHost) {
  Worker worker;
  std::atomic<sys::KernelSignalSet> blocked{0};
  worker.Post([&] {
    sys::KernelSignalSet set = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &set, sizeof set);
    blocked = set;
  });
  EXPECT_TRUE(test::WaitUntil([&] { return blocked != 0; }));
  EXPECT_NE(blocked & sys::SignalSet(SIGUSR1), 0U);
}

TEST(WorkerThread, TakesTheSignalsOfTheCLibrary) {
  Worker worker;
  std::atomic<sys::KernelSignalSet> blocked{sys::kAllSignals};
  worker.Post([&] {
    sys::KernelSignalSet set = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &set, sizeof set);
    blocked = set;
  });
  EXPECT_TRUE(test::WaitUntil([&] { return blocked != sys::kAllSignals; }));
  EXPECT_EQ(blocked & (sys::SignalSet(32) | sys::SignalSet(33)), 0U);
}

TEST(WorkerThread, EndsWhenItIsStopped) {
  std::weak_ptr<WorkerThread> gone;
  std::atomic<bool> ran{false};
  {
    const auto worker = std::make_shared<WorkerThread>("test");
    gone = worker;
    worker->Post([&] { ran = true; });
    worker->Stop();
  }
  EXPECT_TRUE(test::WaitUntil([&] { return gone.expired(); }));
  EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace bashward::process
