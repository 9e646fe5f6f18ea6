// Whole commands in Restricted mode, and their scratch directories.
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
using process::Outcome;
using protocol::Step;

constexpr int kScopingAbi = 6;
constexpr uint64_t kScratchLimit = 1024 * 1024;
constexpr uint64_t kPlenty = uint64_t{1} << 60;  // far above what a sanitizer takes

uint32_t ExpectedProtections() {
  const uint32_t unscoped = sandbox::LandlockAbi() < kScopingAbi ? uint32_t{protocol::kSignals} : 0;
  return protocol::kAllProtections & ~unscoped;
}

class RestrictedTest : public CommandTest {
 protected:
  void SetUp() override { std::ofstream(file_) << "text"; }
  // Survivors of a command are children of this process when their supervisor has ended.
  void TearDown() override {
    EXPECT_TRUE(ReapAllChildren());
    CommandTest::TearDown();
  }

  // False where there is no Restricted mode; prints why.
  static bool IsPossible() {
    if (sandbox::LandlockAbi() > 0) return true;
    CannotTest("the kernel has no Landlock");
    return false;
  }

  Call Restricted(const std::string& command) const {
    Call call(command);
    call.flags = protocol::kConfined;
    // Every command in Restricted mode has these two; a probe looks for them.
    call.limits = {{RLIMIT_CORE, 0, 1, 1}, {RLIMIT_DATA, 0, kPlenty, kPlenty}};
    call.environment = {"FILE=" + file_, "SCRATCH=" + scratch_};
    return call;
  }
  Call WithScratch(const std::string& command) const {
    Call call = Restricted(command);
    call.scratch = scratch_;
    call.scratch_limit = kScratchLimit;
    return call;
  }

  const TemporaryDirectory directory_;
  const std::string file_ = directory_.File("file");
  const std::string scratch_ = directory_.File("scratch");
};

TEST_F(RestrictedTest, CanReadAndCannotWrite) {
  if (!IsPossible()) return;
  const Completion completion = host_.Run(Restricted("cat \"$FILE\"; echo x >\"$FILE\""));
  EXPECT_TRUE(Exited(completion, 1));
  EXPECT_EQ(Output(completion).substr(0, 4), "text");
  EXPECT_NE(Output(completion).find("Permission denied"), std::string::npos) << Output(completion);
  EXPECT_EQ(ReadFile(file_), "text");
}

TEST_F(RestrictedTest, SaysWhichProtectionsAreInForce) {
  if (!IsPossible()) return;
  EXPECT_EQ(host_.Run(Restricted(":")).protections, ExpectedProtections());
}

TEST_F(RestrictedTest, IsNotInForceUnlessAskedFor) {
  const Completion completion = host_.Run(Call("echo x >" + file_));
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(completion.protections, 0U);
}

TEST_F(RestrictedTest, CannotSignalItsSupervisorFromVersion6On) {
  if (sandbox::LandlockAbi() < kScopingAbi)
    return CannotTest("the kernel's Landlock is older than version 6");
  const Completion completion = host_.Run(Restricted("kill -KILL $PPID"));
  EXPECT_TRUE(Exited(completion, 1));
  EXPECT_NE(Output(completion).find("Operation not permitted"), std::string::npos) << Output(completion);
}

TEST_F(RestrictedTest, ReachesItsOwnProcesses) {
  if (!IsPossible()) return;
  EXPECT_TRUE(Exited(host_.Run(Restricted("sleep 300 & kill $!; wait $!; [ $? = 143 ]")), 0));
}

TEST_F(RestrictedTest, TriesOutItsProtectionsInAProbe) {
  if (!IsPossible()) return;
  Call call = Restricted(file_);
  call.flags |= protocol::kProbe;
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(HasOutcome(completion, Outcome::kEnded));
  EXPECT_EQ(completion.protections, ExpectedProtections());
  EXPECT_EQ(completion.confirmed, ExpectedProtections());
  EXPECT_EQ(completion.pid, 0);
  EXPECT_FALSE(completion.has_exited);
  EXPECT_EQ(ReadFile(file_), "text");
}

TEST_F(RestrictedTest, LeavesNoProcessOfAProbeToAHostThatIsASubreaper) {
  if (!IsPossible()) return;
  Call call = Restricted(file_);
  call.flags |= protocol::kProbe;
  host_.Run(call);
  EXPECT_TRUE(WaitUntil(HasNoChildren));
}

TEST_F(RestrictedTest, WritesToItsScratchDirectoryWhichGoesWithIt) {
  if (!IsPossible()) return;
  const Completion completion = host_.Run(
      WithScratch("mkdir \"$SCRATCH/a\" && echo scratch >\"$SCRATCH/a/file\" && cat \"$SCRATCH/a/file\""));
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(Output(completion), "scratch\n");
  EXPECT_FALSE(std::filesystem::exists(scratch_));
}

TEST_F(RestrictedTest, MovesFilesFromOneDirectoryToAnotherInItsScratchDirectory) {
  if (sandbox::LandlockAbi() < 2) return CannotTest("the kernel's Landlock is older than version 2");
  EXPECT_TRUE(
      Exited(host_.Run(WithScratch("cd \"$SCRATCH\" && mkdir a && echo x >file && mv -n file a/file && "
                                   "ln a/file link && [ -f a/file ] && [ -f link ]")),
             0));
}

TEST_F(RestrictedTest, LosesItsScratchDirectoryWhenItIsCancelled) {
  if (!IsPossible()) return;
  Call call = WithScratch("echo x >\"$SCRATCH/file\"; echo ready; sleep 300");
  call.live = true;
  const uint64_t id = host_.Submit(call);
  host_.recorder().WaitForLiveText(id, "ready\n");
  EXPECT_TRUE(std::filesystem::exists(scratch_ + "/file"));
  host_.reactor().Cancel(id);
  EXPECT_TRUE(HasOutcome(host_.Wait(id), Outcome::kCancelled));
  EXPECT_FALSE(std::filesystem::exists(scratch_));
}

TEST_F(RestrictedTest, DoesNotStartInAScratchDirectoryThatIsThereAlready) {
  if (!IsPossible()) return;
  ASSERT_EQ(mkdir(scratch_.c_str(), 0700), 0);
  EXPECT_TRUE(NotStarted(host_.Run(WithScratch(":")), Step::kMakeScratch, EEXIST));
  EXPECT_TRUE(std::filesystem::exists(scratch_));
}

TEST_F(RestrictedTest, LeavesNoScratchDirectoryOfAShellThatDoesNotStart) {
  if (!IsPossible()) return;
  Call call = WithScratch(":");
  call.shell = "/missing";
  EXPECT_TRUE(NotStarted(host_.Run(call), Step::kExecve, ENOENT));
  EXPECT_FALSE(std::filesystem::exists(scratch_));
}

TEST_F(RestrictedTest, IsKilledForWhatIsInItsScratchDirectory) {
  if (!IsPossible()) return;
  const Completion completion = host_.Run(
      WithScratch("head -c 3000000 /dev/zero >\"$SCRATCH/file\"; trap '' TERM; while :; do sleep 1; done"));
  EXPECT_EQ(completion.exited.scratch_full, 1U);
  EXPECT_FALSE(std::filesystem::exists(scratch_));
}

TEST_F(RestrictedTest, IsNotSaidToHaveFilledItsScratchDirectoryOtherwise) {
  if (!IsPossible()) return;
  EXPECT_EQ(host_.Run(WithScratch("head -c 3000 /dev/zero >\"$SCRATCH/file\"; exit 3")).exited.scratch_full,
            0U);
}

// Even the grace after a timeout must not fill the disk.
TEST_F(RestrictedTest, IsKilledForWhatIsInItsScratchDirectoryInTheGraceOfATimeoutToo) {
  if (!IsPossible()) return;
  Call call =
      WithScratch("trap 'head -c 3000000 /dev/zero >\"$SCRATCH/file\"' TERM; while :; do sleep 0.05; done");
  call.timeout_ms = 1000;
  call.grace_ms = 600'000;
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(HasOutcome(completion, Outcome::kTimedOut));
  EXPECT_TRUE(EndedBySignal(completion, SIGKILL));
  EXPECT_EQ(completion.exited.scratch_full, 1U);
}

TEST_F(RestrictedTest, IsSaidToHaveFilledItsScratchDirectoryAfterTheEndOfItsShell) {
  if (!IsPossible()) return;
  Call call = WithScratch(
      "(trap 'head -c 3000000 /dev/zero >\"$SCRATCH/file\"' TERM; echo ready; while :; do sleep 0.05; done) "
      "& "
      "sleep 0.5; exit 0");
  call.kill_survivors = true;
  call.grace_ms = 600'000;
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(completion.exited.scratch_full, 1U);
}

// Survivors wait for a line in a FIFO; reading is allowed to them.
class RestrictedSurvivorsTest : public RestrictedTest {
 protected:
  void SetUp() override {
    RestrictedTest::SetUp();
    ASSERT_EQ(mkfifo(fifo_.c_str(), 0600), 0);
  }

  // Runs a command that leaves a daemon, which waits and then does `rest`.
  Completion LeaveDaemon(const std::string& rest) {
    Call call = WithScratch("echo x >\"$SCRATCH/file\"; setsid -f sh -c 'read x <\"$FIFO\"; " + rest +
                            "' >/dev/null 2>&1; echo done");
    call.environment.push_back("FIFO=" + fifo_);
    return host_.Run(call);
  }
  void LetGoOn() {
    const sys::UniqueFd fd(open(fifo_.c_str(), O_RDWR | O_CLOEXEC));
    EXPECT_EQ(write(fd.get(), "go\n", 3), 3);
    EXPECT_TRUE(WaitUntil([this] { return !std::filesystem::exists(scratch_); }));
  }

  const std::string fifo_ = directory_.File("fifo");
};

TEST_F(RestrictedSurvivorsTest, KeepTheScratchDirectoryUntilTheyEnd) {
  if (!IsPossible()) return;
  const Completion completion = LeaveDaemon(":");
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(completion.survivors.size(), 1U);
  EXPECT_TRUE(std::filesystem::exists(scratch_ + "/file"));
  LetGoOn();
}

TEST_F(RestrictedSurvivorsTest, AreKilledForWhatIsInTheScratchDirectory) {
  if (!IsPossible()) return;
  LeaveDaemon("head -c 3000000 /dev/zero >\"$SCRATCH/new\"; sleep 300");
  LetGoOn();
}

}  // namespace
}  // namespace bashward::test
