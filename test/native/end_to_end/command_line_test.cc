// What others see of the command line of a shell: not the text of its command, which `pkill -f` would find.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>

#include "support/host.h"
#include "support/processes.h"
#include "support/temporary_directory.h"
#include "sys/signals.h"

namespace bashward::test {
namespace {

class CommandLineTest : public CommandTest {
 protected:
  std::string OutputOf(const Call& call) { return Output(host_.Run(call)); }
};

// Read by a child, which has a command line of its own; with bars for NULs.
constexpr const char* kShowShell = "tr '\\0' '|' </proc/$$/cmdline; :";

TEST_F(CommandLineTest, DoesNotShowTheCommand) {
  EXPECT_EQ(OutputOf(Call(kShowShell)), "bash|");
}

TEST_F(CommandLineTest, DoesNotShowItInSubshells) {
  EXPECT_EQ(OutputOf(Call("(read -r line <\"/proc/$BASHPID/cmdline\"; echo \"$line\"; :) 2>/dev/null; :")),
            "bash\n");
}

TEST_F(CommandLineTest, DoesNotShowItWithoutVariables) {
  Call call("tr '\\0' '|' </proc/$$/cmdline; echo; env -i /bin/bash -c 'echo $0'");
  EXPECT_EQ(OutputOf(call), "bash|\n/bin/bash\n");
}

// The trap keeps bash beside a single program.
TEST_F(CommandLineTest, DoesNotShowItInASession) {
  Call call("pgrep -f bashward-session-" + std::to_string(getpid()));
  call.prologue = "trap : EXIT\n";
  call.environment = {"BASH_ENV=/dev/fd/200"};
  const process::Completion completion = host_.Run(call);
  EXPECT_TRUE(Exited(completion, 1)) << Output(completion);
}

TEST_F(CommandLineTest, DoesNotShowItInRestrictedMode) {
  Call call(kShowShell);
  call.flags = protocol::kConfined;
  const process::Completion completion = host_.Run(call);
  if (completion.step != protocol::Step::kNone) return;  // told by the tests of Restricted mode
  EXPECT_EQ(Output(completion), "bash|");
}

TEST_F(CommandLineTest, LeavesTheShellItsArguments) {
  EXPECT_EQ(OutputOf(Call("echo \"$0|$#|$*|$-|$BASH_EXECUTION_STRING|$BASH_ARGV0\" ; :")),
            "bash|0||hBc|echo \"$0|$#|$*|$-|$BASH_EXECUTION_STRING|$BASH_ARGV0\" ; :|bash\n");
}

TEST_F(CommandLineTest, LeavesTheVariables) {
  Call call("printf '%s;' \"$FIRST\" \"$SECOND\"; :");
  call.environment = {"FIRST=1", "SECOND="};
  EXPECT_EQ(OutputOf(call), "1;;");
}

TEST_F(CommandLineTest, NamesItsSurvivorsByTheCommand) {
  const process::Completion completion =
      host_.Run(Call("(while :; do sleep 0.01; done) >/dev/null & echo on"));
  ASSERT_FALSE(completion.survivors.empty());
  EXPECT_EQ(completion.survivors[0].command,
            "bash -c -- (while :; do sleep 0.01; done) >/dev/null & echo on");
  sys::SignalGroup(completion.pid, SIGKILL);
  EXPECT_TRUE(ReapAllChildren());
}

TEST_F(CommandLineTest, OfAScriptAsTheShellIsAsItWas) {
  const TemporaryDirectory directory;
  Call call("echo one; echo two");
  call.shell = directory.Script("#!/bin/sh\nprintf '%s|' \"$@\"\n");
  EXPECT_EQ(OutputOf(call), "-c|--|echo one; echo two|");
}

}  // namespace
}  // namespace bashward::test
