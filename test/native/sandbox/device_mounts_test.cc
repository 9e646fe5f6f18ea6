// Mounts of devices, in a mount namespace of the test's own.
#include "sandbox/device_mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sandbox/landlock.h"
#include "support/errors.h"
#include "support/forked.h"
#include "support/must_work.h"
#include "support/temporary_directory.h"

namespace bashward::sandbox {
namespace {

class DeviceMountsTest : public ::testing::Test {
 protected:
  // Runs `body` as root, where mounts are seen by nobody else and go with the process.
  static void WithMounts(const std::function<void()>& body) {
    if (geteuid() != 0) return test::OnlyRootCanTest("only root can mount");
    test::InForkedProcess([&body] {
      if (unshare(CLONE_NEWNS) != 0) return test::CannotTest("there are no mount namespaces");
      ASSERT_EQ(mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), 0) << "errno " << errno;
      body();
    });
  }
  std::string Directory(const std::string& name) const {
    const std::string path = directory_.File(name);
    mkdir(path.c_str(), 0755);
    return path;
  }
  static void Bind(const char* source, const std::string& target) {
    ASSERT_EQ(mount(source, target.c_str(), nullptr, MS_BIND | MS_REC, nullptr), 0) << "errno " << errno;
  }
  static std::vector<std::string> Found() {
    const auto mounts = std::make_unique<DeviceMounts>();
    EXPECT_TRUE(mounts->Read()) << "errno " << errno;
    std::vector<std::string> paths;
    for (size_t i = 0; i < mounts->size(); ++i) paths.emplace_back((*mounts)[i]);
    return paths;
  }
  static bool Contains(const std::vector<std::string>& paths, const std::string& path) {
    return std::find(paths.begin(), paths.end(), path) != paths.end();
  }

  const test::TemporaryDirectory directory_;
};

TEST_F(DeviceMountsTest, LeavesOutThoseBelowDev) {
  for (const std::string& path : Found()) EXPECT_NE(path.rfind("/dev", 0), 0U) << path;
}

TEST_F(DeviceMountsTest, FindsASecondMountOfDevAndWhatIsMountedInIt) {
  const std::string second = Directory("dev");
  WithMounts([&] {
    if (access("/dev/pts", F_OK) != 0) return test::CannotTest("there is no /dev/pts");
    Bind("/dev", second);
    EXPECT_TRUE(Contains(Found(), second));
    EXPECT_TRUE(Contains(Found(), second + "/pts"));
  });
}

TEST_F(DeviceMountsTest, FindsASingleTerminalAndASpaceInItsName) {
  const std::string target = directory_.File("a terminal");
  close(open(target.c_str(), O_CREAT | O_WRONLY, 0600));
  WithMounts([&] {
    Bind("/dev/pts/ptmx", target);
    EXPECT_TRUE(Contains(Found(), target));
  });
}

TEST_F(DeviceMountsTest, FindsNoOtherFileSystem) {
  const std::string target = Directory("files");
  WithMounts([&] {
    ASSERT_EQ(mount("files", target.c_str(), "tmpfs", 0, nullptr), 0) << "errno " << errno;
    EXPECT_FALSE(Contains(Found(), target));
  });
}

// A container's /dev is a tmpfs.
TEST_F(DeviceMountsTest, FindsASecondMountOfADevThatIsNoDevtmpfs) {
  const std::string second = Directory("dev");
  WithMounts([&] {
    ASSERT_EQ(mount("devices", "/dev", "tmpfs", 0, nullptr), 0) << "errno " << errno;
    Bind("/dev", second);
    EXPECT_TRUE(Contains(Found(), second));
  });
}

TEST_F(DeviceMountsTest, KnowsWhatIsAboveAndBelow) {
  const std::string second = Directory("dev");
  WithMounts([&] {
    Bind("/dev", second);
    const auto mounts = std::make_unique<DeviceMounts>();
    ASSERT_TRUE(mounts->Read());
    EXPECT_TRUE(mounts->AnyAtOrBelow(directory_.path().c_str()));
    EXPECT_TRUE(mounts->AnyAtOrBelow(second.c_str()));
    EXPECT_FALSE(mounts->AnyAtOrBelow((second + "ice").c_str()));
    EXPECT_TRUE(mounts->Cover((second + "/null").c_str()));
    EXPECT_FALSE(mounts->Cover(directory_.path().c_str()));
  });
}

// Everything beside the mount can be read as before; in the mount, only what can be read in /dev.
TEST_F(DeviceMountsTest, GetsNoRuleForReading) {
  const std::string second = Directory("dev");
  const std::string file = directory_.File("file");
  close(open(file.c_str(), O_CREAT | O_WRONLY, 0600));
  if (LandlockAbi() < 0) return test::CannotTest("the kernel has no Landlock");
  WithMounts([&] {
    Bind("/dev", second);
    ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    const Ruleset ruleset = CreateRuleset(LandlockAbi());
    ASSERT_TRUE(AllowReading(ruleset)) << "errno " << errno;
    ASSERT_TRUE(RestrictSelf(ruleset)) << "errno " << errno;
    EXPECT_GE(open(file.c_str(), O_RDONLY), 0) << "errno " << errno;
    EXPECT_GE(open((second + "/null").c_str(), O_RDWR), 0) << "errno " << errno;
    EXPECT_FAILS_WITH(EACCES, open((second + "/ptmx").c_str(), O_RDONLY));
    EXPECT_FAILS_WITH(EACCES, open((second + "/tty").c_str(), O_RDONLY));
    EXPECT_FAILS_WITH(EACCES, open((second + "/pts/ptmx").c_str(), O_RDONLY));
  });
}

// A file that somebody has put in the place of the null device is a file.
TEST_F(DeviceMountsTest, AllowsNothingThatOnlyHasTheNameOfADevice) {
  const std::string file = directory_.File("file");
  close(open(file.c_str(), O_CREAT | O_WRONLY, 0600));
  if (LandlockAbi() < 0) return test::CannotTest("the kernel has no Landlock");
  WithMounts([&] {
    Bind(file.c_str(), "/dev/null");
    ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    const Ruleset ruleset = CreateRuleset(LandlockAbi());
    ASSERT_TRUE(AllowReading(ruleset)) << "errno " << errno;
    ASSERT_TRUE(RestrictSelf(ruleset)) << "errno " << errno;
    EXPECT_FAILS_WITH(EACCES, open("/dev/null", O_WRONLY));
    EXPECT_FAILS_WITH(EACCES, open(file.c_str(), O_WRONLY));
  });
}

}  // namespace
}  // namespace bashward::sandbox
