// The list of mounts, and its changes.
#include "sandbox/mount_list.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "support/own_mounts.h"

namespace bashward::sandbox {
namespace {

TEST(MountList, KnowsWhatAPathIsOn) {
  test::WithOwnMounts([](const std::string& top) {
    test::MountNew("tmpfs", top + "/a b");
    MountList mounts;
    ASSERT_TRUE(mounts.Update());
    const Mount* mount = mounts.Of(top + "/a b/file");
    ASSERT_NE(mount, nullptr);
    EXPECT_EQ(mount->point, top + "/a b");
    EXPECT_EQ(mount->root, "/");
    EXPECT_EQ(mount->type, "tmpfs");
    EXPECT_TRUE(mount->opens_devices);
    struct stat status{};
    ASSERT_EQ(stat((top + "/a b").c_str(), &status), 0);
    EXPECT_EQ(mount->device, status.st_dev);
    EXPECT_EQ(mounts.Of(top + "/a bc")->point, top);
    EXPECT_EQ(mounts.Of(top + "/a")->point, top);
  });
}

TEST(MountList, KnowsWhichPartOfAFileSystemIsMounted) {
  test::WithOwnMounts([](const std::string& top) {
    test::MakeDirectory(top + "/from/inner");
    test::Bind(top + "/from/inner", top + "/to");
    MountList mounts;
    ASSERT_TRUE(mounts.Update());
    EXPECT_EQ(mounts.Of(top + "/to")->root, "/from/inner");
    EXPECT_EQ(mounts.Of(top + "/to")->device, mounts.Of(top)->device);
  });
}

TEST(MountList, KnowsWhatElseADirectoryIsCalled) {
  test::WithOwnMounts([](const std::string& top) {
    test::MakeDirectory(top + "/from/inner/deep");
    test::Bind(top + "/from/inner", top + "/to");
    MountList mounts;
    ASSERT_TRUE(mounts.Update());
    EXPECT_EQ(mounts.OtherNames(top + "/to/deep"), std::vector<std::string>{top + "/from/inner/deep"});
    EXPECT_EQ(mounts.OtherNames(top + "/from/inner"), std::vector<std::string>{top + "/to"});
    EXPECT_TRUE(mounts.OtherNames(top + "/from").empty());
  });
}

TEST(MountList, KnowsWhatIsMountedBelowADirectory) {
  test::WithOwnMounts([](const std::string& top) {
    test::MakeDirectory(top + "/from/inner");
    test::Bind(top + "/from", top + "/to");
    test::MountNew("tmpfs", top + "/to/inner");
    MountList mounts;
    ASSERT_TRUE(mounts.Update());
    EXPECT_EQ(mounts.PointsBelow(top + "/to"), std::vector<std::string>{top + "/to/inner"});
    EXPECT_TRUE(mounts.PointsBelow(top + "/to/inner").empty());
    EXPECT_TRUE(mounts.PointsBelow(top + "/t").empty());
  });
}

TEST(MountList, DoesNotNameWhatAnotherMountHides) {
  test::WithOwnMounts([](const std::string& top) {
    test::MakeDirectory(top + "/from/inner");
    test::Bind(top + "/from", top + "/to");
    test::MountNew("tmpfs", top + "/to/inner");
    MountList mounts;
    ASSERT_TRUE(mounts.Update());
    EXPECT_TRUE(mounts.OtherNames(top + "/from/inner").empty());
  });
}

TEST(MountList, KnowsThatDevicesAreNotOpened) {
  test::WithOwnMounts([](const std::string& top) {
    test::MakeDirectory(top + "/a");
    ASSERT_EQ(mount("test", (top + "/a").c_str(), "tmpfs", MS_NODEV | MS_NOSUID, nullptr), 0);
    MountList mounts;
    ASSERT_TRUE(mounts.Update());
    EXPECT_FALSE(mounts.Of(top + "/a")->opens_devices);
  });
}

TEST(MountList, IsReadAnewWhenMountsChangeAndOnlyThen) {
  test::WithOwnMounts([](const std::string& top) {
    MountList mounts;
    ASSERT_TRUE(mounts.Update());
    const uint64_t first = mounts.version();
    ASSERT_TRUE(mounts.Update());
    EXPECT_EQ(mounts.version(), first);
    test::MountNew("tmpfs", top + "/a");
    ASSERT_TRUE(mounts.Update());
    EXPECT_NE(mounts.version(), first);
    EXPECT_EQ(mounts.Of(top + "/a")->point, top + "/a");
    const uint64_t second = mounts.version();
    ASSERT_EQ(umount2((top + "/a").c_str(), MNT_DETACH), 0);
    ASSERT_TRUE(mounts.Update());
    EXPECT_NE(mounts.version(), second);
    EXPECT_EQ(mounts.Of(top + "/a")->point, top);
  });
}

TEST(IsAtOrBelow, ComparesWholeComponents) {
  EXPECT_TRUE(IsAtOrBelow("/a", "/"));
  EXPECT_TRUE(IsAtOrBelow("/a", "/a"));
  EXPECT_TRUE(IsAtOrBelow("/a/b", "/a"));
  EXPECT_FALSE(IsAtOrBelow("/ab", "/a"));
  EXPECT_FALSE(IsAtOrBelow("/", "/a"));
}

}  // namespace
}  // namespace bashward::sandbox
