// What the shell is started with.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>
#include <string>

#include "support/host.h"
#include "support/temporary_directory.h"

namespace bashward::test {
namespace {

using process::Completion;

// The longest string that execve(2) takes as one argument: 32 pages of 4 KiB with its NUL.
constexpr size_t kLongestArgument = 32 * 4096 - 1;

class ShellTest : public CommandTest {
 protected:
  std::string OutputOf(const Call& call) { return Output(host_.Run(call)); }

  // A command of exactly `size` bytes that ends in `end`.
  static std::string Padded(size_t size, const std::string& end) {
    return std::string(size - end.size(), '\n') + end;
  }
};

TEST_F(ShellTest, RunsInTheWorkingDirectory) {
  const TemporaryDirectory directory;
  Call call("pwd -P");
  call.directory = directory.path();
  EXPECT_EQ(OutputOf(call), directory.path() + "\n");
}

TEST_F(ShellTest, HasTheGivenVariables) {
  Call call("printf '%s|%s' \"$ONE\" \"$TWO\"");
  call.environment = {"ONE=1 und\n eins", "TWO="};
  EXPECT_EQ(OutputOf(call), "1 und\n eins|");
}

TEST_F(ShellTest, HasNoOtherVariables) {
  Call call("tr '\\0' '\\n' </proc/$$/environ | cut -d= -f1");
  call.environment = {"ONLY=1"};
  EXPECT_EQ(OutputOf(call), "PATH\nONLY\n");
}

TEST_F(ShellTest, ReadsTheEndFromStdin) {
  EXPECT_EQ(OutputOf(Call("read x; echo $?; cat")), "1\n");
}

TEST_F(ShellTest, ReadsWhatItIsGivenFromStdin) {
  Call call("read -r line; echo \"<$line>\"; cat");
  call.input = "one\ntwo\n";
  EXPECT_EQ(OutputOf(call), "<one>\ntwo\n");
}

TEST_F(ShellTest, HasNoTerminal) {
  const std::string output = OutputOf(Call("exec 3<>/dev/tty"));
  EXPECT_NE(output.find("No such device or address"), std::string::npos) << output;
}

TEST_F(ShellTest, LeadsItsGroupAndSession) {
  const Completion completion =
      host_.Run(Call("read -r pid _ state parent group session _ </proc/$$/stat; echo $pid $group $session"));
  const std::string pid = std::to_string(completion.pid);
  EXPECT_EQ(Output(completion), pid + " " + pid + " " + pid + "\n");
}

// A program looks at them, because bash keeps descriptors of its own and closes them when it executes one.
// The listing opens a descriptor, too: only those still open afterwards count.
constexpr const char* kListDescriptors =
    "exec \"$BASH\" -c 'for fd in /proc/$$/fd/*; do [ -e $fd ] && echo ${fd##*/}; done'";

TEST_F(ShellTest, GivesProgramsTheThreeStandardDescriptorsAlone) {
  EXPECT_EQ(OutputOf(Call(kListDescriptors)), "0\n1\n2\n");
}

TEST_F(ShellTest, GivesProgramsTheThreeStandardDescriptorsAloneForALongCommandToo) {
  EXPECT_EQ(OutputOf(Call(Padded(kLongestArgument + 1, kListDescriptors))), "0\n1\n2\n");
}

TEST_F(ShellTest, CannotReadTheOutputOfItsOwn) {
  const std::string output = OutputOf(Call("cat <&1"));
  EXPECT_NE(output.find("Bad file descriptor"), std::string::npos) << output;
}

TEST_F(ShellTest, RunsTheLongestCommandThatIsAnArgument) {
  EXPECT_EQ(OutputOf(Call(Padded(kLongestArgument, "echo $0 ${#BASH_EXECUTION_STRING}"))), "bash 131071\n");
}

TEST_F(ShellTest, RunsACommandOneByteTooLongForAnArgument) {
  EXPECT_EQ(OutputOf(Call(Padded(kLongestArgument + 1, "echo $0"))), "bash\n");
}

TEST_F(ShellTest, RunsACommandOfAMebibyte) {
  std::string command = "cat <<'EOF' | wc -c\n";
  while (command.size() < 1024 * 1024 - 100)
    command += "it's \"quoted\" $here `and` \\ there! # no comment\n";
  const size_t text = command.size() - std::string("cat <<'EOF' | wc -c\n").size();
  command += "EOF\nexit 5 # a comment at the end";
  const Completion completion = host_.Run(Call(command));
  EXPECT_TRUE(Exited(completion, 5));
  EXPECT_EQ(Output(completion), std::to_string(text) + "\n");
}

TEST_F(ShellTest, LetsALongCommandReadStdin) {
  EXPECT_EQ(OutputOf(Call(Padded(kLongestArgument + 1, "read x; echo $?"))), "1\n");
}

TEST_F(ShellTest, HasTheLimitsThatWereAskedFor) {
  Call call("ulimit -Sf; ulimit -Hf");
  call.limits = {{RLIMIT_FSIZE, 0, 10 * 1024, 20 * 1024}};
  EXPECT_EQ(OutputOf(call), "10\n20\n");
}

TEST_F(ShellTest, NeverHasALimitAboveTheHostsOwn) {
  rlimit own{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &own), 0);
  Call call("ulimit -Hn");
  call.limits = {{RLIMIT_NOFILE, 0, ~uint64_t{0}, ~uint64_t{0}}};
  EXPECT_EQ(OutputOf(call), std::to_string(own.rlim_max) + "\n");
}

TEST_F(ShellTest, DropsIntrospectionCapabilitiesOnRequest) {
  Call call(
      "while read -r name value; do [ $name = CapEff: ] && echo $(( 0x$value >> 19 & 1 )); done "
      "</proc/$$/status");
  call.flags = protocol::kDropIntrospection;
  EXPECT_EQ(OutputOf(call), "0\n");
}

}  // namespace
}  // namespace bashward::test
