#include "process/handed_output.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>

#include "support/loop.h"
#include "support/temporary_directory.h"

namespace bashward::process {
namespace {

class HandedOutputTest : public ::testing::Test {
 protected:
  HandedOutputTest() {
    EXPECT_EQ(loop_.Open(), 0);
    std::ofstream(File()) << "";
  }
  std::string File() const { return directory_.File("output"); }

  HandedReport Write(const util::HeadTailBuffer& captured, int flags = O_WRONLY,
                     const SavedOutput* saved = nullptr) {
    std::optional<HandedReport> report;
    HandedOutput output(loop_, [&](const HandedReport& written) { report = written; });
    output.Write(sys::UniqueFd(open(File().c_str(), flags | O_CLOEXEC)), captured, saved);
    test::RunUntil(loop_, [&] { return report.has_value(); });
    return report.value_or(HandedReport{0, 0, -1});
  }
  static util::HeadTailBuffer Captured(const std::string& text, size_t head, size_t tail) {
    util::HeadTailBuffer captured(head, tail);
    captured.Append(text.data(), text.size());
    return captured;
  }

  test::TemporaryDirectory directory_;
  EventLoop loop_;
};

TEST_F(HandedOutputTest, WritesHeadAndTailAsOneWhereNothingIsMissing) {
  const HandedReport report = Write(Captured("0123456789", 4, 6));
  EXPECT_EQ(report.error, 0);
  EXPECT_EQ(report.size, 10U);
  EXPECT_EQ(report.dropped, 0U);
  EXPECT_EQ(test::ReadFile(File()), "0123456789");
}

TEST_F(HandedOutputTest, SaysHowManyBytesAreMissingBetweenThem) {
  const HandedReport report = Write(Captured("0123456789", 3, 3));
  EXPECT_EQ(report.dropped, 4U);
  EXPECT_EQ(test::ReadFile(File()), "012\n\n[4 bytes dropped]\n\n789");
  EXPECT_EQ(report.size, test::ReadFile(File()).size());
}

TEST_F(HandedOutputTest, LeavesOutTheRestOfACharacterThatTheGapHasCut) {
  const HandedReport report = Write(Captured("01234\u20AC5", 3, 3));
  EXPECT_EQ(report.dropped, 5U);
  EXPECT_EQ(test::ReadFile(File()), "012\n\n[5 bytes dropped]\n\n5");
}

TEST_F(HandedOutputTest, TakesTheWholeFromWhereItWasSaved) {
  const std::string text = std::string(1'000'000, 'x') + "end";
  SavedOutput saved(loop_, directory_.File("saved"), 1'000'000'000);
  saved.Append(text.data(), text.size());
  const HandedReport report = Write(Captured(text, 3, 3), O_WRONLY, &saved);
  EXPECT_EQ(report.error, 0);
  EXPECT_EQ(report.dropped, 0U);
  EXPECT_TRUE(test::ReadFile(File()) == text);
}

TEST_F(HandedOutputTest, TakesTheEndsWhereTheSavedFileHasNotAllOfIt) {
  SavedOutput saved(loop_, "/dev/null/saved", 1'000'000'000);
  saved.Append("0123456789", 10);
  const HandedReport report = Write(Captured("0123456789", 3, 3), O_WRONLY, &saved);
  EXPECT_EQ(report.error, 0);
  EXPECT_EQ(report.dropped, 4U);
  EXPECT_EQ(test::ReadFile(File()), "012\n\n[4 bytes dropped]\n\n789");
}

TEST_F(HandedOutputTest, TellsWhyItCouldNotWrite) {
  EXPECT_EQ(Write(Captured("0123456789", 4, 6), O_RDONLY).error, EINVAL);
}

}  // namespace
}  // namespace bashward::process
