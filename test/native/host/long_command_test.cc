// A command that is longer than an argument may be, where no path leads to the descriptor that it is on.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <string>

#include "support/forked.h"
#include "support/host.h"
#include "support/must_work.h"
#include "sys/unique_fd.h"

namespace bashward::test {
namespace {

std::string Padded(const std::string& end) {
  return std::string(200'000, '#') + '\n' + end;
}

// A /dev with nothing but null. /proc stays: without it, sanitizers complain.
bool HideDevFd() {
  if (unshare(CLONE_NEWNS) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  const sys::UniqueFd null(open("/dev/null", O_PATH | O_CLOEXEC));
  const std::string source = "/proc/self/fd/" + std::to_string(null.get());
  return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("none", "/dev", "tmpfs", 0, nullptr) == 0 &&
         sys::UniqueFd(open("/dev/null", O_CREAT | O_WRONLY | O_CLOEXEC, 0600)).valid() &&
         mount(source.c_str(), "/dev/null", nullptr, MS_BIND, nullptr) == 0 && access("/dev/fd/0", F_OK) != 0;
}

TEST(LongCommand, RunsWithoutDevFd) {
  InForkedProcess([] {
    if (!HideDevFd()) return OnlyRootCanTest("/dev/fd cannot be hidden");
    Host host;
    const process::Completion completion = host.Run(Call(Padded("echo \"$0 $#\" $'\\1\\177'; exit 7")));
    EXPECT_TRUE(Exited(completion, 7));
    EXPECT_EQ(Output(completion), "bash 0 \1\177\n");
  });
}

TEST(LongCommand, LeavesNoVariableWithoutDevFd) {
  InForkedProcess([] {
    if (!HideDevFd()) return OnlyRootCanTest("/dev/fd cannot be hidden");
    Host host;
    EXPECT_EQ(Output(host.Run(Call(Padded("echo ${REPLY-unset}; read -u 3 2>/dev/null || echo closed")))),
              "unset\nclosed\n");
  });
}

}  // namespace
}  // namespace bashward::test
