// Many commands at once, from many threads.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/descriptors.h"
#include "support/host.h"
#include "support/processes.h"
#include "support/wait.h"

namespace bashward::test {
namespace {

using process::Completion;
using process::Outcome;
using process::Reactor;

class ConcurrencyTest : public CommandTest {};

TEST_F(ConcurrencyTest, GivesEachOfSixtyFourCommandsItsOwnResult) {
  std::vector<uint64_t> ids;
  for (int i = 0; i < 64; ++i) {
    ids.push_back(
        host_.Submit(Call("sleep 0.1; echo " + std::to_string(i) + "; exit " + std::to_string(i % 7))));
  }
  for (int i = 0; i < 64; ++i) {
    const Completion completion = host_.Wait(ids[static_cast<size_t>(i)]);
    EXPECT_TRUE(Exited(completion, i % 7));
    EXPECT_EQ(Output(completion), std::to_string(i) + "\n");
  }
}

TEST_F(ConcurrencyTest, ServesManyFloodsAtOnce) {
  std::vector<uint64_t> ids;
  for (int i = 0; i < 20; ++i) {
    Call call("head -c 10000000 /dev/zero");
    call.head_limit = 100;
    call.tail_limit = 100;
    ids.push_back(host_.Submit(call));
  }
  for (const uint64_t id : ids) {
    const Completion completion = host_.Wait(id);
    ASSERT_EQ(completion.streams.size(), 1U);
    EXPECT_EQ(completion.streams[0].total, 10'000'000U);
  }
}

TEST_F(ConcurrencyTest, TakesCommandsAndCancelsFromManyThreads) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < 8; ++i) {
        const std::string text = std::to_string(thread) + "." + std::to_string(i);
        const Completion completion = host_.Run(Call("echo " + text));
        EXPECT_EQ(Output(completion), text + "\n");
        const uint64_t cancelled = host_.Submit(Call("sleep 300"));
        host_.reactor().Cancel(cancelled);
        EXPECT_TRUE(HasOutcome(host_.Wait(cancelled), Outcome::kCancelled));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ConcurrencyTest, TakesListenersThatComeAndGoOnManyThreads) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this] {
      for (int i = 0; i < 8; ++i) {
        auto listener = std::make_shared<Recorder>();
        Call call("yes");
        call.live = true;
        call.head_limit = 1000;
        const uint64_t id = host_.reactor().Submit(ToSpec(call), listener);
        if (i % 2 == 0) listener->WaitForLiveText(id, "y\n");
        host_.reactor().Abandon(listener);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(ConcurrencyTest, IsOneReactorForEveryThread) {
  Reactor* seen[4] = {};
  std::vector<std::thread> threads;
  for (Reactor*& reactor : seen) {
    threads.emplace_back([&reactor] {
      int error = 0;
      reactor = Reactor::Get(&error);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (Reactor* reactor : seen) EXPECT_EQ(reactor, &host_.reactor());
}

TEST_F(ConcurrencyTest, LeavesNothingOfAHundredMixedCommands) {
  const std::vector<int> descriptors = OpenDescriptors();
  std::vector<uint64_t> ids;
  for (int i = 0; i < 100; ++i) {
    Call call("echo hi");
    switch (i % 5) {
      case 1:
        call.command = "exit 3";
        break;
      case 2:
        call.command = "setsid -f sleep 300 >/dev/null 2>&1; sleep 300";
        call.timeout_ms = 300;
        call.grace_ms = 200;
        break;
      case 3:
        call.command = "head -c 2000000 /dev/zero";
        call.head_limit = 10;
        break;
      case 4:
        call.directory = "/nonexistent";
        break;
    }
    ids.push_back(host_.Submit(call));
    if (ids.size() >= 8) host_.Wait(ids[ids.size() - 8]);
  }
  for (const uint64_t id : ids) host_.Wait(id);
  EXPECT_TRUE(WaitUntil(HasNoChildren));
  EXPECT_TRUE(WaitUntil([&] { return OpenDescriptors() == descriptors; }));
}

}  // namespace
}  // namespace bashward::test
