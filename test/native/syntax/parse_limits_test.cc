// Texts that take tree-sitter minutes, or its callback for seconds.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "syntax/notation.h"

namespace bashward::syntax {
namespace {

using std::chrono::milliseconds;

constexpr char kNext[] =
    "program[0,10](command[0,10](name:command_name[0,3](word[0,3]) argument:word[4,7] "
    "argument:word[8,10]))";

std::string ParsedNext() {
  return Notation(Parse(u"git add -A", AnHour()));
}

// Would take half a minute.
std::u16string SlowText() {
  return Wide(std::string(240'000, '>'));
}

TEST(ParseLimits, GivesNoTreeWhenTheDeadlineHasPassed) {
  EXPECT_FALSE(Parse(SlowText(), Within(milliseconds(20))));
  EXPECT_EQ(ParsedNext(), kNext);
}

TEST(ParseLimits, GivesNoTreeOfAnyTextWhenThereIsNoTime) {
  EXPECT_FALSE(Parse(u"a", Within(milliseconds(0))));
  EXPECT_FALSE(Parse(u"", Within(milliseconds(-1))));
}

TEST(ParseLimits, GivesUpWhenItIsCancelled) {
  std::atomic<bool> cancelled{false};
  ParseLimits limits = AnHour();
  limits.cancelled = &cancelled;
  std::thread canceller([&] { cancelled = true; });
  EXPECT_FALSE(Parse(SlowText(), limits));
  canceller.join();
  EXPECT_EQ(ParsedNext(), kNext);
}

TEST(ParseLimits, GivesUpWhenItHasTakenAllTheMemoryItMay) {
  ParseLimits limits = AnHour();
  limits.bytes = size_t{1024} * 1024;
  EXPECT_FALSE(Parse(Wide(Repeat("a b\n", 50'000)), limits));
  EXPECT_EQ(ParsedNext(), kNext);
}

class HostileText : public testing::TestWithParam<const char*> {};

// Coming back before the test's own time limit shows that the deadline is kept; bench/ shows how well.
TEST_P(HostileText, EndsAndLeavesTheNextParseAlone) {
  const std::string_view pattern = GetParam();
  for (const size_t size : {size_t{240'000}, size_t{1'000'000}}) {
    Parse(Wide(Repeat(pattern, size / pattern.size())), Within(milliseconds(20)));
    EXPECT_EQ(ParsedNext(), kNext);
  }
}

INSTANTIATE_TEST_SUITE_P(Patterns, HostileText,
                         testing::Values(">", "<", ">>>>", "<<<<", "((((", "$(", "`", "a|", "a|a", "a;",
                                         "a\n", "{", "{ ", "\"$(", "cat <<E; ", "<<E\n", "a && ", "[[ ", "${",
                                         "${a//", "case x in ", "if a; then ", "$((1+", "a[", "<(", "f() ",
                                         "! ", "$", "\\", "\r", "'", "\"", "=~ ", "@(", "\n", "&", ")", "}"));

}  // namespace
}  // namespace bashward::syntax
