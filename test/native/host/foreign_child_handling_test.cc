// Hosts that reap children that are not theirs.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <string>
#include <thread>

#include "support/forked.h"
#include "support/host.h"

namespace bashward::test {
namespace {

TEST(ForeignChildHandling, DoesNoHarmWhenSigchldIsIgnored) {
  InForkedProcess([] {
    signal(SIGCHLD, SIG_IGN);
    Host host;
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(Exited(host.Run(Call("sleep 0; exit 7")), 7));
    host.ExpectNothingLeft();
  });
}

TEST(ForeignChildHandling, DoesNoHarmWhenTheHostWaitsForAnyChild) {
  InForkedProcess([] {
    Host host;
    std::atomic<bool> stop{false};
    std::thread reaper([&] {
      while (!stop) {
        if (waitpid(-1, nullptr, WNOHANG) <= 0) std::this_thread::yield();
      }
    });
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(Exited(host.Run(Call("sleep 0; exit 7")), 7));
    stop = true;
    reaper.join();
    host.ExpectNothingLeft();
  });
}

TEST(ForeignChildHandling, LeavesTheHostsOwnChildrenAlone) {
  InForkedProcess([] {
    Host host;
    const pid_t own = Fork([] { _exit(5); });
    EXPECT_TRUE(Exited(host.Run(Call("sleep 0")), 0));
    int status = 0;
    EXPECT_EQ(waitpid(own, &status, 0), own);
    EXPECT_EQ(WEXITSTATUS(status), 5);
    host.ExpectNothingLeft();
  });
}

}  // namespace
}  // namespace bashward::test
