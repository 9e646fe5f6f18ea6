// Extended attributes: the user's own and ACLs can be changed, no others.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "broker/brokered.h"
#include "support/errors.h"

namespace bashward::test {
namespace {

class AttributesTest : public BrokerTest {};
INSTANTIATE_TEST_SUITE_P(Users, AttributesTest, ::testing::ValuesIn(Users()),
                         [](const auto& user) { return NameOf(user.param); });

std::string Attribute(const char* path, const char* name) {
  std::string value(70'000, '\0');
  const ssize_t size = lgetxattr(path, name, value.data(), value.size());
  return size < 0 ? "none" : value.substr(0, static_cast<size_t>(size));
}

TEST_P(AttributesTest, AreSetAndRemovedByEveryCall) {
  InWorkspace([&] {
    MakeFile("f");
    const sys::UniqueFd file(open("f", O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(setxattr("f", "user.one", "a\0b", 3, 0), 0);
    EXPECT_EQ(Attribute("f", "user.one"), std::string("a\0b", 3));
    EXPECT_EQ(lsetxattr("f", "user.two", "2", 1, XATTR_CREATE), 0);
    EXPECT_EQ(fsetxattr(file.get(), "user.two", "zwei", 4, XATTR_REPLACE), 0);
    EXPECT_EQ(Attribute("f", "user.two"), "zwei");
    EXPECT_EQ(removexattr("f", "user.one"), 0);
    EXPECT_EQ(Attribute("f", "user.one"), "none");
    EXPECT_EQ(fremovexattr(file.get(), "user.two"), 0);
    EXPECT_EQ(Attribute("f", "user.two"), "none");
  });
}

// Version 2: the owner reads and writes, its group reads, and so does user 1, under a mask; others do not.
struct __attribute__((packed)) AccessControlList {
  uint32_t version = 2;
  struct {
    uint16_t tag, permissions;
    uint32_t id;
  } entries[5] = {{1, 6, ~0U}, {2, 4, 1}, {4, 4, ~0U}, {16, 4, ~0U}, {32, 0, ~0U}};
};

TEST_P(AttributesTest, CanBeAccessControlLists) {
  InWorkspace([&] {
    MakeFile("f", 0640);
    const AccessControlList list;
    EXPECT_EQ(setxattr("f", "system.posix_acl_access", &list, sizeof list, 0), 0);
    EXPECT_EQ(Attribute("f", "system.posix_acl_access").size(), sizeof list);
    EXPECT_EQ(removexattr("f", "system.posix_acl_access"), 0);
    EXPECT_EQ(Attribute("f", "system.posix_acl_access"), "none");
  });
}

// Else a list could let such a file be executed, where its mode does not.
TEST_P(AttributesTest, CannotBeAccessControlListsOfFilesWithSetIdBits) {
  AsUser([&] {
    MakeFile(In("f"));
    AccessControlList list;
    ASSERT_EQ(setxattr(In("f").c_str(), "system.posix_acl_access", &list, sizeof list, 0), 0);
    Brokered brokered({workspace});
    for (const mode_t bits : {S_ISUID, S_ISGID}) {
      ASSERT_EQ(chmod(In("f").c_str(), bits | 0640), 0);
      brokered.Run([&] {
        list.entries[0].permissions = 7;
        EXPECT_FAILS_WITH(EPERM, setxattr("f", "system.posix_acl_access", &list, sizeof list, 0));
        EXPECT_FAILS_WITH(EPERM, removexattr("f", "system.posix_acl_access"));
        EXPECT_EQ(ModeOf("f"), bits | 0640U);
        EXPECT_EQ(setxattr("f", "user.x", "y", 1, 0), 0);
      });
    }
  });
}

TEST_P(AttributesTest, CanBeAccessControlListsOfDirectoriesWithTheSetGroupIdBit) {
  AsUser([&] {
    ASSERT_EQ(mkdir(In("d").c_str(), 0755), 0);
    ASSERT_EQ(chmod(In("d").c_str(), S_ISGID | 0755), 0);
    Brokered({workspace}).Run([] {
      const AccessControlList list;
      EXPECT_EQ(setxattr("d", "system.posix_acl_access", &list, sizeof list, 0), 0);
      EXPECT_EQ(setxattr("d", "system.posix_acl_default", &list, sizeof list, 0), 0);
    });
  });
}

TEST_P(AttributesTest, AreRefusedWhereTheyAreTheSystems) {
  AsUser([&] {
    Brokered brokered({workspace});
    brokered.Run([&] {
      MakeFile("f");
      for (const char* name :
           {"security.capability", "security.selinux", "trusted.x", "trusted.overlay.opaque",
            "user.overlay.opaque", "user.fuseoverlayfs.opaque", "user.containers.override_stat",
            "system.nfs4_acl", "system.posix_acl", "users", "x"}) {
        EXPECT_FAILS_WITH(EOPNOTSUPP, setxattr("f", name, "y", 1, 0));
        EXPECT_FAILS_WITH(EOPNOTSUPP, removexattr("f", name));
      }
    });
    EXPECT_EQ(brokered.denials().count(), 0U);
  });
}

TEST_P(AttributesTest, OfARootAreRefused) {
  InWorkspace([] {
    EXPECT_FAILS_WITH(EPERM, setxattr(".", "user.x", "y", 1, 0));
    EXPECT_FAILS_WITH(EPERM, removexattr(".", "user.x"));
  });
}

}  // namespace
}  // namespace bashward::test
