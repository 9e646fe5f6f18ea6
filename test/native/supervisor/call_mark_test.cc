#include "supervisor/call_mark.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "support/processes.h"
#include "support/temporary_directory.h"
#include "sys/unique_fd.h"

namespace bashward::supervisor {
namespace {

const std::string kRecord = R"({"version":1,"digest":"d"})";

class CallMarkTest : public ::testing::Test {
 protected:
  std::string Path() const { return directory_.File("call"); }
  std::string Text() const { return kRecord + "\n" + Path(); }
  std::string End() const { return test::ReadFile(Path()).substr(CallMark::kEndAt); }

  // As another process of any PID namespace sees it.
  bool IsOwned() const {
    const sys::UniqueFd file(open(Path().c_str(), O_RDONLY | O_CLOEXEC));
    struct flock whole{};
    whole.l_type = F_RDLCK;
    whole.l_whence = SEEK_SET;
    EXPECT_EQ(fcntl(file.get(), F_OFD_GETLK, &whole), 0);
    return whole.l_type != F_UNLCK;
  }

  const test::TemporaryDirectory directory_;
};

TEST_F(CallMarkTest, IsNotWantedWithoutAText) {
  EXPECT_FALSE(CallMark("").is_wanted());
  EXPECT_TRUE(CallMark("x").is_wanted());
}

TEST_F(CallMarkTest, HasTheRecordAndIsLockedUntilItsEnd) {
  const std::string text = Text();
  CallMark mark(text.c_str());
  protocol::Failed failure{};
  ASSERT_TRUE(mark.Make(false, &failure)) << failure.error;
  const std::string content = test::ReadFile(Path());
  EXPECT_EQ(content.size(), CallMark::kSize);
  EXPECT_EQ(content.substr(0, kRecord.size() + 1), kRecord + " ");
  EXPECT_EQ(content[CallMark::kEndAt - 1], '\n');
  EXPECT_EQ(content[CallMark::kEndAt], ' ');
  EXPECT_TRUE(IsOwned());
  struct stat status{};
  ASSERT_EQ(stat(Path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600U);
  EXPECT_EQ(fcntl(mark.fd(), F_GETFD), FD_CLOEXEC);
  mark.Record(CallMark::End::kEnded, 3 << 8, 0);
  EXPECT_FALSE(IsOwned());
  EXPECT_EQ(End().substr(0, 16), "end ended 768 0 ");
  EXPECT_EQ(mark.fd(), -1);
}

TEST_F(CallMarkTest, KeepsItsLockWhileTheHostHasTheDescriptor) {
  const std::string text = Text();
  CallMark mark(text.c_str());
  protocol::Failed failure{};
  ASSERT_TRUE(mark.Make(false, &failure));
  sys::UniqueFd host(fcntl(mark.fd(), F_DUPFD_CLOEXEC, 0));
  mark.Record(CallMark::End::kEnded, 0, 0);
  EXPECT_TRUE(IsOwned());
  host.reset();
  EXPECT_FALSE(IsOwned());
}

TEST_F(CallMarkTest, IsMadeOnce) {
  const std::string text = Text();
  CallMark first(text.c_str());
  CallMark second(text.c_str());
  protocol::Failed failure{};
  ASSERT_TRUE(first.Make(false, &failure));
  first.Record(CallMark::End::kEnded, 0, 0);
  const std::string content = test::ReadFile(Path());
  EXPECT_FALSE(second.Make(false, &failure));
  EXPECT_EQ(failure.step, protocol::Step::kCallMark);
  EXPECT_EQ(failure.error, EEXIST);
  EXPECT_EQ(second.fd(), -1);
  EXPECT_EQ(test::ReadFile(Path()), content);
}

TEST_F(CallMarkTest, NamesTheJobThatTheCallHasBecome) {
  const std::string text = Text();
  CallMark mark(text.c_str());
  protocol::Failed failure{};
  ASSERT_TRUE(mark.Make(false, &failure));
  mark.Record(CallMark::End::kBackground, 0, 0, "/jobs/bash_aaaaaa");
  EXPECT_EQ(End().substr(0, 30), "end background 0 0 bash_aaaaaa");
}

TEST_F(CallMarkTest, RecordsOneEnd) {
  const std::string text = Text();
  CallMark mark(text.c_str());
  protocol::Failed failure{};
  ASSERT_TRUE(mark.Make(false, &failure));
  mark.Record(CallMark::End::kBackground, 0, 0, "/jobs/bash_aaaaaa");
  mark.Record(CallMark::End::kEnded, 0, 0);
  EXPECT_EQ(End().substr(0, 14), "end background");
}

TEST_F(CallMarkTest, MayBeInADirectoryWithALineBreakInItsName) {
  const std::string parent = directory_.File("a\nb");
  ASSERT_EQ(mkdir(parent.c_str(), 0700), 0);
  const std::string text = kRecord + "\n" + parent + "/call";
  CallMark mark(text.c_str());
  protocol::Failed failure{};
  ASSERT_TRUE(mark.Make(false, &failure)) << failure.error;
  EXPECT_EQ(test::ReadFile(parent + "/call").size(), CallMark::kSize);
}

TEST_F(CallMarkTest, CanBeDurable) {
  const std::string text = Text();
  CallMark mark(text.c_str());
  protocol::Failed failure{};
  EXPECT_TRUE(mark.Make(true, &failure)) << failure.error;
}

TEST_F(CallMarkTest, RefusesWhatIsNoPathAndWhatIsTooLong) {
  const std::string texts[] = {kRecord, kRecord + "\nrelative",
                               std::string(CallMark::kEndAt, 'x') + "\n" + Path()};
  for (const std::string& text : texts) {
    CallMark mark(text.c_str());
    protocol::Failed failure{};
    EXPECT_FALSE(mark.Make(false, &failure));
    EXPECT_EQ(failure.error, EINVAL);
  }
}

TEST_F(CallMarkTest, SaysWhyItCannotBeMade) {
  const std::string text = kRecord + "\n" + directory_.File("gone/call");
  CallMark mark(text.c_str());
  protocol::Failed failure{};
  EXPECT_FALSE(mark.Make(false, &failure));
  EXPECT_EQ(failure.error, ENOENT);
}

}  // namespace
}  // namespace bashward::supervisor
