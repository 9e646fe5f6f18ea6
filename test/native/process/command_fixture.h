// One command on an event loop that the test runs, in a forked process: nothing happens between two rounds.
#ifndef BASHWARD_TEST_PROCESS_COMMAND_FIXTURE_H_
#define BASHWARD_TEST_PROCESS_COMMAND_FIXTURE_H_

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "process/command.h"
#include "support/host.h"
#include "support/loop.h"
#include "support/processes.h"
#include "support/temporary_directory.h"

namespace bashward::process {

class CommandOnLoop final : public CommandListener {
 public:
  explicit CommandOnLoop(const test::Call& call) {
    test::BecomeSubreaper();
    resources_.null_fd = null_.get();
    EXPECT_EQ(loop_.Open(), 0);
    // Nobody but the command holds this as its listener.
    command_.emplace(1, test::ToSpec(call), std::shared_ptr<CommandListener>(this, [](CommandListener*) {}),
                     loop_, launcher_, resources_, [this] { ++gone_; });
    command_->Start();
  }

  void OnOutput(uint64_t, int, util::LiveWindow::Piece piece) override { shown_ += piece.bytes; }
  void OnSoftLimit(uint64_t) override { command_->HandOver(job_); }
  void OnCompletion(uint64_t, Completion completion) override {
    EXPECT_FALSE(completion_.has_value()) << "a second result";
    completion_ = std::move(completion);
  }

  EventLoop& loop() { return loop_; }
  // Before the command has run for `background_after_ms`: what it then becomes.
  void Plan(const JobPlan& job) { job_ = job; }
  void Cancel() { command_->Cancel(); }
  const std::string& shown() const { return shown_; }
  // How often it heard that nothing is left of the command.
  int gone() const { return gone_; }

  // Runs the loop until there is a result.
  const Completion& Result() {
    test::RunUntil(loop_, [this] { return completion_.has_value(); });
    if (!completion_.has_value()) completion_.emplace();
    return *completion_;
  }
  // Runs the loop until nothing is left of the command.
  void ExpectGone() {
    test::RunUntil(loop_, [this] { return gone_ != 0; });
    EXPECT_EQ(gone_, 1);
    EXPECT_TRUE(test::HasNoChildren());
    test::KillAllChildren();
  }

 private:
  const sys::UniqueFd null_{open("/dev/null", O_RDWR | O_CLOEXEC)};
  EventLoop loop_;
  Launcher launcher_;
  OutputResources resources_;
  std::string shown_;
  std::optional<Completion> completion_;
  int gone_ = 0;
  std::optional<JobPlan> job_;
  std::optional<Command> command_;
};

// A program in place of the supervisor. It reports that the shell has ended and nothing is left, and then
// runs `script`.
inline std::string MakeSupervisorThatHasNothingLeftToDo(const test::TemporaryDirectory& directory,
                                                        const std::string& script) {
  const struct {
    protocol::MessageHeader header{protocol::MessageType::kExited, sizeof(protocol::Exited)};
    protocol::Exited exited{};
  } message;
  std::ofstream(directory.File("message"), std::ios::binary)
      .write(reinterpret_cast<const char*>(&message), sizeof message);
  const std::string path = directory.File("supervisor");
  std::ofstream(path) << "#!/bin/sh\ncat '" << directory.File("message") << "' >&3\n" << script << "\n";
  EXPECT_EQ(chmod(path.c_str(), 0755), 0);
  return path;
}

}  // namespace bashward::process

#endif  // BASHWARD_TEST_PROCESS_COMMAND_FIXTURE_H_
