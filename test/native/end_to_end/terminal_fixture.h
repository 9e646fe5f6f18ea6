// A job with a terminal, and a host that types into it.
#ifndef BASHWARD_TEST_END_TO_END_TERMINAL_FIXTURE_H_
#define BASHWARD_TEST_END_TO_END_TERMINAL_FIXTURE_H_

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "support/host.h"
#include "support/processes.h"
#include "support/temporary_directory.h"
#include "support/tty_client.h"
#include "support/wait.h"

namespace bashward::test {

class TerminalTest : public CommandTest {
 protected:
  void TearDown() override {
    client_.reset();
    if (!HasEnded()) KillJob();
    EXPECT_TRUE(ReapAllChildren());
    CommandTest::TearDown();
  }

  Call WithTerminal(const std::string& command, uint16_t rows = 24, uint16_t columns = 100) const {
    Call call(command);
    call.job_directory = directory_.File("job");
    call.rows = rows;
    call.columns = columns;
    call.grace_ms = 500;
    return call;
  }

  void Start(const Call& call) {
    const process::Completion completion = host_.Run(call);
    ASSERT_TRUE(HasOutcome(completion, process::Outcome::kDetached));
    group_ = completion.pid;
  }
  // Connected, too.
  void StartOpen(const Call& call) {
    ASSERT_NO_FATAL_FAILURE(Start(call));
    client_ = std::make_unique<TtyClient>(directory_.File("job"));
    ASSERT_TRUE(client_->ReceivesHello());
  }

  std::string Printed() const { return ReadFile(directory_.File("job") + "/output"); }
  ::testing::AssertionResult Prints(const std::string& text) const {
    if (WaitUntil([&] { return Printed().find(text) != std::string::npos; })) {
      return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << "printed: " << Printed();
  }
  pid_t Supervisor() const {
    const std::string record = ReadFile(directory_.File("job") + "/job.json");
    const size_t at = record.find("\"supervisor\":{\"pid\":");
    return at == std::string::npos ? 0 : std::stoi(record.substr(at + 20));
  }
  // As a store does.
  void KillJob() const {
    const pid_t supervisor = Supervisor();
    if (supervisor > 1) kill(supervisor, protocol::kKillJobSignal);
  }
  bool HasEnded() const { return access((directory_.File("job") + "/exit.json").c_str(), F_OK) == 0; }
  bool Ends() const {
    return WaitUntil([this] { return HasEnded(); });
  }

  const TemporaryDirectory directory_;
  std::unique_ptr<TtyClient> client_;
  pid_t group_ = 0;
};

}  // namespace bashward::test

#endif  // BASHWARD_TEST_END_TO_END_TERMINAL_FIXTURE_H_
