// What a confined command can do with terminals: with its own, and with those of others.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <string>

#include "end_to_end/terminal_fixture.h"
#include "sandbox/landlock.h"
#include "support/must_work.h"

namespace bashward::test {
namespace {

using process::Outcome;

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
