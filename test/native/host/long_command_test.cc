// A command that is longer than an argument may be, where no path leads to the descriptor that it is on.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <string>

#include "support/forked.h"
#include "support/host.h"
#include "support/must_work.h"

namespace bashward::test {
namespace {

std::string Padded(const std::string& end) {
  return std::string(200'000, '#') + '\n' + end;
}

// /dev/fd is a link into /proc.
bool HideProc() {
  return (unshare(CLONE_NEWNS) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0) &&
         mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("none", "/proc", "tmpfs", 0, nullptr) == 0 && access("/dev/fd/0", F_OK) != 0;
}

TEST(LongCommand, RunsWithoutDevFd) {
  InForkedProcess([] {
    if (!HideProc()) return CannotTest("/proc cannot be hidden");
    Host host;
    const process::Completion completion = host.Run(Call(Padded("echo \"$0 $#\" $'\\1\\177'; exit 7")));
    EXPECT_TRUE(Exited(completion, 7));
    EXPECT_EQ(Output(completion), "bash 0 \1\177\n");
  });
}

TEST(LongCommand, LeavesNoVariableWithoutDevFd) {
  InForkedProcess([] {
    if (!HideProc()) return CannotTest("/proc cannot be hidden");
    Host host;
    EXPECT_EQ(Output(host.Run(Call(Padded("echo ${REPLY-unset}; read -u 3 2>/dev/null || echo closed")))),
              "unset\nclosed\n");
  });
}

}  // namespace
}  // namespace bashward::test
