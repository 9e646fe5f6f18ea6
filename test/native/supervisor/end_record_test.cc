#include "supervisor/end_record.h"

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

const std::string kBrief = "{\"version\":1,\"id\":\"bash_aaaaaa\",";
const std::string kExit = "{\"status\":\"completed\"}";

class EndRecordTest : public ::testing::Test {
 protected:
  EndRecordTest() : job_(directory_.File("bash_aaaaaa")) {}

  std::string Running() const { return directory_.File("running/bash_aaaaaa"); }
  std::string Ended() const { return directory_.File("ended/bash_aaaaaa"); }
  static bool Exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

  // A file with the output of the job.
  int Output(const std::string& text) {
    output_.reset(open(directory_.File("output").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    EXPECT_EQ(write(output_.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    return output_.get();
  }

  const test::TemporaryDirectory directory_;
  const std::string job_;
  sys::UniqueFd output_;
};

TEST_F(EndRecordTest, SaysThatTheJobRunsAndTakesItsBlocks) {
  EndRecord record(job_.c_str(), kBrief.c_str(), kBrief.size());
  ASSERT_TRUE(record.Create()) << errno;
  const std::string text = test::ReadFile(Running());
  EXPECT_EQ(text.size(), EndRecord::kSize);
  EXPECT_EQ(text.substr(0, text.find('\n')), kBrief + "\"exit\":null}");
  EXPECT_FALSE(Exists(Ended()));
  record.Remove();
}

TEST_F(EndRecordTest, SaysHowTheJobEndedAndWhatItPrintedLast) {
  EndRecord record(job_.c_str(), kBrief.c_str(), kBrief.size());
  ASSERT_TRUE(record.Create()) << errno;
  record.KeepTail(Output("one\ntwo\n[status line]"), 8);
  record.Write(kExit.c_str(), kExit.size());
  record.Finish();
  EXPECT_FALSE(Exists(Running()));
  EXPECT_EQ(test::ReadFile(Ended()), kBrief + "\"tailIsCut\":false,\"exit\":" + kExit + "}\none\ntwo\n");
}

TEST_F(EndRecordTest, KeepsTheEndOfALongOutput) {
  EndRecord record(job_.c_str(), kBrief.c_str(), kBrief.size());
  ASSERT_TRUE(record.Create()) << errno;
  const std::string text = std::string(10'000, 'x') + "last";
  record.KeepTail(Output(text), text.size());
  record.Write(kExit.c_str(), kExit.size());
  record.Finish();
  const std::string written = test::ReadFile(Ended());
  EXPECT_LE(written.size(), EndRecord::kSize);
  EXPECT_GT(written.size(), EndRecord::kSize - 1024);
  EXPECT_NE(written.find("\"tailIsCut\":true"), std::string::npos);
  EXPECT_EQ(written.substr(written.size() - 5), "xlast");
}

TEST_F(EndRecordTest, MakesTheDirectoryOfEndsAgainThatIsGone) {
  EndRecord record(job_.c_str(), kBrief.c_str(), kBrief.size());
  ASSERT_TRUE(record.Create()) << errno;
  ASSERT_EQ(rmdir(directory_.File("ended").c_str()), 0);
  record.Write(kExit.c_str(), kExit.size());
  record.Finish();
  EXPECT_TRUE(Exists(Ended()));
}

TEST_F(EndRecordTest, IsGoneWithoutAJob) {
  EndRecord record(job_.c_str(), kBrief.c_str(), kBrief.size());
  ASSERT_TRUE(record.Create()) << errno;
  record.Remove();
  record.Write(kExit.c_str(), kExit.size());
  record.Finish();
  EXPECT_FALSE(Exists(Running()));
  EXPECT_FALSE(Exists(Ended()));
}

TEST_F(EndRecordTest, IsNotMadeWhereItCannotBe) {
  const sys::UniqueFd file(open(directory_.File("running").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  EndRecord record(job_.c_str(), kBrief.c_str(), kBrief.size());
  EXPECT_FALSE(record.Create());
  EXPECT_EQ(errno, ENOTDIR);
}

TEST_F(EndRecordTest, DoesNotExistWithoutABrief) {
  EndRecord record(job_.c_str(), "", 0);
  EXPECT_TRUE(record.Create());
  record.Write(kExit.c_str(), kExit.size());
  record.Finish();
  EXPECT_FALSE(Exists(directory_.File("running")));
}

}  // namespace
}  // namespace bashward::supervisor
