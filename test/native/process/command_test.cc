#include "process/command.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <string>

#include "process/command_fixture.h"
#include "support/forked.h"
#include "support/seccomp.h"

namespace bashward::process {
namespace {

using protocol::Step;
using test::Call;

TEST(Command, DoesNotStartWhenItsRequestCannotBeSent) {
  test::InForkedProcess([] {
    test::RefuseSystemCall(SYS_sendto, ENOBUFS);
    CommandOnLoop command(Call("echo never"));
    EXPECT_TRUE(test::NotStarted(command.Result(), Step::kProtocol, ENOBUFS));
    command.ExpectGone();
  });
}

// The supervisor ends everything when it finds itself alone; the result does not wait for that.
TEST(Command, IsLostWhenItsEndCannotBeSent) {
  test::InForkedProcess([] {
    test::RefuseSystemCallWith(SYS_sendto, 3, MSG_NOSIGNAL, ENOBUFS);  // as the supervisor calls it
    CommandOnLoop command(Call("exit 3"));
    EXPECT_TRUE(test::HasOutcome(command.Result(), Outcome::kSupervisorLost));
    command.ExpectGone();
  });
}

// For its caller it has not started: it must not run on, and nobody else would end it.
TEST(Command, EndsAJobThatCouldNotBeAnnounced) {
  const test::TemporaryDirectory directory;
  test::InForkedProcess([&] {
    test::RefuseSystemCallWith(SYS_sendto, 3, MSG_NOSIGNAL, ENOBUFS);
    Call call("sleep 300 & wait");
    call.job_directory = directory.File("job");
    CommandOnLoop command(call);
    EXPECT_TRUE(test::HasOutcome(command.Result(), Outcome::kSupervisorLost));
    EXPECT_EQ(command.Result().pid, 0);
    command.ExpectGone();
  });
  const std::string end = test::ReadFile(directory.File("job/exit.json"));
  EXPECT_NE(end.find("\"status\":\"killed\""), std::string::npos) << end;
}

}  // namespace
}  // namespace bashward::process
