// Watched paths that somebody else's file system has, which may not answer.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "sandbox/landlock.h"
#include "support/file_server.h"
#include "support/host.h"
#include "support/must_work.h"
#include "support/own_mounts.h"
#include "sys/unique_fd.h"

namespace bashward::test {
namespace {

using process::Completion;
using process::Outcome;
using Paths = std::vector<std::string>;

constexpr int kOldestAbi = 2;

// In a workspace of the test's own mounts, with a mount point `.claude` in it.
void InWorkspace(const std::function<void(const std::string& root)>& body) {
  if (sandbox::LandlockAbi() < kOldestAbi) return CannotTest("the kernel's Landlock is too old");
  WithOwnMounts([&body](const std::string& directory) {
    const std::string root = directory + "/ws";
    MakeDirectory(root + "/.claude");
    body(root);
  });
}

Call Watching(const std::string& root, const std::string& command) {
  Call call(command);
  call.flags = protocol::kConfined;
  call.directory = root;
  call.roots = {root};
  call.watched = {".claude/*", ".claude/settings.json", ".envrc"};
  return call;
}

bool IsServed(FileServer* server, const std::string& root) {
  if (server->Mount(root + "/.claude")) return true;
  if (errno == EACCES) {
    OnlyRootCanTest("/dev/fuse cannot be opened");
  } else {
    CannotTest("there is no FUSE: errno " + std::to_string(errno));
  }
  return false;
}

TEST(DistantPaths, AreWatchedOnOtherMounts) {
  InWorkspace([](const std::string& root) {
    MountNew("tmpfs", root + "/.claude");
    WriteFile(root + "/.claude/settings.json", "old");
    Host host;
    const Completion completion =
        host.Run(Watching(root, "echo new >.claude/settings.json; : >.claude/more; : >.envrc"));
    EXPECT_TRUE(Exited(completion, 0));
    EXPECT_EQ(completion.sandbox.changed,
              Paths({root + "/.envrc", root + "/.claude/settings.json", root + "/.claude/more"}));
    EXPECT_EQ(completion.sandbox.changed_dropped, 0U);
    host.ExpectNothingLeft();
  });
}

TEST(DistantPaths, AreWatchedWhereTheWholeRootMayHang) {
  InWorkspace([](const std::string& root) {
    WriteFile(root + "/.claude/settings.json", "old");
    Host host;
    Call call = Watching(root, "echo new >.claude/settings.json; : >.envrc");
    call.roots_that_may_hang = 1;
    const Completion completion = host.Run(call);
    EXPECT_TRUE(Exited(completion, 0));
    EXPECT_EQ(completion.sandbox.changed, Paths({root + "/.claude/settings.json", root + "/.envrc"}));
    EXPECT_EQ(completion.sandbox.changed_dropped, 0U);
    host.ExpectNothingLeft();
  });
}

TEST(DistantPaths, AreWatchedByAServerThatAnswers) {
  InWorkspace([](const std::string& root) {
    Host host;
    FileServer server;
    if (!IsServed(&server, root)) return;
    const Completion completion = host.Run(Watching(root, ": >.envrc"));
    EXPECT_TRUE(Exited(completion, 0));
    EXPECT_EQ(completion.sandbox.changed, Paths({root + "/.envrc"}));
    EXPECT_EQ(completion.sandbox.changed_dropped, 0U);
    server.Stop();
    host.ExpectNothingLeft();
  });
}

TEST(DistantPaths, AreUnknownWhereNobodyAnswers) {
  InWorkspace([](const std::string& root) {
    Host host;
    FileServer server;
    if (!IsServed(&server, root)) return;
    server.CeaseToAnswer();
    const Completion completion = host.Run(Watching(root, ": >.envrc"));
    EXPECT_TRUE(Exited(completion, 0));
    EXPECT_EQ(completion.sandbox.changed, Paths({root + "/.envrc"}));
    EXPECT_EQ(completion.sandbox.changed_dropped, 2U);
    server.Stop();
    host.ExpectNothingLeft();
  });
}

// The shell closes what it has from its supervisor, and waits for that.
TEST(DistantPaths, KeepNoCommandFromStartingWhileTheyAreRead) {
  InWorkspace([](const std::string& root) {
    Host host;
    FileServer server;
    server.AddUnreadable("settings.json");
    if (!IsServed(&server, root)) return;
    Call call = Watching(root, ": >.envrc");
    call.timeout_ms = 10'000;
    const Completion completion = host.Run(call);
    EXPECT_TRUE(Exited(completion, 0));
    EXPECT_EQ(completion.sandbox.changed, Paths({root + "/.envrc"}));
    EXPECT_EQ(completion.sandbox.changed_dropped, 2U);
    server.Stop();
    host.ExpectNothingLeft();
  });
}

TEST(DistantPaths, AreUnknownWhereNobodyAnswersAnyMore) {
  InWorkspace([](const std::string& root) {
    Host host;
    FileServer server;
    if (!IsServed(&server, root)) return;
    const std::string fifo = root + "/fifo";
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    Call call = Watching(root, "echo ready; read x <fifo; : >.envrc");
    call.live = true;
    const uint64_t id = host.Submit(call);
    host.recorder().WaitForLiveText(id, "ready\n");
    server.CeaseToAnswer();
    {
      const sys::UniqueFd end(open(fifo.c_str(), O_WRONLY | O_CLOEXEC));
    }
    const Completion completion = host.Wait(id);
    EXPECT_TRUE(Exited(completion, 0));
    EXPECT_EQ(completion.sandbox.changed, Paths({root + "/.envrc"}));
    EXPECT_EQ(completion.sandbox.changed_dropped, 2U);
    server.Stop();
    host.ExpectNothingLeft();
  });
}

TEST(DistantPaths, HoldUpNoTimeout) {
  InWorkspace([](const std::string& root) {
    Host host;
    FileServer server;
    if (!IsServed(&server, root)) return;
    server.CeaseToAnswer();
    Call call = Watching(root, "sleep 300");
    call.timeout_ms = 100;
    const Completion completion = host.Run(call);
    EXPECT_EQ(completion.outcome, Outcome::kTimedOut);
    EXPECT_TRUE(completion.has_exited);
    server.Stop();
    host.ExpectNothingLeft();
  });
}

}  // namespace
}  // namespace bashward::test
