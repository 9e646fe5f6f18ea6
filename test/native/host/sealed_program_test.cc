// A supervisor whose file may be written to: it runs from the copy in memory that was made when it was first
// needed.
#include "process/sealed_program.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "support/forked.h"
#include "support/host.h"
#include "support/seccomp.h"
#include "support/temporary_directory.h"
#include "support/users.h"

namespace bashward::test {
namespace {

class SealedProgram : public ::testing::TestWithParam<User> {
 protected:
  std::string CopySupervisor() const {
    const std::string path = directory_.File("supervisor");
    std::ofstream(path, std::ios::binary) << ReadFile(SupervisorPath());
    chmod(path.c_str(), 0755);
    GiveTo(GetParam(), directory_.path());
    GiveTo(GetParam(), path);
    return path;
  }
  // Another program in its place, which would leave a mark.
  void Replace(const std::string& path) const {
    ASSERT_EQ(unlink(path.c_str()), 0);
    std::ofstream(path) << "#!/bin/sh\n: >" << mark() << "\n";
    ASSERT_EQ(chmod(path.c_str(), 0755), 0);
  }
  std::string mark() const { return directory_.File("mark"); }
  bool HasMark() const { return access(mark().c_str(), F_OK) == 0; }

  TemporaryDirectory directory_;
};

TEST_P(SealedProgram, RunsWhateverBecomesOfItsFile) {
  InForkedProcess([&] {
    Call call("echo one; exit 3");
    call.supervisor = CopySupervisor();
    Become(GetParam());
    Host host;
    EXPECT_TRUE(Exited(host.Run(call), 3));
    Replace(call.supervisor);
    for (int i = 0; i < 2; ++i) {
      const process::Completion completion = host.Run(call);
      EXPECT_TRUE(Exited(completion, 3));
      EXPECT_EQ(Output(completion), "one\n");
    }
    EXPECT_FALSE(HasMark());
  });
}

// Some systems execute nothing but the files that they know.
TEST_P(SealedProgram, RunsFromItsFileWhereCopiesMayNotBeExecuted) {
  InForkedProcess([&] {
    Call call("echo one; exit 3");
    call.supervisor = CopySupervisor();
    Become(GetParam());
    RefuseSystemCall(SYS_execveat, EPERM);
    Host host;
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(Exited(host.Run(call), 3));
  });
}

TEST_P(SealedProgram, NeverRunsFromItsFileOnceItIsSealed) {
  InForkedProcess([&] {
    Call call(":");
    call.supervisor = CopySupervisor();
    Become(GetParam());
    ASSERT_EQ(process::SealProgram(call.supervisor), 0);
    Replace(call.supervisor);
    RefuseSystemCall(SYS_execveat, EPERM);
    Host host;
    EXPECT_TRUE(NotStarted(host.Run(call), protocol::Step::kExecveSupervisor, EPERM));
    EXPECT_FALSE(HasMark());
  });
}

TEST_P(SealedProgram, GivesTheCommandNoDescriptorOfTheCopy) {
  InForkedProcess([&] {
    Call call("ls /proc/self/fd | wc -l");
    call.supervisor = CopySupervisor();
    Become(GetParam());
    ASSERT_EQ(process::SealProgram(call.supervisor), 0);
    EXPECT_EQ(Output(Host().Run(call)), "4\n");
  });
}

TEST_P(SealedProgram, SaysThatItIsNotThere) {
  InForkedProcess([&] {
    Become(GetParam());
    EXPECT_EQ(process::SealProgram("/nowhere/supervisor"), ENOENT);
    EXPECT_EQ(process::CopyOfProgram("/nowhere/supervisor"), -1);
    EXPECT_FALSE(process::IsSealed("/nowhere/supervisor"));
  });
}

INSTANTIATE_TEST_SUITE_P(, SealedProgram, ::testing::ValuesIn(Users()),
                         [](const auto& user) { return NameOf(user.param); });

}  // namespace
}  // namespace bashward::test
