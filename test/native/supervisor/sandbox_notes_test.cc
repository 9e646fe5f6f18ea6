#include "supervisor/sandbox_notes.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <string>

#include "support/forked.h"
#include "support/temporary_directory.h"

namespace bashward::supervisor {
namespace {

using protocol::ReportKind;

class SandboxNotesTest : public ::testing::Test {
 protected:
  std::string Written() const { return test::ReadFile(directory_.File("sandbox")); }
  bool Exists() const {
    struct stat status{};
    return stat(directory_.File("sandbox").c_str(), &status) == 0;
  }

  const test::TemporaryDirectory directory_;
  const std::string path_ = directory_.path();
  SandboxNotes notes_{path_.c_str()};
};

TEST_F(SandboxNotesTest, MakeNoFileWhereThereIsNothingToSay) {
  EXPECT_FALSE(Exists());
  EXPECT_EQ(notes_.lost(), 0U);
}

TEST_F(SandboxNotesTest, StandOneAfterTheOther) {
  const std::string path = "/a b\nc";
  notes_.Add(ReportKind::kDenied, 4, path.data(), path.size());
  notes_.Add(ReportKind::kMoreDenied, 7, "", 0);
  notes_.Add(ReportKind::kChanged, 0, "/x", 2);
  notes_.Add(ReportKind::kMoreChanged, 4294967295, "", 0);
  notes_.AddBrokerEnded();
  const char expected[] =
      "denied 4 /a b\nc\0more-denied 7 \0changed 0 /x\0more-changed 4294967295 \0broker-ended 1 ";
  EXPECT_EQ(Written(), std::string(expected, sizeof expected));
}

TEST_F(SandboxNotesTest, AreForTheirOwnerOnly) {
  notes_.AddBrokerEnded();
  struct stat status{};
  ASSERT_EQ(stat(directory_.File("sandbox").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(SandboxNotesTest, AreCutWhereTheyAreTooLong) {
  const std::string path(5000, 'x');
  notes_.Add(ReportKind::kChanged, 0, path.data(), path.size());
  EXPECT_EQ(Written(), "changed 0 " + path.substr(0, protocol::kMaxReportText) + '\0');
}

TEST_F(SandboxNotesTest, AreWholeOrNotThere) {
  test::InForkedProcess([&] {
    // As a full disk: the first bytes of the second note fit.
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{20, 20};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    notes_.Add(ReportKind::kChanged, 0, "/a", 2);
    notes_.Add(ReportKind::kChanged, 0, "/bcdefghijk", 11);
    EXPECT_EQ(notes_.lost(), 1U);
    EXPECT_EQ(Written(), std::string("changed 0 /a\0", 13));
  });
}

TEST_F(SandboxNotesTest, FollowNoLinkInTheirPlace) {
  ASSERT_EQ(symlink(directory_.File("elsewhere").c_str(), directory_.File("sandbox").c_str()), 0);
  notes_.AddBrokerEnded();
  EXPECT_EQ(notes_.lost(), 1U);
  EXPECT_FALSE(Exists());
}

}  // namespace
}  // namespace bashward::supervisor
