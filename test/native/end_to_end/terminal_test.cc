// Jobs that have a terminal of their own, and hosts that type into it.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "sandbox/landlock.h"
#include "support/host.h"
#include "support/must_work.h"
#include "support/processes.h"
#include "support/temporary_directory.h"
#include "support/tty_client.h"
#include "support/wait.h"

namespace bashward::test {
namespace {

using process::Completion;
using process::Outcome;

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
    const Completion completion = host_.Run(call);
    ASSERT_TRUE(HasOutcome(completion, Outcome::kDetached));
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

TEST_F(TerminalTest, IsTheCommandsControllingTerminal) {
  Start(WithTerminal("test -t 0 && test -t 1 && test -t 2 && tty && stty size </dev/tty"));
  EXPECT_TRUE(Ends());
  EXPECT_TRUE(Prints("/dev/pts/"));
  EXPECT_TRUE(Prints("24 100\r\n"));
  EXPECT_TRUE(Prints("[background process completed]"));
}

TEST_F(TerminalTest, TypesAndEchoes) {
  StartOpen(WithTerminal("read -r line; echo got:$line"));
  EXPECT_EQ(client_->Type("hello\n").accepted, 6U);
  EXPECT_TRUE(Prints("hello\r\ngot:hello\r\n"));
  EXPECT_TRUE(Ends());
}

TEST_F(TerminalTest, TellsHowItIs) {
  StartOpen(WithTerminal("printf ready; read -rs x; echo; read -r y"));
  EXPECT_TRUE(Prints("ready"));
  EXPECT_TRUE(WaitUntil([this] { return client_->Query().flags == protocol::kCooked; }));
  protocol::State state = client_->Query();
  EXPECT_EQ(state.rows, 24);
  EXPECT_EQ(state.columns, 100);
  EXPECT_EQ(state.foreground, group_);
  EXPECT_EQ(state.offset, 5U);
  client_->Type("secret\n");
  EXPECT_TRUE(WaitUntil([this] { return client_->Query().flags == (protocol::kCooked | protocol::kEcho); }));
  client_->Type("\n");
  EXPECT_TRUE(Ends());
  EXPECT_EQ(Printed().find("secret"), std::string::npos);
}

TEST_F(TerminalTest, TellsWhoWaitsAsSoonAsItWaits) {
  StartOpen(WithTerminal("printf 'Name: '; read -r x; printf 'Secret: '; read -rs y; sleep 300"));
  protocol::State state = client_->Wait(30'000);
  EXPECT_EQ(state.reason, protocol::StateReason::kInput);
  EXPECT_EQ(state.verdict, protocol::Verdict::kLine);
  EXPECT_STREQ(state.name, "bash");
  EXPECT_EQ(state.pid, group_);
  EXPECT_EQ(state.offset, 6U);
  client_->Type("bob\n");
  state = client_->Wait(30'000);
  EXPECT_EQ(state.reason, protocol::StateReason::kInput);
  EXPECT_EQ(state.verdict, protocol::Verdict::kPassword);
  client_->Type("hidden\n");
  state = client_->Wait(500);
  EXPECT_EQ(state.reason, protocol::StateReason::kDeadline);
  EXPECT_EQ(state.verdict, protocol::Verdict::kSleep);
}

TEST_F(TerminalTest, TellsWhenItIsQuietIfThatIsAskedFor) {
  StartOpen(WithTerminal("printf some; sleep 300"));
  const protocol::State state = client_->Wait(30'000, 50, 3);
  EXPECT_EQ(state.reason, protocol::StateReason::kQuiet);
  EXPECT_GE(state.quiet_ms, 50U);
  EXPECT_EQ(client_->Wait(200, 50, 4).reason, protocol::StateReason::kDeadline) << "nothing more was printed";
}

TEST_F(TerminalTest, TellsThoseWhoWaitOfItsEnd) {
  StartOpen(WithTerminal("read -r x"));
  client_->BeginWait(7, 300'000);
  EXPECT_TRUE(client_->Receive<protocol::State>(protocol::TerminalMessage::kState).has_value());
  TtyClient other(directory_.File("job"));
  ASSERT_TRUE(other.ReceivesHello());
  other.Type("sleep\n");
  const protocol::State state = client_->Wait(30'000);
  EXPECT_EQ(state.reason, protocol::StateReason::kEnded);
  EXPECT_TRUE(client_->IsClosed());
}

TEST_F(TerminalTest, AnswersAWaitThatAnotherReplaces) {
  StartOpen(WithTerminal("sleep 300"));
  client_->BeginWait(7, 300'000);
  client_->BeginWait(8, 0);
  auto state = client_->Receive<protocol::State>(protocol::TerminalMessage::kState);
  ASSERT_TRUE(state.has_value());
  EXPECT_EQ(state->tag, 7U);
  EXPECT_EQ(state->reason, protocol::StateReason::kReplaced);
  state = client_->Receive<protocol::State>(protocol::TerminalMessage::kState);
  ASSERT_TRUE(state.has_value());
  EXPECT_EQ(state->tag, 8U);
}

TEST_F(TerminalTest, AnswersQuestionsWhileSomebodyWaits) {
  StartOpen(WithTerminal("sleep 300"));
  client_->BeginWait(1000, 300'000);
  EXPECT_TRUE(WaitUntil([this] { return client_->Query().verdict == protocol::Verdict::kSleep; }));
}

TEST_F(TerminalTest, InterruptsWithAKey) {
  StartOpen(WithTerminal("trap 'echo caught; exit 7' INT; printf ready; while :; do sleep 1; done"));
  EXPECT_TRUE(Prints("ready"));
  client_->Type("\x03");
  EXPECT_TRUE(Prints("caught"));
  EXPECT_TRUE(Prints("[background process failed: exit code 7]"));
}

TEST_F(TerminalTest, EndsInputWithAKey) {
  StartOpen(WithTerminal("cat; echo over"));
  client_->Type("\x04");
  EXPECT_TRUE(Prints("over"));
  EXPECT_TRUE(Ends());
}

TEST_F(TerminalTest, TellsTheProgramOfANewSize) {
  StartOpen(WithTerminal("trap 'stty size; exit' WINCH; printf ready; while :; do read -t 1; done"));
  EXPECT_TRUE(Prints("ready"));
  const protocol::State state = client_->Resize(40, 132);
  EXPECT_EQ(state.rows, 40);
  EXPECT_EQ(state.columns, 132);
  EXPECT_TRUE(Prints("40 132\r\n"));
  EXPECT_TRUE(Ends());
}

TEST_F(TerminalTest, ClampsASizeThatNoProgramCouldDraw) {
  StartOpen(WithTerminal("read -r x", 65535, 65535));
  const protocol::State state = client_->Resize(65535, 0);
  EXPECT_EQ(state.rows, protocol::kMaxRows);
  EXPECT_EQ(state.columns, 1);
  client_->Type("\n");
  EXPECT_TRUE(Ends());
}

TEST_F(TerminalTest, ServesSeveralHosts) {
  StartOpen(WithTerminal("read -r a; read -r b; echo $a-$b"));
  TtyClient other(directory_.File("job"));
  ASSERT_TRUE(other.ReceivesHello());
  client_->Type("one\n");
  other.Type("two\n");
  EXPECT_TRUE(Prints("one-two"));
  EXPECT_TRUE(Ends());
  EXPECT_TRUE(other.IsClosed());
}

TEST_F(TerminalTest, LeavesNoSocketBehind) {
  Start(WithTerminal("true"));
  EXPECT_TRUE(Ends());
  EXPECT_TRUE(WaitUntil([this] { return access((directory_.File("job") + "/tty").c_str(), F_OK) != 0; }));
}

TEST_F(TerminalTest, KeepsAllThatWasPrintedToTheLastByte) {
  Start(WithTerminal("seq 20000; printf end"));
  EXPECT_TRUE(Ends());
  std::string expected;
  for (int i = 1; i <= 20000; ++i) expected += std::to_string(i) + "\r\n";
  expected += "end\n\n[background process completed]";
  EXPECT_TRUE(Printed() == expected) << Printed().size() << " bytes";
}

TEST_F(TerminalTest, KeepsTheEndOfAFloodWithinItsCap) {
  Start(WithTerminal("seq 1000000"));
  EXPECT_TRUE(Ends());
  EXPECT_LE(Printed().size(), 1'000'000U);
  EXPECT_TRUE(Prints("\r\n1000000\r\n\n\n[background process completed]"));
}

TEST_F(TerminalTest, IsHungUpWhenItsSupervisorIsKilled) {
  StartOpen(WithTerminal("trap 'echo >hup; exit' HUP; echo $PPID; while :; do sleep 1; done"));
  ASSERT_TRUE(Prints("\r\n"));
  const pid_t supervisor = std::stoi(Printed());
  ASSERT_GT(supervisor, 1);
  ASSERT_EQ(kill(supervisor, SIGKILL), 0);
  EXPECT_TRUE(WaitUntil([this] { return !IsRunning(group_); }));
}

TEST_F(TerminalTest, IsKilledAsAnyJob) {
  StartOpen(WithTerminal("trap '' HUP INT TERM; printf ready; while :; do sleep 1; done"));
  ASSERT_TRUE(Prints("ready"));
  KillJob();
  EXPECT_TRUE(Ends());
  EXPECT_TRUE(client_->IsClosed());
}

TEST_F(TerminalTest, RestrictedCommandsOpenTheirOwnTerminalByItsNames) {
  if (sandbox::LandlockAbi() <= 0) return CannotTest("the kernel has no Landlock");
  constexpr uint64_t kPlenty = uint64_t{1} << 60;
  Call call = WithTerminal("echo by-name >/dev/tty; echo by-path >\"$(tty)\"; stty size </dev/tty");
  call.flags = protocol::kConfined;
  call.limits = {{RLIMIT_CORE, 0, 1, 1}, {RLIMIT_DATA, 0, kPlenty, kPlenty}};
  Start(call);
  EXPECT_TRUE(Ends());
  EXPECT_TRUE(Prints("by-name\r\nby-path\r\n24 100\r\n"));
}

TEST_F(TerminalTest, RestrictedCommandsOpenNoOtherTerminal) {
  if (sandbox::LandlockAbi() <= 0) return CannotTest("the kernel has no Landlock");
  // Another job's.
  const TemporaryDirectory other;
  Call victim = WithTerminal("tty; read -r x");
  victim.job_directory = other.File("job");
  ASSERT_TRUE(HasOutcome(host_.Run(victim), Outcome::kDetached));
  TtyClient client(victim.job_directory);
  ASSERT_TRUE(client.ReceivesHello());
  const std::string output = victim.job_directory + "/output";
  ASSERT_TRUE(WaitUntil([&] { return ReadFile(output).find('\n') != std::string::npos; }));
  const std::string path = ReadFile(output).substr(0, ReadFile(output).find('\r'));

  constexpr uint64_t kPlenty = uint64_t{1} << 60;
  const std::string attack =
      "echo forged >" + path + "; head -c1 <" + path + "; head -c1 /dev/ptmx; echo over";
  Call call = WithTerminal(attack);
  call.flags = protocol::kConfined;
  call.limits = {{RLIMIT_CORE, 0, 1, 1}, {RLIMIT_DATA, 0, kPlenty, kPlenty}};
  Start(call);
  EXPECT_TRUE(Ends());
  EXPECT_TRUE(Prints("over"));
  EXPECT_EQ(ReadFile(output).find("forged"), std::string::npos);
  // The control: who is not confined can.
  call.flags = 0;
  call.command = "echo forged >" + path;
  call.job_directory = directory_.File("control");
  ASSERT_TRUE(HasOutcome(host_.Run(call), Outcome::kDetached));
  EXPECT_TRUE(WaitUntil([&] { return ReadFile(output).find("forged") != std::string::npos; }));
  client.Type("\n");
  EXPECT_TRUE(client.IsClosed());
}

}  // namespace
}  // namespace bashward::test
