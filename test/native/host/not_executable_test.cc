// A supervisor whose file may not be executed: it runs from a copy in memory.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "support/forked.h"
#include "support/host.h"
#include "support/temporary_directory.h"
#include "support/users.h"

namespace bashward::test {
namespace {

class NotExecutable : public ::testing::TestWithParam<User> {
 protected:
  // A copy of the supervisor that has lost its exec bits.
  std::string CopySupervisor() const {
    std::ofstream(directory_.File("supervisor"), std::ios::binary) << ReadFile(SupervisorPath());
    GiveTo(GetParam(), directory_.path());
    GiveTo(GetParam(), directory_.File("supervisor"));
    return directory_.File("supervisor");
  }

  TemporaryDirectory directory_;
};

TEST_P(NotExecutable, RunsCommandsAllTheSame) {
  InForkedProcess([&] {
    Call call("echo one; exit 3");
    call.supervisor = CopySupervisor();
    Become(GetParam());
    ASSERT_NE(access(call.supervisor.c_str(), X_OK), 0);
    Host host;
    for (int i = 0; i < 2; ++i) {
      const process::Completion completion = host.Run(call);
      EXPECT_TRUE(Exited(completion, 3));
      EXPECT_EQ(Output(completion), "one\n");
    }
  });
}

TEST_P(NotExecutable, GivesTheCommandNoDescriptorOfTheCopy) {
  InForkedProcess([&] {
    Call call("ls /proc/self/fd | wc -l");
    const std::string descriptors = Output(Host().Run(call));
    call.supervisor = CopySupervisor();
    Become(GetParam());
    EXPECT_EQ(Output(Host().Run(call)), descriptors);
  });
}

TEST_P(NotExecutable, KeepsTheSupervisorsName) {
  InForkedProcess([&] {
    Call call("cat /proc/$PPID/comm");
    call.supervisor = CopySupervisor();
    Become(GetParam());
    EXPECT_EQ(Output(Host().Run(call)), "bashward-superv\n");
  });
}

TEST_P(NotExecutable, SaysSoWhenTheFileCannotBeReadEither) {
  InForkedProcess([&] {
    Call call(":");
    call.supervisor = directory_.path();
    GiveTo(GetParam(), directory_.path());
    Become(GetParam());
    Host host;
    EXPECT_TRUE(NotStarted(host.Run(call), protocol::Step::kExecveSupervisor, EACCES));
    host.ExpectNothingLeft();
  });
}

INSTANTIATE_TEST_SUITE_P(, NotExecutable, ::testing::ValuesIn(Users()),
                         [](const auto& user) { return NameOf(user.param); });

}  // namespace
}  // namespace bashward::test
