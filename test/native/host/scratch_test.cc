// A scratch directory that somebody else still uses when the command has ended.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "sandbox/landlock.h"
#include "support/forked.h"
#include "support/host.h"
#include "support/must_work.h"
#include "support/temporary_directory.h"
#include "support/wait.h"
#include "sys/unique_fd.h"

namespace bashward::test {
namespace {

TEST(ScratchDirectory, GoesWhenNobodyHoldsAPartOfItAnyMore) {
  if (sandbox::LandlockAbi() < 0) return CannotTest("the kernel has no Landlock");
  const TemporaryDirectory directory;
  InForkedProcess([&] {
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
      return OnlyRootCanTest("nothing can be mounted");
    const std::string fifo = directory.File("fifo");
    const std::string scratch = directory.File("scratch");
    const std::string held = scratch + "/held";
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    Host host;
    Call call("mkdir \"$SCRATCH/held\"; echo ready; read x <\"$FIFO\"; exit 0");
    call.environment = {"SCRATCH=" + scratch, "FIFO=" + fifo};
    call.flags = protocol::kConfined;
    call.scratch = scratch;
    call.scratch_limit = 1024 * 1024;
    call.live = true;
    const uint64_t id = host.Submit(call);
    host.recorder().WaitForLiveText(id, "ready\n");
    // Busy, as a file is on NFS that somebody has open.
    ASSERT_EQ(mount("none", held.c_str(), "tmpfs", 0, nullptr), 0) << "errno " << errno;
    {
      const sys::UniqueFd end(open(fifo.c_str(), O_WRONLY | O_CLOEXEC));
    }
    EXPECT_TRUE(Exited(host.Wait(id), 0));
    EXPECT_TRUE(std::filesystem::exists(held));
    ASSERT_EQ(umount2(held.c_str(), MNT_DETACH), 0);
    EXPECT_TRUE(WaitUntil([&] { return !std::filesystem::exists(scratch); }));
    host.ExpectNothingLeft();
  });
}

}  // namespace
}  // namespace bashward::test
