// Commands that cannot be started: the step that failed, and why.
#include <errno.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "support/host.h"
#include "support/temporary_directory.h"

namespace bashward::test {
namespace {

using process::CommandSpec;
using protocol::Step;

class FailureTest : public CommandTest {};

TEST_F(FailureTest, NamesASupervisorThatIsNotThere) {
  Call call("echo never");
  call.supervisor = "/nonexistent/supervisor";
  EXPECT_TRUE(NotStarted(host_.Run(call), Step::kExecveSupervisor, ENOENT));
}

TEST_F(FailureTest, NamesASupervisorThatIsNoProgram) {
  const TemporaryDirectory directory;
  Call call("echo never");
  call.supervisor = directory.File("no-program");
  std::ofstream(call.supervisor) << "no program";
  ASSERT_EQ(chmod(call.supervisor.c_str(), 0755), 0);
  EXPECT_TRUE(NotStarted(host_.Run(call), Step::kExecveSupervisor, ENOEXEC));
}

TEST_F(FailureTest, ReportsAProgramThatIsNoSupervisor) {
  Call call("echo never");
  call.supervisor = "/bin/true";
  EXPECT_TRUE(HasOutcome(host_.Run(call), process::Outcome::kSupervisorLost));
}

TEST_F(FailureTest, NamesAShellThatIsNotThere) {
  Call call("echo never");
  call.shell = "/nonexistent/bash";
  EXPECT_TRUE(NotStarted(host_.Run(call), Step::kExecve, ENOENT));
}

TEST_F(FailureTest, NamesAShellThatIsADirectory) {
  Call call("echo never");
  call.shell = "/";
  EXPECT_TRUE(NotStarted(host_.Run(call), Step::kExecve, EACCES));
}

TEST_F(FailureTest, NamesAnEnvironmentThatIsTooLarge) {
  Call call("echo never");
  call.environment = {"LARGE=" + std::string(200'000, 'x')};
  EXPECT_TRUE(NotStarted(host_.Run(call), Step::kExecve, E2BIG));
}

TEST_F(FailureTest, NamesAWorkingDirectoryThatIsNotThere) {
  Call call("echo never");
  call.directory = "/nonexistent/directory";
  EXPECT_TRUE(NotStarted(host_.Run(call), Step::kChdir, ENOENT));
}

TEST_F(FailureTest, NamesAWorkingDirectoryThatIsAFile) {
  Call call("echo never");
  call.directory = "/dev/null";
  EXPECT_TRUE(NotStarted(host_.Run(call), Step::kChdir, ENOTDIR));
}

TEST_F(FailureTest, NamesAWorkingDirectoryThatIsTooLong) {
  Call call("echo never");
  call.directory = "/" + std::string(5000, 'd');
  EXPECT_TRUE(NotStarted(host_.Run(call), Step::kChdir, ENAMETOOLONG));
}

TEST_F(FailureTest, NamesALimitThatDoesNotExist) {
  Call call("echo never");
  call.limits = {{999, 0, 1, 1}};
  EXPECT_TRUE(NotStarted(host_.Run(call), Step::kSetrlimit, EINVAL));
}

TEST_F(FailureTest, ReportsARequestOfAnotherVersion) {
  CommandSpec spec = ToSpec(Call("echo never"));
  spec.request[0] = static_cast<char>(spec.request[0] + 1);
  EXPECT_TRUE(NotStarted(host_.Wait(host_.reactor().Submit(spec, host_.listener())), Step::kProtocol, 0));
}

TEST_F(FailureTest, ReportsAnEmptyRequest) {
  CommandSpec spec = ToSpec(Call("echo never"));
  spec.request.clear();
  EXPECT_TRUE(NotStarted(host_.Wait(host_.reactor().Submit(spec, host_.listener())), Step::kProtocol, 0));
}

TEST_F(FailureTest, GivesAnEmptyStreamForEachThatWasAskedFor) {
  Call call("echo never");
  call.directory = "/nonexistent";
  call.separate_streams = true;
  const process::Completion completion = host_.Run(call);
  ASSERT_EQ(completion.streams.size(), 2U);
  EXPECT_EQ(completion.streams[0].total + completion.streams[1].total, 0U);
}

TEST_F(FailureTest, LeavesTheNextCommandUnharmed) {
  Call call("echo never");
  call.directory = "/nonexistent";
  EXPECT_TRUE(NotStarted(host_.Run(call), Step::kChdir, ENOENT));
  EXPECT_EQ(Output(host_.Run(Call("echo next"))), "next\n");
}

}  // namespace
}  // namespace bashward::test
