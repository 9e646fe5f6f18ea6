#include "syntax/bash_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "syntax/notation.h"

namespace bashward::syntax {
namespace {

std::string Parsed(std::u16string_view text) {
  return Notation(Parse(text, AnHour()));
}

TEST(BashParser, GivesTheNodesTheirKindsFieldsAndRanges) {
  EXPECT_EQ(Parsed(u"git add >log"),
            "program[0,12](redirected_statement[0,12](body:command[0,7](name:command_name[0,3](word[0,3]) "
            "argument:word[4,7]) redirect:file_redirect[8,12]('>'[8,9] destination:word[9,12])))");
}

TEST(BashParser, CountsUtf16CodeUnits) {
  EXPECT_EQ(
      Parsed(u"\u00e9 \U0001f600 x"),
      "program[0,6](command[0,6](name:command_name[0,1](word[0,1]) argument:word[2,4] argument:word[5,6]))");
}

TEST(BashParser, TakesAnEmptyText) {
  EXPECT_EQ(Parsed(u""), "program[0,0]");
}

TEST(BashParser, MarksWhatItCouldNotParse) {
  EXPECT_EQ(Parsed(u"a )"),
            "program[0,3](command[0,1](name:command_name[0,1](word[0,1])) ERROR!+[2,3](')'[2,3]))");
}

TEST(BashParser, MarksWhatIsMissing) {
  const std::string parsed = Parsed(u"a=$(b");
  EXPECT_NE(parsed.find("')'?"), std::string::npos) << parsed;
}

TEST(BashParser, MarksAnErrorInsideOnItsAncestors) {
  const FlatTree tree = Parse(u"a; (b ))", AnHour());
  EXPECT_NE(Get(tree, 0, kFlags) & kHasError, 0);
  EXPECT_EQ(Get(tree, 1, kFlags) & kHasError, 0);
}

TEST(BashParser, MarksACommentAsExtra) {
  EXPECT_EQ(Parsed(u"a # b"), "program[0,5](command[0,1](name:command_name[0,1](word[0,1])) comment+[2,5])");
}

// To bash they are characters of a word like any other.
TEST(BashParser, TakesNulControlCharactersAndLoneSurrogatesForPartsOfWords) {
  const std::u16string text = {u'a', u'\0', u'b', u'\r', u'\v', u'\f', 0x7f, 0xd800, u' ', 0xdc00, 0xfeff};
  EXPECT_EQ(Parsed(text),
            "program[0,11](command[0,11](name:command_name[0,8](word[0,8]) argument:word[9,11]))");
}

TEST(BashParser, EndsAHereDocumentAtADelimiterBeyondAscii) {
  EXPECT_EQ(Parsed(u"a <<\u7d50\nb\n\u7d50\nc"), Parsed(u"a <<E\nb\nE\nc"));
}

TEST(BashParser, TellsDelimitersBeyondAsciiApart) {
  EXPECT_EQ(Parsed(u"a <<\u7d50\u675f\n\u4f60\u597d\n\u7d50\u675f\nc"), Parsed(u"a <<EF\nbb\nEF\nc"));
}

TEST(BashParser, ReadsATextLongerThanThePortionsItReads) {
  const std::string word(5000, 'x');
  const std::string size = std::to_string(word.size());
  EXPECT_EQ(Parsed(Wide(word)), "program[0," + size + "](command[0," + size + "](name:command_name[0," +
                                    size + "](word[0," + size + "])))");
}

TEST(BashParser, TakesANestingOfTenThousandLevels) {
  const std::u16string text = Wide(Repeat("(", 10'000) + "a" + Repeat(")", 10'000));
  const FlatTree tree = Parse(text, AnHour());
  ASSERT_TRUE(tree);
  EXPECT_EQ(Get(tree, 0, kNext), static_cast<int32_t>(CountNodes(tree)));
  EXPECT_GT(CountNodes(tree), size_t{20'000});
}

TEST(BashParser, TakesAChainOfTwentyThousandElements) {
  const FlatTree tree = Parse(Wide(Repeat("a && ", 20'000) + "a"), AnHour());
  ASSERT_TRUE(tree);
  EXPECT_EQ(Get(tree, 0, kFlags) & kHasError, 0);
  // In each but the last: command, command_name, word, list, the operator.
  EXPECT_EQ(CountNodes(tree), size_t{1 + 20'000 * 5 + 3});
}

TEST(BashParser, ParsesInSeveralThreadsAtOnce) {
  const std::u16string text = Wide(Repeat("for a in $(b | c); do d \"$a\" >e && f; done\n", 50));
  const std::string expected = Parsed(text);
  std::vector<std::string> parsed(4);
  std::vector<std::thread> threads;
  for (std::string& result : parsed) threads.emplace_back([&] { result = Parsed(text); });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : parsed) EXPECT_EQ(result, expected);
}

}  // namespace
}  // namespace bashward::syntax
