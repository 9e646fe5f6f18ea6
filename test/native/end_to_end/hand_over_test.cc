// A command that takes longer than its soft limit becomes the job that its listener names, and nothing of it
// is lost.
#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
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
using process::Outcome;
using protocol::Step;

// A recorder that is asked for the job.
class Asked final : public CommandListener {
 public:
  explicit Asked(std::function<void(uint64_t)> answer) : answer_(std::move(answer)) {}
  void OnOutput(uint64_t id, int stream, util::LiveWindow::Piece piece) override {
    recorder_.OnOutput(id, stream, std::move(piece));
  }
  void OnSoftLimit(uint64_t id) override {
    ++questions_;
    answer_(id);
  }
  void OnCompletion(uint64_t id, Completion completion) override {
    recorder_.OnCompletion(id, std::move(completion));
  }
  Recorder& recorder() { return recorder_; }
  int questions() const { return questions_; }

 private:
  std::function<void(uint64_t)> answer_;
  std::atomic<int> questions_{0};
  Recorder recorder_;
};

class HandOverTest : public CommandTest {
 protected:
  static constexpr uint32_t kSoftLimitMs = 50;

  std::shared_ptr<Asked> Listener(std::function<void(uint64_t)> answer) {
    return std::make_shared<Asked>(std::move(answer));
  }
  std::shared_ptr<Asked> Answering() {
    return Listener([this](uint64_t id) { host_.reactor().HandOver(id, Plan()); });
  }
  uint64_t Submit(const Call& call, const std::shared_ptr<Asked>& listener) {
    process::CommandSpec spec = ToSpec(call);
    spec.background_after_ms = kSoftLimitMs;
    return host_.reactor().Submit(std::move(spec), listener);
  }
  Completion Run(const Call& call, const std::shared_ptr<Asked>& listener) {
    return listener->recorder().Wait(Submit(call, listener));
  }
  // A command that goes on when this is called, and before that waits.
  std::string Gate() { return "until [ -e '" + directory_.File("gate") + "' ]; do sleep 0.01; done; "; }
  void OpenGate() { std::ofstream(directory_.File("gate")) << "x"; }

  JobPlan Plan() { return {directory_.File("job"), "{\"version\":1,", 1'000'000}; }
  std::string JobFile(const char* name) { return ReadFile(directory_.File("job/") + name); }
  bool HasJobDirectory() {
    struct stat status{};
    return lstat(directory_.File("job").c_str(), &status) == 0;
  }
  // What exit.json says, once it is there.
  std::string End() {
    EXPECT_TRUE(WaitUntil([&] { return !JobFile("exit.json").empty(); }));
    return JobFile("exit.json");
  }
  static bool Has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  void TearDown() override {
    EXPECT_TRUE(ReapAllChildren());
    CommandTest::TearDown();
  }

  TemporaryDirectory directory_;
};

TEST_F(HandOverTest, GoesOnAsAJobWithEverythingItHasPrinted) {
  const auto listener = Answering();
  const Completion completion = Run(Call("echo early; " + Gate() + "echo late; exit 3"), listener);
  EXPECT_TRUE(HasOutcome(completion, Outcome::kHandedOver));
  EXPECT_EQ(listener->questions(), 1);
  EXPECT_EQ(Output(completion), "early\n");
  EXPECT_GT(completion.pid, 1);
  EXPECT_EQ(JobFile("job.json").find("{\"version\":1,\"pid\":" + std::to_string(completion.pid)), 0U);
  OpenGate();
  EXPECT_TRUE(Has(End(), "\"status\":\"failed\",\"exitCode\":3")) << End();
  EXPECT_EQ(JobFile("output"), "early\nlate\n\n\n[background process failed: exit code 3]");
  EXPECT_TRUE(Has(End(), "\"outputBytes\":11,\"droppedBytes\":0,\"lostBytes\":0")) << End();
}

TEST_F(HandOverTest, IsNotAskedForAtTheTimeLimitOrLater) {
  const auto listener = Answering();
  Call call("sleep 300");
  call.timeout_ms = kSoftLimitMs;
  EXPECT_TRUE(HasOutcome(Run(call, listener), Outcome::kTimedOut));
  EXPECT_EQ(listener->questions(), 0);
}

TEST_F(HandOverTest, IsNotAskedForOfACommandThatEndsBefore) {
  const auto listener = Answering();
  EXPECT_TRUE(Exited(Run(Call("exit 0"), listener), 0));
  EXPECT_FALSE(HasJobDirectory());
}

TEST_F(HandOverTest, IsNotAskedForWithSeparateStreams) {
  const auto listener = Answering();
  Call call("sleep 0.2");
  call.separate_streams = true;
  EXPECT_TRUE(Exited(Run(call, listener), 0));
  EXPECT_EQ(listener->questions(), 0);
}

TEST_F(HandOverTest, TellsHowMuchOfTheMiddleIsMissing) {
  Call call("seq 1 3000; echo x >" + directory_.File("printed") + "; " + Gate() + "echo late");
  call.head_limit = 8;
  call.tail_limit = 10;
  const auto listener = Listener([this](uint64_t id) {
    EXPECT_TRUE(WaitUntil([&] { return !ReadFile(directory_.File("printed")).empty(); }));
    host_.reactor().HandOver(id, Plan());
  });
  const Completion completion = Run(call, listener);
  EXPECT_TRUE(HasOutcome(completion, Outcome::kHandedOver));
  const uint64_t dropped = completion.streams[0].total - 18;
  OpenGate();
  EXPECT_TRUE(Has(End(), "\"droppedBytes\":" + std::to_string(dropped))) << End();
  EXPECT_EQ(JobFile("output"), "1\n2\n3\n4\n\n\n[" + std::to_string(dropped) +
                                   " bytes dropped]\n\n2999\n3000\nlate\n\n\n[background process completed]");
}

TEST_F(HandOverTest, HasTheWholeWhereThatWasSaved) {
  Call call("seq 1 30000; echo x >" + directory_.File("printed") + "; " + Gate() + "echo late");
  call.head_limit = 100;
  call.tail_limit = 100;
  call.save_path = directory_.File("saved");
  const auto listener = Listener([this](uint64_t id) {
    EXPECT_TRUE(WaitUntil([&] { return !ReadFile(directory_.File("printed")).empty(); }));
    host_.reactor().HandOver(id, Plan());
  });
  EXPECT_TRUE(HasOutcome(Run(call, listener), Outcome::kHandedOver));
  OpenGate();
  EXPECT_TRUE(Has(End(), "\"droppedBytes\":0,")) << End();
  EXPECT_EQ(JobFile("output"),
            ReadFile(directory_.File("saved")) + "late\n\n\n[background process completed]");
}

TEST_F(HandOverTest, HasEveryByteInOrderOfAFlood) {
  const auto listener = Listener([this](uint64_t id) {
    JobPlan plan = Plan();
    plan.output_limit = 1'000'000'000;
    host_.reactor().HandOver(id, plan);
  });
  Call call("seq 1 1000000; " + Gate() + "seq 1000001 1500000");
  call.head_limit = size_t{100} * 1024 * 1024;
  EXPECT_TRUE(HasOutcome(Run(call, listener), Outcome::kHandedOver));
  OpenGate();
  EXPECT_TRUE(Has(End(), "\"status\":\"completed\""));
  std::string whole;
  for (int i = 1; i <= 1'500'000; ++i) whole += std::to_string(i) + "\n";
  EXPECT_TRUE(JobFile("output") == whole + "\n\n[background process completed]");
}

TEST_F(HandOverTest, KeepsTheRestOfItsTimeLimit) {
  const auto listener = Answering();
  Call call("trap '' TERM; while :; do sleep 300; done");
  call.timeout_ms = 400;
  call.grace_ms = 0;
  EXPECT_TRUE(HasOutcome(Run(call, listener), Outcome::kHandedOver));
  EXPECT_TRUE(Has(End(), "\"status\":\"timed_out\"")) << End();
  EXPECT_TRUE(Has(JobFile("output"), "[background process timed out after 400ms]"));
}

TEST_F(HandOverTest, LeavesTheCommandHereWithoutAJob) {
  const auto listener = Listener([this](uint64_t id) {
    host_.reactor().HandOver(id, std::nullopt);
    OpenGate();
  });
  const Completion completion = Run(Call("echo early; " + Gate() + "echo late"), listener);
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(Output(completion), "early\nlate\n");
  EXPECT_EQ(completion.hand_over.step, Step::kNone);
}

TEST_F(HandOverTest, LeavesTheCommandHereWhenTheFilesCannotBeMade) {
  const auto listener = Listener([this](uint64_t id) {
    host_.reactor().HandOver(id, JobPlan{"/dev/null/job", "{", 1'000'000});
    OpenGate();
  });
  const Completion completion = Run(Call("echo early; " + Gate() + "sleep 0.1; echo late"), listener);
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(Output(completion), "early\nlate\n");
  EXPECT_EQ(completion.hand_over.step, Step::kMkdir);
  EXPECT_EQ(completion.hand_over.error, ENOTDIR);
}

TEST_F(HandOverTest, EmptiesNoDirectoryThatWasThere) {
  ASSERT_EQ(mkdir(directory_.File("job").c_str(), 0700), 0);
  std::ofstream(directory_.File("job/output")) << "another's";
  const auto listener = Answering();
  const Completion completion = Run(Call("sleep 0.3"), listener);
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(completion.hand_over.error, EEXIST);
  EXPECT_EQ(JobFile("output"), "another's");
}

TEST_F(HandOverTest, StillTimesOutWhenItWasNotHandedOver) {
  const auto listener =
      Listener([this](uint64_t id) { host_.reactor().HandOver(id, JobPlan{"/dev/null/job", "{", 1}); });
  Call call("echo early; sleep 300");
  call.timeout_ms = 300;
  const Completion completion = Run(call, listener);
  EXPECT_TRUE(HasOutcome(completion, Outcome::kTimedOut));
  EXPECT_EQ(Output(completion), "early\n");
}

TEST_F(HandOverTest, TimesOutWhenNobodyNamesAJob) {
  const auto listener = Listener([](uint64_t) {});
  Call call("sleep 300");
  call.timeout_ms = 300;
  EXPECT_TRUE(HasOutcome(Run(call, listener), Outcome::kTimedOut));
  EXPECT_FALSE(HasJobDirectory());
}

TEST_F(HandOverTest, EndsHereWhenItEndsBeforeTheAnswer) {
  const auto listener = Listener([this](uint64_t) { OpenGate(); });
  const uint64_t id = Submit(Call(Gate() + "echo late; exit 4"), listener);
  const Completion completion = listener->recorder().Wait(id);
  host_.reactor().HandOver(id, Plan());
  EXPECT_TRUE(Exited(completion, 4));
  EXPECT_EQ(Output(completion), "late\n");
  EXPECT_FALSE(HasJobDirectory());
}

TEST_F(HandOverTest, IsKilledByACancelBeforeIt) {
  const auto listener = Listener([this](uint64_t id) {
    host_.reactor().Cancel(id);
    host_.reactor().HandOver(id, Plan());
  });
  EXPECT_TRUE(HasOutcome(Run(Call("sleep 300"), listener), Outcome::kCancelled));
  EXPECT_FALSE(HasJobDirectory());
}

// Wherever the cancel finds it: it is killed as a command, and then nothing is left of a job; or as the job;
// or it comes too late, and the job runs.
TEST_F(HandOverTest, IsKilledOrHandedOverByACancelMeanwhile) {
  for (int i = 0; i < 20; ++i) {
    const TemporaryDirectory own;
    const JobPlan plan{own.File("job"), "{\"version\":1,", 1'000'000};
    const auto listener = Listener([&](uint64_t id) {
      host_.reactor().HandOver(id, plan);
      usleep(static_cast<useconds_t>(i * 100));
      host_.reactor().Cancel(id);
    });
    const Completion completion = Run(Call("sleep 300"), listener);
    const bool has_job = !ReadFile(own.File("job/job.json")).empty();
    if (completion.outcome == Outcome::kHandedOver) {
      EXPECT_TRUE(has_job);
      sys::SignalGroup(completion.pid, SIGKILL);
    } else {
      EXPECT_TRUE(HasOutcome(completion, Outcome::kCancelled));
    }
    if (has_job) {
      EXPECT_TRUE(WaitUntil([&] { return !ReadFile(own.File("job/exit.json")).empty(); }));
      EXPECT_TRUE(Has(ReadFile(own.File("job/exit.json")), "\"status\":\"killed\""));
    } else {
      EXPECT_TRUE(WaitUntil([&] { return access(own.File("job").c_str(), F_OK) != 0; }));
    }
  }
}

TEST_F(HandOverTest, IsTheJobsWhenItsShellIsKilledAfterwards) {
  const auto listener = Answering();
  const Completion completion = Run(Call("sleep 300 & wait"), listener);
  ASSERT_TRUE(HasOutcome(completion, Outcome::kHandedOver));
  sys::SignalProcess(completion.pid, SIGKILL);
  EXPECT_TRUE(Has(End(), "\"status\":\"killed\",\"exitCode\":null,\"signal\":\"SIGKILL\"")) << End();
}

TEST_F(HandOverTest, LeavesNothingToASession) {
  const auto listener = Answering();
  Call call(Gate());
  call.prologue = "trap 'echo state >&201' EXIT\n";
  call.environment = {"BASH_ENV=/dev/fd/200"};
  const Completion completion = Run(call, listener);
  EXPECT_TRUE(HasOutcome(completion, Outcome::kHandedOver));
  EXPECT_FALSE(completion.state.has_value());
  OpenGate();
  EXPECT_TRUE(Has(End(), "\"status\":\"completed\"")) << End();
}

TEST_F(HandOverTest, CanBeOfACommandThatHasClosedItsOutput) {
  const auto listener = Answering();
  const Completion completion = Run(Call("echo early; exec >&- 2>&-; " + Gate()), listener);
  EXPECT_TRUE(HasOutcome(completion, Outcome::kHandedOver));
  OpenGate();
  EXPECT_TRUE(Has(End(), "\"outputBytes\":6,")) << End();
  EXPECT_EQ(JobFile("output"), "early\n\n\n[background process completed]");
}

}  // namespace
}  // namespace bashward::test
