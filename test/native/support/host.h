// The engine as a host uses it: commands go in, results come out.
#ifndef BASHWARD_TEST_SUPPORT_HOST_H_
#define BASHWARD_TEST_SUPPORT_HOST_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "process/command_spec.h"
#include "process/reactor.h"
#include "support/recorder.h"

namespace bashward::test {

// The supervisor's executable, as built.
std::string SupervisorPath();

// A command with the defaults of most tests: bash, in /, with PATH as its only variable, everything captured.
struct Call {
  explicit Call(std::string text) : command(std::move(text)) {}

  std::string command;
  std::string shell;
  std::string directory = "/";
  std::string supervisor = SupervisorPath();
  std::vector<std::string> environment;  // NAME=value, besides PATH
  std::vector<protocol::Limit> limits;
  uint32_t flags = 0;
  bool separate_streams = false;
  bool live = false;
  bool kill_survivors = false;
  size_t head_limit = 8 * 1024 * 1024;
  size_t tail_limit = 0;
  uint32_t timeout_ms = 0;
  uint32_t grace_ms = 10'000;
  std::string save_path;
  uint64_t save_limit = 1'000'000'000;
  std::vector<std::string> roots;    // writable directories
  uint32_t roots_that_may_hang = 0;  // a bit for each
  std::vector<std::string> watched;  // in each of them
  uint32_t proxy_port = 0;           // 0: none
  uint32_t proxy_control_port = 0;   // the same
  std::string proxy_grant;
  std::string scratch;
  uint64_t scratch_limit = 0;
  std::string prologue;       // of a session; empty: none
  std::string job_directory;  // of a background job; empty: none
  uint16_t rows = 0;          // of the job's terminal; 0: none
  uint16_t columns = 0;
  uint32_t background_after_ms = 0;
  std::string input;  // what it reads; empty: nothing
};

process::CommandSpec ToSpec(const Call& call);

// Runs commands on this process's reactor.
class Host {
 public:
  Host();

  process::Reactor& reactor() { return *reactor_; }
  Recorder& recorder() { return *recorder_; }
  const std::shared_ptr<Recorder>& listener() { return recorder_; }

  uint64_t Submit(const Call& call) { return reactor_->Submit(ToSpec(call), recorder_); }
  process::Completion Wait(uint64_t id) { return recorder_->Wait(id); }
  process::Completion Run(const Call& call) { return Wait(Submit(call)); }

  // Waits until nothing that a command needed is left: no process, no descriptor.
  void ExpectNothingLeft();

 private:
  process::Reactor* reactor_ = nullptr;
  std::shared_ptr<Recorder> recorder_ = std::make_shared<Recorder>();
  std::vector<int> descriptors_;  // open before the first command
};

// Tests of whole commands. After each, nothing may be left of them.
class CommandTest : public ::testing::Test {
 protected:
  void TearDown() override { host_.ExpectNothingLeft(); }
  Host host_;
};

// What was captured of a stream; a failure when it was not all of it.
std::string Output(const process::Completion& completion, int stream = 0);

// Whether the command's shell ended with this status: ::testing::AssertionResult says what happened instead.
::testing::AssertionResult Exited(const process::Completion& completion, int code);
::testing::AssertionResult EndedBySignal(const process::Completion& completion, int signal);
::testing::AssertionResult NotStarted(const process::Completion& completion, protocol::Step step, int error);
::testing::AssertionResult HasOutcome(const process::Completion& completion, process::Outcome outcome);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_HOST_H_
