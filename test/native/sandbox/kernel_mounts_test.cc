// Directories that cannot be writable roots, in a mount namespace of the test's own.
#include "sandbox/kernel_mounts.h"

#include <gtest/gtest.h>
#include <sys/mount.h>

#include <string>

#include "sandbox/mount_list.h"
#include "support/own_mounts.h"

namespace bashward::sandbox {
namespace {

std::string TypeIn(const std::string& root) {
  MountList mounts;
  EXPECT_TRUE(mounts.Update());
  const Mount* mount = KernelMountIn(mounts, root);
  return mount == nullptr ? "" : mount->type;
}

TEST(KernelMountIn, FindsNoneInAnOrdinaryDirectory) {
  test::WithOwnMounts([](const std::string& top) {
    test::MountNew("tmpfs", top + "/root/files");
    test::Bind("/usr/bin", top + "/root/bin");
    EXPECT_EQ(TypeIn(top + "/root"), "");
  });
}

TEST(KernelMountIn, FindsThatADirectoryIsOnOne) {
  for (const char* root : {"/proc", "/proc/self", "/proc/sys/kernel", "/sys", "/sys/kernel"}) {
    EXPECT_NE(TypeIn(root), "") << root;
  }
  EXPECT_NE(TypeIn("/dev"), "");
}

TEST(KernelMountIn, FindsOneBelow) {
  test::WithOwnMounts([](const std::string& top) {
    test::Bind("/proc", top + "/root/a/b");
    EXPECT_EQ(TypeIn(top + "/root"), "proc");
    EXPECT_EQ(TypeIn(top + "/root/a"), "proc");
    EXPECT_EQ(TypeIn(top + "/root/a/b/sys"), "proc");
    EXPECT_EQ(TypeIn(top + "/root/a/bc"), "");
    EXPECT_EQ(TypeIn(top + "/ro"), "");
  });
}

TEST(KernelMountIn, FindsASingleDirectoryOfOne) {
  test::WithOwnMounts([](const std::string& top) {
    test::Bind("/proc/sys", top + "/root/sys");
    EXPECT_EQ(TypeIn(top + "/root"), "proc");
  });
}

TEST(KernelMountIn, FindsDevicesAndNamespaces) {
  test::WithOwnMounts([](const std::string& top) {
    test::Bind("/dev", top + "/devices/dev");
    EXPECT_NE(TypeIn(top + "/devices"), "");
    test::Bind("/proc/self/ns/net", top + "/namespaces/net");
    EXPECT_EQ(TypeIn(top + "/namespaces"), "nsfs");
  });
}

// A container's /dev.
TEST(KernelMountIn, FindsDevicesThatAreOnAnOrdinaryFileSystem) {
  test::WithOwnMounts([](const std::string& top) {
    test::MountNew("tmpfs", "/dev");
    test::Bind("/dev", top + "/devices/dev");
    EXPECT_EQ(TypeIn(top + "/devices"), "tmpfs");
    EXPECT_EQ(TypeIn(top), "tmpfs");
  });
}

TEST(KernelMountIn, IsNotDeceivedByWhatIsMountedOverAnother) {
  test::WithOwnMounts([](const std::string& top) {
    test::Bind("/proc", top + "/root");
    test::MountNew("tmpfs", top + "/root");
    // What is hidden now may be uncovered while the command runs.
    EXPECT_EQ(TypeIn(top + "/root"), "proc");
  });
}

TEST(OpensDevices, LooksAtTheMountAndThoseBelow) {
  test::WithOwnMounts([](const std::string& top) {
    const std::string closed = top + "/closed";
    test::MakeDirectory(closed);
    ASSERT_EQ(mount("test", closed.c_str(), "tmpfs", MS_NODEV, nullptr), 0);
    MountList mounts;
    ASSERT_TRUE(mounts.Update());
    EXPECT_FALSE(OpensDevices(mounts, closed));
    EXPECT_TRUE(OpensDevices(mounts, top));
    test::MountNew("tmpfs", closed + "/inner");
    ASSERT_TRUE(mounts.Update());
    EXPECT_TRUE(OpensDevices(mounts, closed));
  });
}

}  // namespace
}  // namespace bashward::sandbox
