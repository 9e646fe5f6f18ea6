// Hosts on whose kernel the broker of a command cannot do all of its work.
#include <errno.h>
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <fstream>
#include <functional>
#include <string>

#include "sandbox/landlock.h"
#include "support/forked.h"
#include "support/host.h"
#include "support/must_work.h"
#include "support/seccomp.h"
#include "support/temporary_directory.h"

namespace bashward::test {
namespace {

using process::Completion;
using protocol::Step;

constexpr int kOldestAbi = 2;

// `body` runs in a forked process, with a directory to be the root of its commands.
void InHost(const std::function<void(const TemporaryDirectory& root)>& body) {
  if (sandbox::LandlockAbi() < kOldestAbi) return CannotTest("the kernel's Landlock is too old");
  const TemporaryDirectory root;
  InForkedProcess([&] { body(root); });
}

Call InRoot(const TemporaryDirectory& root, const std::string& command) {
  Call call(command);
  call.flags = protocol::kConfined;
  call.directory = root.path();
  call.roots = {root.path()};
  return call;
}

void ExpectModesCanBeChanged(const TemporaryDirectory& root) {
  Host host;
  EXPECT_TRUE(Exited(host.Run(InRoot(root, "echo >f; chmod 700 f")), 0));
  struct stat status{};
  ASSERT_EQ(stat(root.File("f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
}

TEST(WorkspaceStart, IsRefusedWhereTheKernelNotifiesNobody) {
  InHost([](const TemporaryDirectory& root) {
    RefuseSystemCallWith(SYS_seccomp, 0, SECCOMP_GET_NOTIF_SIZES, ENOSYS);
    Host host;
    EXPECT_TRUE(NotStarted(host.Run(InRoot(root, "echo never")), Step::kBroker, ENOSYS));
  });
}

// A shell whose arguments cannot be hidden is killed and started once more, with another listener.
TEST(WorkspaceStart, HasABrokerForTheSecondShell) {
  InHost([](const TemporaryDirectory& root) {
    constexpr uint32_t kSetSignalMask = 0x420b;  // PTRACE_SETSIGMASK
    RefuseSystemCallWith(SYS_ptrace, 0, kSetSignalMask, EIO);
    ExpectModesCanBeChanged(root);
  });
}

// Kernels before 6.6 have no such flag, and some profiles of containers may refuse it.
TEST(WorkspaceStart, NeedsNoWakeUpOnTheSameProcessor) {
  InHost([](const TemporaryDirectory& root) {
    constexpr uint32_t kSetFlags = _IOW('!', 4, uint64_t);  // SECCOMP_IOCTL_NOTIF_SET_FLAGS
    RefuseSystemCallWith(SYS_ioctl, 1, kSetFlags, EINVAL);
    ExpectModesCanBeChanged(root);
  });
}

TEST(WorkspaceProbe, SaysAtOnceThatItsBrokerHasEnded) {
  const TemporaryDirectory outside;
  std::ofstream(outside.File("file")) << "text";
  InHost([&](const TemporaryDirectory& root) {
    RefuseSystemCallWith(SYS_ioctl, 1, SECCOMP_IOCTL_NOTIF_RECV, EIO);
    Host host;
    Call call(outside.File("file"));
    call.flags = protocol::kConfined | protocol::kProbe;
    call.roots = {root.path()};
    EXPECT_TRUE(NotStarted(host.Run(call), Step::kBroker, EIO));
    host.ExpectNothingLeft();
  });
}

TEST(WorkspaceEnd, IsTheEndOfItsBroker) {
  InHost([](const TemporaryDirectory& root) {
    RefuseSystemCallWith(SYS_ioctl, 1, SECCOMP_IOCTL_NOTIF_RECV, EIO);
    Host host;
    const Completion completion =
        host.Run(InRoot(root, "echo >f; setsid -f sleep 300; chmod 700 f; sleep 300"));
    EXPECT_TRUE(WIFSIGNALED(completion.exited.wait_status));
    EXPECT_TRUE(completion.sandbox.broker_ended);
    EXPECT_TRUE(completion.survivors.empty());
  });
}

}  // namespace
}  // namespace bashward::test
