// Jobs that have a terminal of their own, and hosts that type into it.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>

#include "end_to_end/terminal_fixture.h"

namespace bashward::test {
namespace {

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
  StartOpen(WithTerminal("sleep 300"));
  client_->BeginWait(7, 300'000);
  KillJob();
  const auto state = client_->Receive<protocol::State>(protocol::TerminalMessage::kState);
  ASSERT_TRUE(state.has_value());
  EXPECT_EQ(state->tag, 7U);
  EXPECT_EQ(state->reason, protocol::StateReason::kEnded);
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

TEST_F(TerminalTest, TypesMoreThanATerminalHolds) {
  StartOpen(WithTerminal("stty raw -echo; printf ready; head -c 300000 | cksum"));
  ASSERT_TRUE(Prints("ready"));
  std::string all;
  for (int part = 0; part < 5; ++part) {
    const std::string bytes(60'000, static_cast<char>('a' + part));
    EXPECT_EQ(client_->Type(bytes).accepted, bytes.size());
    all += bytes;
  }
  EXPECT_TRUE(Prints(" 300000"));
}

TEST_F(TerminalTest, GivesTheNextReaderNothingThatWasQueuedForAnother) {
  const std::string file = directory_.File("leaked");
  StartOpen(WithTerminal("stty raw -echo; printf ready; head -c 10000 >/dev/null; cat >" + file));
  ASSERT_TRUE(Prints("ready"));
  EXPECT_EQ(client_->Type(std::string(60'000, 'x')).accepted, 60'000U);
  EXPECT_TRUE(WaitUntil([this] { return client_->Query().dropped > 40'000; }));
  EXPECT_EQ(client_->Query().queued, 0U);
  EXPECT_LE(ReadFile(file).size(), 2 * size_t{4096});
}

TEST_F(TerminalTest, AnswersAProgramThatReadsKeys) {
  StartOpen(WithTerminal("stty raw -echo; printf '\\e[6n\\e[c'; head -c 13 | od -c | head -2"));
  EXPECT_TRUE(Prints("033   [   1   ;   1   R 033   [   ?   1   ;   2   c"));
}

TEST_F(TerminalTest, AnswersNobodyWhoReadsLines) {
  StartOpen(WithTerminal("printf '\\e[6n\\e[c'; read -r -t 1.5 x; read -r name; echo \"x=$x name=$name\""));
  EXPECT_TRUE(WaitUntil([this] { return client_->Query().quiet_ms > 1'600; }));
  client_->Type("bob\n");
  EXPECT_TRUE(Prints("x= name=bob\r\n"));
}

TEST_F(TerminalTest, AnswersNobodyWhoseReaderHasGone) {
  StartOpen(WithTerminal(
      "stty raw -echo; printf '\\e[6n'; sleep 1.5; stty sane; read -r name; echo \"name=$name\""));
  EXPECT_TRUE(WaitUntil([this] { return client_->Query().verdict == protocol::Verdict::kLine; }));
  client_->Type("bob\n");
  EXPECT_TRUE(Prints("name=bob\r\n"));
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

}  // namespace
}  // namespace bashward::test
