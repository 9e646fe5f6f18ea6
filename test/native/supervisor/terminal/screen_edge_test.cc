#include "supervisor/terminal/screen_edge.h"

#include <gtest/gtest.h>

#include <string>

namespace bashward::supervisor {
namespace {

ScreenEdge After(const std::string& output) {
  ScreenEdge edge;
  edge.Feed(output.data(), output.size());
  // Wherever it is cut.
  ScreenEdge bytewise;
  for (const char byte : output) bytewise.Feed(&byte, 1);
  EXPECT_EQ(edge.LooksLikePrompt(), bytewise.LooksLikePrompt());
  EXPECT_EQ(edge.is_alternate(), bytewise.is_alternate());
  EXPECT_EQ(std::string(edge.line(), edge.line_size()), std::string(bytewise.line(), bytewise.line_size()));
  return edge;
}

TEST(ScreenEdge, SeesAPrompt) {
  for (const char* prompt :
       {"Name: ", "Continue?", ">>> ", "$ ", "root# ", "[Y/n]", "(yes/no) ", "* ", "50%"}) {
    EXPECT_TRUE(After(prompt).LooksLikePrompt()) << prompt;
  }
}

TEST(ScreenEdge, SeesNoneInAnEmptyLineOrAMessage) {
  for (const char* text : {"", "Name:\r\n", "working", "done.", "Name: \r", "value: 5"}) {
    EXPECT_FALSE(After(text).LooksLikePrompt()) << text;
  }
}

std::string LineAfter(const std::string& output) {
  const ScreenEdge edge = After(output);
  return {edge.line(), edge.line_size()};
}

TEST(ScreenEdge, TellsTheLineOfTheCursor) {
  EXPECT_EQ(LineAfter("one\r\nPassword: "), "Password: ");
  EXPECT_EQ(LineAfter("\x1b[1mEnter\x1b[0m PIN:\x1b(B\x1b[m "), "Enter PIN: ");
  EXPECT_EQ(LineAfter("busy\rToken:\t"), "Token: ");
  EXPECT_EQ(LineAfter("pa\xc3\xb6\b\bin: \a"), "pin: ");
  EXPECT_EQ(LineAfter("\x1b[1G\x1b[0JOTP: \x1b[6G"), "OTP: ");
  EXPECT_EQ(LineAfter("a\x1b[3Cb"), "a b");
}

TEST(ScreenEdge, DoesNotKnowTheLineWhereTheCursorWasMoved) {
  EXPECT_EQ(LineAfter("Password: \x1b[5;1H"), "");
  EXPECT_EQ(LineAfter("Password: \x1b[A"), "");
  EXPECT_EQ(LineAfter("Password: \x1b"
                      "c"),
            "");
  EXPECT_EQ(LineAfter("Password: \x1b[Hmore"), "more");
}

TEST(ScreenEdge, TellsTheEndOfALongLine) {
  const std::string line = LineAfter(std::string(10'000, 'x') + "Password: ");
  EXPECT_LE(line.size(), ScreenEdge::kMaxLine);
  EXPECT_EQ(line.substr(line.size() - 11), "xPassword: ");
}

TEST(ScreenEdge, LooksBehindTheNamesOfCharacterSets) {
  EXPECT_TRUE(After("Name:\x1b(B\x1b[m ").LooksLikePrompt());
}

TEST(ScreenEdge, LooksBehindColoursAndTitles) {
  EXPECT_TRUE(After("\x1b[1;32muser$\x1b[0m ").LooksLikePrompt());
  EXPECT_TRUE(After("\x1b]0;a title\x07$ ").LooksLikePrompt());
  EXPECT_TRUE(After("$ \x1b]0;a title\x1b\\").LooksLikePrompt());
  EXPECT_FALSE(After("done\x1b[K").LooksLikePrompt());
}

TEST(ScreenEdge, KnowsTheAlternateScreen) {
  EXPECT_TRUE(After("\x1b[?1049h").is_alternate());
  EXPECT_TRUE(After("\x1b[?1049hfull screen").LooksLikePrompt());
  EXPECT_FALSE(After("\x1b[?1049hx\x1b[?1049l").is_alternate());
  EXPECT_FALSE(After("\x1b[?1049hx\x1b"
                     "c")
                   .is_alternate());
  EXPECT_FALSE(After("\x1b[1049h").is_alternate());
}

TEST(ScreenEdge, KnowsWhoWantsPastesMarked) {
  EXPECT_TRUE(After("\x1b[?2004h").marks_paste());
  EXPECT_FALSE(After("\x1b[?2004h\x1b[?2004l").marks_paste());
}

TEST(ScreenEdge, HearsWhatIsAskedOfTheTerminal) {
  ScreenEdge edge = After("\x1b[6n\x1b[c\x1b[0c\x1b[5n");
  ASSERT_EQ(edge.query_count(), 4U);
  EXPECT_EQ(edge.query(0), TtyQuery::kCursor);
  EXPECT_EQ(edge.query(1), TtyQuery::kDevice);
  EXPECT_EQ(edge.query(2), TtyQuery::kDevice);
  EXPECT_EQ(edge.query(3), TtyQuery::kStatus);
  edge.TakeQueries();
  EXPECT_EQ(edge.query_count(), 0U);
}

TEST(ScreenEdge, IsDeafToWhatWouldBeTyped) {
  for (const char* query : {"\x1b[?6n", "\x1b[>c", "\x1b[=c", "\x1b[21t", "\x1b]11;?\x07", "\x1bP$qm\x1b\\",
                            "\x1b[>q", "\x1b[6;1n", "\x1b[1c", "\x1b]52;c;?\x07", "\x1b[6 n"}) {
    EXPECT_EQ(After(query).query_count(), 0U) << query + 1;
  }
}

TEST(ScreenEdge, HearsSixteenQuestionsAtMost) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "\x1b[6n";
  EXPECT_EQ(After(many).query_count(), ScreenEdge::kMaxQueries);
}

TEST(ScreenEdge, TakesNumbersOfAnyLength) {
  EXPECT_FALSE(After("\x1b[?" + std::string(1000, '9') + "h").is_alternate());
}

}  // namespace
}  // namespace bashward::supervisor
