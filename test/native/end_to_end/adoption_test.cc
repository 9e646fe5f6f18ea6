// What a command leaves becomes the job that its listener names, once there is something to name it for.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "support/host.h"
#include "support/processes.h"
#include "support/temporary_directory.h"
#include "support/wait.h"
#include "sys/signals.h"

namespace bashward::test {
namespace {

using process::CommandListener;
using process::Completion;
using process::JobPlan;

// A recorder that is asked for jobs.
class Asked final : public CommandListener {
 public:
  explicit Asked(std::function<void(uint64_t)> answer) : answer_(std::move(answer)) {}
  void OnOutput(uint64_t id, int stream, util::LiveWindow::Piece piece) override {
    recorder_.OnOutput(id, stream, std::move(piece));
  }
  void OnSurvivors(uint64_t id) override {
    ++questions_;
    answer_(id);
  }
  void OnCompletion(uint64_t id, Completion completion) override {
    recorder_.OnCompletion(id, std::move(completion));
  }
  Completion Wait(uint64_t id) { return recorder_.Wait(id); }
  int questions() const { return questions_; }

 private:
  std::function<void(uint64_t)> answer_;
  std::atomic<int> questions_{0};
  Recorder recorder_;
};

class AdoptionTest : public CommandTest {
 protected:
  std::shared_ptr<Asked> Listener(std::function<void(uint64_t)> answer) {
    return std::make_shared<Asked>(std::move(answer));
  }
  Completion Run(const std::string& command, const std::shared_ptr<Asked>& listener) {
    process::CommandSpec spec = ToSpec(Call(command));
    spec.may_adopt = true;
    return listener->Wait(host_.reactor().Submit(std::move(spec), listener));
  }
  JobPlan Plan() { return {directory_.File("job"), "{\"version\":1,", 1'000'000}; }
  std::string JobFile(const char* name) { return ReadFile(directory_.File("job/") + name); }

  void TearDown() override {
    EXPECT_TRUE(ReapAllChildren());
    CommandTest::TearDown();
  }

  TemporaryDirectory directory_;
};

TEST_F(AdoptionTest, IsAskedForOnceWhenSomethingIsLeft) {
  const auto listener = Listener([this](uint64_t id) { host_.reactor().Release(id, Plan()); });
  const Completion completion = Run("sleep 300 & echo on", listener);
  EXPECT_EQ(listener->questions(), 1);
  EXPECT_TRUE(completion.adopted);
  ASSERT_EQ(completion.survivors.size(), 1U);
  EXPECT_EQ(JobFile("job.json").find("{\"version\":1,\"pid\":"), 0U) << JobFile("job.json");
  sys::SignalProcess(completion.survivors[0].pid, SIGKILL);
  EXPECT_TRUE(WaitUntil([&] { return !JobFile("exit.json").empty(); }));
}

TEST_F(AdoptionTest, IsNotAskedForWhenNothingIsLeft) {
  const auto listener = Listener([](uint64_t) {});
  EXPECT_TRUE(Exited(Run("sleep 0 & wait", listener), 0));
  EXPECT_EQ(listener->questions(), 0);
}

TEST_F(AdoptionTest, KeepsWhatIsPrintedWhileTheAnswerIsAwaited) {
  const std::string printed = directory_.File("printed");
  const auto listener = Listener([&](uint64_t id) {
    EXPECT_TRUE(WaitUntil([&] { return !ReadFile(printed).empty(); }));
    host_.reactor().Release(id, Plan());
  });
  const std::string command = "(sleep 0.3; echo late; echo x >" + printed + "; sleep 300) & echo early";
  const Completion completion = Run(command, listener);
  EXPECT_TRUE(completion.adopted);
  EXPECT_TRUE(WaitUntil([&] { return completion.streams[0].head + JobFile("output") == "early\nlate\n"; }))
      << completion.streams[0].head << JobFile("output");
  sys::SignalGroup(completion.pid, SIGKILL);
  EXPECT_TRUE(WaitUntil([&] { return !JobFile("exit.json").empty(); }));
}

TEST_F(AdoptionTest, LeavesThemToThemselvesWithoutAJob) {
  const auto listener = Listener([this](uint64_t id) { host_.reactor().Release(id, std::nullopt); });
  const Completion completion = Run("sleep 300 &", listener);
  EXPECT_FALSE(completion.adopted);
  ASSERT_EQ(completion.survivors.size(), 1U);
  sys::SignalProcess(completion.survivors[0].pid, SIGKILL);
}

TEST_F(AdoptionTest, LeavesThemToThemselvesWhenThereCanBeNoDirectory) {
  const auto listener = Listener([](uint64_t id) {
    int error = 0;
    process::Reactor::Get(&error)->Release(id, JobPlan{"/dev/null/job", "{", 1'000'000});
  });
  const Completion completion = Run("sleep 300 &", listener);
  EXPECT_FALSE(completion.adopted);
  ASSERT_EQ(completion.survivors.size(), 1U);
  sys::SignalProcess(completion.survivors[0].pid, SIGKILL);
}

TEST_F(AdoptionTest, EndsWithoutAnAnswerWhenNothingIsLeftAnyMore) {
  const auto listener = Listener([](uint64_t) {});
  const Completion completion = Run("sleep 0.5 & echo on", listener);
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(listener->questions(), 1);
  EXPECT_TRUE(completion.survivors.empty());
}

TEST_F(AdoptionTest, TakesALongDescription) {
  const std::string description(3'000'000, ' ');
  const auto listener = Listener([&](uint64_t id) {
    JobPlan plan = Plan();
    plan.description = description;
    host_.reactor().Release(id, plan);
  });
  const Completion completion = Run("sleep 300 &", listener);
  EXPECT_TRUE(completion.adopted);
  EXPECT_GT(JobFile("job.json").size(), description.size());
  ASSERT_EQ(completion.survivors.size(), 1U);
  sys::SignalProcess(completion.survivors[0].pid, SIGKILL);
  EXPECT_TRUE(WaitUntil([&] { return !JobFile("exit.json").empty(); }));
}

}  // namespace
}  // namespace bashward::test
