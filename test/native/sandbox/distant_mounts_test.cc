// Directories that another machine or a program gives, in a mount namespace of the test's own.
#include "sandbox/distant_mounts.h"

#include <gtest/gtest.h>

#include <string>

#include "support/file_server.h"
#include "support/must_work.h"
#include "support/own_mounts.h"

namespace bashward::sandbox {
namespace {

TEST(MayHang, IsTrueOfWhatAProgramServes) {
  test::WithOwnMounts([](const std::string& top) {
    test::MakeDirectory(top + "/served");
    test::FileServer server;
    if (!server.Mount(top + "/served")) return test::OnlyRootCanTest("nothing can be served by FUSE");
    MountList mounts;
    ASSERT_TRUE(mounts.Update());
    EXPECT_TRUE(MayHang(mounts, top + "/served"));
    EXPECT_TRUE(MayHang(mounts, top + "/served/below"));
    EXPECT_FALSE(MayHang(mounts, top));
  });
}

TEST(MayHang, IsTrueWhereNoMountIsKnown) {
  EXPECT_TRUE(MayHang(MountList(), "/tmp"));
}

}  // namespace
}  // namespace bashward::sandbox
