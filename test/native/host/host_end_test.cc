// A host that ends takes its commands with it.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>

#include "support/forked.h"
#include "support/host.h"
#include "support/processes.h"
#include "support/temporary_directory.h"
#include "support/wait.h"
#include "sys/signals.h"

namespace bashward::test {
namespace {

class HostEndTest : public ::testing::Test {
 protected:
  void SetUp() override { BecomeSubreaper(); }
  void TearDown() override {
    // What is left of a host is this process's child now.
    if (ReapAllChildren()) return;
    ADD_FAILURE() << "a process is left";
    KillAllChildren();
  }

  // A host that runs the command, once that has written its file; it then does `rest`.
  pid_t HostOf(const std::string& command, const std::function<void()>& rest) {
    const pid_t pid = Fork([&] {
      Host host;
      Call call(command);
      call.environment = {"FILE=" + file_, "SCRATCH=" + scratch_};
      call.scratch = scratch_;
      call.scratch_limit = 1'000'000;
      host.Submit(call);
      rest();
    });
    EXPECT_TRUE(WaitUntil([this] { return !ReadFile(file_).empty(); }));
    return pid;
  }

  static void Kill(pid_t host) {
    EXPECT_EQ(sys::SignalProcess(host, SIGKILL), 0);
    EXPECT_EQ(waitpid(host, nullptr, 0), host);
  }
  static void WaitForASignal() {
    for (;;) pause();
  }

  TemporaryDirectory directory_;
  std::string file_ = directory_.File("ready");
  std::string scratch_ = directory_.File("scratch");
};

TEST_F(HostEndTest, ByAKillEndsARunningCommand) {
  Kill(HostOf("echo >\"$FILE\"; sleep 300", WaitForASignal));
}

TEST_F(HostEndTest, ByAKillEndsDaemons) {
  Kill(HostOf("setsid -f sleep 300 >/dev/null 2>&1; echo >\"$FILE\"; sleep 300", WaitForASignal));
}

TEST_F(HostEndTest, ByAKillEndsWhatIgnoresSigterm) {
  Kill(HostOf("trap '' TERM; echo >\"$FILE\"; while :; do sleep 0.1; done", WaitForASignal));
}

// A stopped process does not notice the end of its control socket.
TEST_F(HostEndTest, ByAKillEndsACommandThatStoppedItsSupervisor) {
  Kill(HostOf("kill -STOP $PPID; echo >\"$FILE\"; sleep 300", WaitForASignal));
}

TEST_F(HostEndTest, ByAKillEndsAFlood) {
  Kill(HostOf("echo >\"$FILE\"; yes", WaitForASignal));
}

TEST_F(HostEndTest, ByAKillRemovesTheScratchDirectory) {
  Kill(HostOf("mkdir \"$SCRATCH/a\"; echo >\"$SCRATCH/a/file\"; echo >\"$FILE\"; sleep 300", WaitForASignal));
  EXPECT_TRUE(WaitUntil([this] { return !std::filesystem::exists(scratch_); }));
}

TEST_F(HostEndTest, ByExitEndsARunningCommand) {
  const pid_t host = HostOf("echo >\"$FILE\"; sleep 300", [this] {
    WaitUntil([this] { return !ReadFile(file_).empty(); });
    _exit(0);
  });
  Join(host);
}

}  // namespace
}  // namespace bashward::test
