#include "util/text.h"

#include <gtest/gtest.h>

#include <climits>
#include <cstdint>
#include <string>
#include <utility>

namespace bashward::util {
namespace {

TEST(Text, IsPutTogetherFromTextsAndNumbers) {
  ProcPath path;
  path << "/proc/" << 1234 << "/task/" << 0 << "/children";
  EXPECT_STREQ(path.c_str(), "/proc/1234/task/0/children");
}

TEST(Text, IsEmptyAtFirst) {
  EXPECT_STREQ(ProcPath().c_str(), "");
}

TEST(Text, TakesTheLargestNumber) {
  ProcPath path;
  path << INT_MAX;
  EXPECT_EQ(path.c_str(), std::to_string(INT_MAX));
}

TEST(Text, CutsOffWhatDoesNotFit) {
  ProcPath path;
  const std::string piece(60, 'x');
  path << piece.c_str() << piece.c_str() << 123456;
  EXPECT_EQ(path.c_str(), std::string(95, 'x'));
}

TEST(Text, TakesANegativeNumber) {
  ProcPath path;
  path << INT_MIN;
  EXPECT_EQ(path.c_str(), std::to_string(INT_MIN));
}

TEST(AppendSize, WritesBytesAsTheResultsDo) {
  const std::pair<uint64_t, const char*> cases[] = {
      {0, "0B"},
      {1023, "1023B"},
      {1024, "1.0KB"},
      {131'072, "128.0KB"},
      {1'048'575, "1.0MB"},
      {1'600'000, "1.5MB"},
      {268'435'456, "256.0MB"},
      {uint64_t{1} << 40, "1024.0GB"},
  };
  for (const auto& [bytes, text] : cases) {
    Text<32> size;
    AppendSize(&size, bytes);
    EXPECT_STREQ(size.c_str(), text);
  }
}

TEST(TakeNumber, ReadsANumberAndMovesBehindIt) {
  const char* position = "1203 rest";
  EXPECT_EQ(TakeNumber(&position), 1203U);
  EXPECT_STREQ(position, " rest");
}

TEST(TakeNumber, IsZeroWhereThereIsNone) {
  const char* position = "-5";
  EXPECT_EQ(TakeNumber(&position), 0U);
  EXPECT_STREQ(position, "-5");
}

TEST(TakeNumber, ReadsTheLargestNumber) {
  const char* position = "18446744073709551615";
  EXPECT_EQ(TakeNumber(&position), UINT64_MAX);
}

}  // namespace
}  // namespace bashward::util
