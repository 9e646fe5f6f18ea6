// A host under load: commands of every kind at once, from several threads, while another thread cancels
// some of them. Mainly for ThreadSanitizer.
#include <errno.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/host.h"
#include "support/temporary_directory.h"

namespace bashward::test {
namespace {

using process::Completion;
using process::Outcome;
using process::Reactor;

constexpr int kThreads = 6;
constexpr int kRounds = 5;

// Cancels what it is given, on a thread of its own.
class Canceller {
 public:
  explicit Canceller(Reactor& reactor) : reactor_(reactor) {}
  ~Canceller() {
    Take(0);
    thread_.join();
  }
  void Take(uint64_t id) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ids_.push_back(id);
    changed_.notify_one();
  }

 private:
  void Run() {
    for (;;) {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return !ids_.empty(); });
      const uint64_t id = ids_.front();
      ids_.pop_front();
      lock.unlock();
      if (id == 0) return;
      reactor_.Cancel(id);
    }
  }

  Reactor& reactor_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<uint64_t> ids_;
  std::thread thread_{[this] { Run(); }};
};

class LoadTest : public CommandTest {
 protected:
  // A dozen commands at once, and then their results.
  void RunRound(Canceller& canceller, const std::string& name) {
    const uint64_t silent = host_.Submit(Call("exec true"));
    const uint64_t failing = host_.Submit(Call("echo " + name + "; exit 3"));
    const uint64_t flood = host_.Submit(Flood());
    Call both("echo out; echo err >&2");
    both.separate_streams = true;
    const uint64_t streams = host_.Submit(both);
    Call late("setsid -f sleep 300; exec sleep 300");
    late.timeout_ms = 50;
    late.grace_ms = 100;
    const uint64_t timed_out = host_.Submit(late);
    const uint64_t cancelled = host_.Submit(Call("exec sleep 300"));
    canceller.Take(cancelled);
    Call endless("exec yes");
    endless.live = true;
    endless.head_limit = endless.tail_limit = 1000;
    const uint64_t cancelled_flood = host_.Submit(endless);
    Call nowhere("echo never");
    nowhere.directory = "/nonexistent";
    const uint64_t not_started = host_.Submit(nowhere);
    Call leaving("sleep 300 & echo left");
    leaving.kill_survivors = true;
    leaving.grace_ms = 100;
    const uint64_t survivors = host_.Submit(leaving);
    Call saved = Flood();
    saved.save_path = directory_.File(name);
    const uint64_t saving = host_.Submit(saved);
    Abandon(endless);
    Abandon(Call("exec sleep 300"));

    EXPECT_TRUE(Exited(host_.Wait(silent), 0));
    EXPECT_TRUE(Exited(host_.Wait(failing), 3));
    EXPECT_EQ(Output(host_.Wait(failing)), name + "\n");
    EXPECT_EQ(Total(flood), kFlood);
    EXPECT_EQ(Output(host_.Wait(streams), 0), "out\n");
    EXPECT_EQ(Output(host_.Wait(streams), 1), "err\n");
    EXPECT_TRUE(HasOutcome(host_.Wait(timed_out), Outcome::kTimedOut));
    EXPECT_TRUE(HasOutcome(host_.Wait(cancelled), Outcome::kCancelled));
    host_.recorder().WaitForLiveText(cancelled_flood, "y\n");
    canceller.Take(cancelled_flood);
    EXPECT_TRUE(HasOutcome(host_.Wait(cancelled_flood), Outcome::kCancelled));
    EXPECT_TRUE(NotStarted(host_.Wait(not_started), protocol::Step::kChdir, ENOENT));
    EXPECT_TRUE(Exited(host_.Wait(survivors), 0));
    EXPECT_EQ(Total(saving), kFlood);
    EXPECT_EQ(host_.Wait(saving).saved.error, 0);
    EXPECT_EQ(ReadFile(saved.save_path).size(), kFlood);
  }

  // Its listener goes while it starts, runs or writes.
  void Abandon(const Call& call) {
    auto listener = std::make_shared<Recorder>();
    host_.reactor().Submit(ToSpec(call), listener);
    host_.reactor().Abandon(std::move(listener));
  }

  static constexpr uint64_t kFlood = 1'000'000;
  static Call Flood() {
    Call call("head -c " + std::to_string(kFlood) + " /dev/zero");
    call.head_limit = call.tail_limit = 100;
    return call;
  }
  uint64_t Total(uint64_t id) {
    const Completion completion = host_.Wait(id);
    EXPECT_TRUE(Exited(completion, 0));
    return completion.streams.empty() ? 0 : completion.streams[0].total;
  }

  const TemporaryDirectory directory_;
};

TEST_F(LoadTest, GivesEachOfHundredsOfCommandsItsResult) {
  Canceller canceller(host_.reactor());
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([this, &canceller, thread] {
      for (int round = 0; round < kRounds; ++round) {
        RunRound(canceller, std::to_string(thread) + "." + std::to_string(round));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace bashward::test
