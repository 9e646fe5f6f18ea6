// Descriptors of files that have lost the name they were opened by, and have another.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "broker/brokered.h"
#include "support/errors.h"

namespace bashward::test {
namespace {

class OtherNamesTest : public BrokerTest {};
INSTANTIATE_TEST_SUITE_P(Users, OtherNamesTest, ::testing::ValuesIn(Users()),
                         [](const auto& user) { return NameOf(user.param); });

TEST_P(OtherNamesTest, AreFoundWhereTheOldOneWas) {
  InWorkspace([] {
    ASSERT_EQ(mkdir("d", 0755), 0);
    for (const char* directory : {".", "d"}) {
      ASSERT_EQ(chdir(directory), 0);
      MakeFile("f");
      const sys::UniqueFd file(open("f", O_RDWR | O_CLOEXEC));
      ASSERT_EQ(link("f", "other"), 0);
      ASSERT_EQ(unlink("f"), 0);
      EXPECT_EQ(fchmod(file.get(), 0600), 0) << directory;
      EXPECT_EQ(ModeOf("other"), 0600U);
      EXPECT_EQ(futimens(file.get(), nullptr), 0);
    }
  });
}

TEST_P(OtherNamesTest, OfATemporaryFileAreFound) {
  InWorkspace([] {
    const sys::UniqueFd file(open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0644));
    if (!file.valid()) return;  // no O_TMPFILE here
    const std::string path = "/proc/self/fd/" + std::to_string(file.get());
    ASSERT_EQ(linkat(AT_FDCWD, path.c_str(), AT_FDCWD, "f", AT_SYMLINK_FOLLOW), 0);
    EXPECT_EQ(fchmod(file.get(), 0600), 0);
    EXPECT_EQ(ModeOf("f"), 0600U);
  });
}

TEST_P(OtherNamesTest, OutsideAreRefused) {
  InWorkspace([&] {
    MakeFile("f");
    const sys::UniqueFd file(open("f", O_RDWR | O_CLOEXEC));
    // By another, where Landlock is.
    ASSERT_EQ(link("f", Out("moved").c_str()), 0);
    ASSERT_EQ(unlink("f"), 0);
    EXPECT_FAILS_WITH(EPERM, fchmod(file.get(), 0600));
    EXPECT_EQ(ModeOf(Out("moved")), 0644U);
  });
}

// Whatever the command called it before.
TEST_P(OtherNamesTest, OutsideAreRefusedToWhatLooksLikeATemporaryFile) {
  InWorkspace([&] {
    MakeFile("f");
    const std::string name = "#" + std::to_string(StatusOf("f").st_ino);
    ASSERT_EQ(link("f", name.c_str()), 0);
    const sys::UniqueFd file(open(name.c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_EQ(unlink(name.c_str()), 0);
    EXPECT_EQ(fchmod(file.get(), 0640), 0);
    ASSERT_EQ(rename("f", Out("moved").c_str()), 0);
    EXPECT_FAILS_WITH(EPERM, fchmod(file.get(), 0600));
    EXPECT_EQ(ModeOf(Out("moved")), 0640U);
  });
}

TEST_P(OtherNamesTest, OutsideAreRefusedToWhatWasOpenedThere) {
  InWorkspace([&] {
    MakeFile(Out("f"));
    const sys::UniqueFd file(open(Out("f").c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_EQ(link(Out("f").c_str(), Out("other").c_str()), 0);
    ASSERT_EQ(unlink(Out("f").c_str()), 0);
    MakeFile(In("f (deleted)"));
    EXPECT_FAILS_WITH(EPERM, fchmod(file.get(), 0600));
    EXPECT_EQ(ModeOf(Out("other")), 0644U);
  });
}

// They cannot be told from one outside without a search of everything.
TEST_P(OtherNamesTest, InOtherDirectoriesAreNotFound) {
  InWorkspace([] {
    ASSERT_EQ(mkdir("d", 0755), 0);
    MakeFile("f");
    const sys::UniqueFd file(open("f", O_RDWR | O_CLOEXEC));
    ASSERT_EQ(link("f", "d/f"), 0);
    ASSERT_EQ(unlink("f"), 0);
    EXPECT_FAILS_WITH(EPERM, fchmod(file.get(), 0600));
    EXPECT_EQ(chmod("d/f", 0600), 0);
  });
}

}  // namespace
}  // namespace bashward::test
