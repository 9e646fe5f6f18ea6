// Whole commands with writable roots: what their broker does, and what becomes of them without it.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sandbox/landlock.h"
#include "support/host.h"
#include "support/must_work.h"
#include "support/processes.h"
#include "support/temporary_directory.h"
#include "support/wait.h"

namespace bashward::test {
namespace {

using process::Completion;
using protocol::Step;

constexpr int kOldestAbi = 2;

class WorkspaceTest : public CommandTest {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(root_);
    std::ofstream(outside_) << "text";
    chmod(outside_.c_str(), kMode);
  }
  void TearDown() override {
    EXPECT_TRUE(ReapAllChildren());
    CommandTest::TearDown();
  }

  // False where there is no Workspace mode; prints why.
  static bool IsPossible() {
    if (sandbox::LandlockAbi() >= kOldestAbi) return true;
    CannotTest("the kernel's Landlock cannot move files between directories");
    return false;
  }

  Call InWorkspace(const std::string& command) const {
    Call call(command);
    call.flags = protocol::kConfined;
    call.directory = root_;
    call.roots = {root_};
    call.environment = {"OUTSIDE=" + outside_};
    return call;
  }

  mode_t ModeOutside() const {
    struct stat status{};
    EXPECT_EQ(stat(outside_.c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  static constexpr mode_t kMode = 0640;
  const TemporaryDirectory directory_;
  const std::string root_ = directory_.File("root");
  const std::string outside_ = directory_.File("outside");
};

TEST_F(WorkspaceTest, WritesInItsRootAndNowhereElse) {
  if (!IsPossible()) return;
  const Completion completion =
      host_.Run(InWorkspace("echo a >in && mkdir d && mv in d/in; echo b >\"$OUTSIDE\""));
  EXPECT_TRUE(Exited(completion, 1));
  EXPECT_EQ(ReadFile(root_ + "/d/in"), "a\n");
  EXPECT_EQ(ReadFile(outside_), "text");
}

TEST_F(WorkspaceTest, ChangesModesAndTimesInItsRoot) {
  if (!IsPossible()) return;
  const Completion completion =
      host_.Run(InWorkspace("echo >f && chmod 751 f && touch -d @1000000000 f && stat -c '%a %Y' f"));
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(Output(completion), "751 1000000000\n");
  EXPECT_TRUE(completion.sandbox.denials.empty());
}

TEST_F(WorkspaceTest, ChangesModesInItsScratchDirectory) {
  if (!IsPossible()) return;
  Call call = InWorkspace("echo >\"$SCRATCH/f\" && chmod 751 \"$SCRATCH/f\" && stat -c %a \"$SCRATCH/f\"");
  call.scratch = directory_.File("scratch");
  call.scratch_limit = 1024 * 1024;
  call.environment = {"SCRATCH=" + call.scratch};
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(Output(completion), "751\n");
}

TEST_F(WorkspaceTest, ChangesModesOfItsSharedMemory) {
  if (!IsPossible()) return;
  if (access("/dev/shm", W_OK) != 0) return CannotTest("there is no shared memory");
  Call call = InWorkspace("f=/dev/shm/bashward-test-$$; echo >$f && chmod 751 $f && stat -c %a $f; rm $f");
  call.flags |= protocol::kSharedMemory;
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(Output(completion), "751\n");
}

TEST_F(WorkspaceTest, SaysWhichWatchedPathsHaveChanged) {
  if (!IsPossible()) return;
  Call call = InWorkspace("echo changed >.envrc; : >other");
  call.watched = {".envrc", ".exrc"};
  std::ofstream(root_ + "/.envrc") << "before";
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(completion.sandbox.changed, std::vector<std::string>{root_ + "/.envrc"});
}

TEST_F(WorkspaceTest, IsToldWhatItCouldNotChangeOutside) {
  if (!IsPossible()) return;
  const Completion completion = host_.Run(InWorkspace("chmod 777 \"$OUTSIDE\""));
  EXPECT_TRUE(Exited(completion, 1));
  EXPECT_EQ(ModeOutside(), kMode);
  ASSERT_EQ(completion.sandbox.denials.size(), 1U);
  EXPECT_EQ(completion.sandbox.denials[0].operation, protocol::Operation::kChangeMode);
  EXPECT_EQ(completion.sandbox.denials[0].target, outside_);
}

TEST_F(WorkspaceTest, CountsWhatItDoesNotNameAnyMore) {
  if (!IsPossible()) return;
  const Completion completion = host_.Run(InWorkspace(
      "for i in $(seq 40); do ln -s \"$OUTSIDE\" $i; : >d; chmod 777 \"$OUTSIDE\" /proc/$i; done; :"));
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(completion.sandbox.denials.size(), size_t{protocol::kMaxDenials});
  EXPECT_GT(completion.sandbox.denials_dropped, 0U);
}

TEST_F(WorkspaceTest, HasABrokerForWhatItLeavesRunning) {
  if (!IsPossible()) return;
  Call call = InWorkspace("(while [ ! -e go ]; do sleep 0.01; done; echo >f; chmod 700 f; echo >done) &");
  call.head_limit = 0;
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_FALSE(completion.survivors.empty());
  std::ofstream(root_ + "/go");
  EXPECT_TRUE(WaitUntil([&] { return access((root_ + "/done").c_str(), F_OK) == 0; }));
  struct stat status{};
  ASSERT_EQ(stat((root_ + "/f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
}

TEST_F(WorkspaceTest, HidesItsTextFromCommandLinesAsEverywhere) {
  if (!IsPossible()) return;
  const Completion completion = host_.Run(InWorkspace("tr '\\0' ' ' </proc/$$/cmdline; : a word of it"));
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(Output(completion).find("a word of it"), std::string::npos) << Output(completion);
}

TEST_F(WorkspaceTest, OffersItselfToTheOutOfMemoryKillerBeforeItsSupervisor) {
  if (!IsPossible()) return;
  const Completion completion =
      host_.Run(InWorkspace("[ $(cat /proc/self/oom_score_adj) -gt $(cat /proc/$PPID/oom_score_adj) ]"));
  EXPECT_TRUE(Exited(completion, 0));
}

TEST_F(WorkspaceTest, DoesNotStartWhereARootIsASymbolicLink) {
  if (!IsPossible()) return;
  Call call = InWorkspace("echo never");
  std::filesystem::create_directory_symlink("/", directory_.File("link"));
  call.roots = {directory_.File("link")};
  EXPECT_TRUE(NotStarted(host_.Run(call), Step::kOpenRoot, ELOOP));
}

TEST_F(WorkspaceTest, TriesItsProtectionsOutInAProbe) {
  if (!IsPossible()) return;
  Call call = InWorkspace(outside_);
  call.flags |= protocol::kProbe;
  constexpr uint64_t kPlenty = uint64_t{1} << 60;
  call.limits = {{RLIMIT_CORE, 0, 1, 1}, {RLIMIT_DATA, 0, kPlenty, kPlenty}};
  const Completion completion = host_.Run(call);
  EXPECT_EQ(completion.confirmed & completion.protections, completion.protections);
  EXPECT_TRUE(std::filesystem::is_empty(root_));
}

}  // namespace
}  // namespace bashward::test
