#include "util/text.h"

#include <gtest/gtest.h>

#include <climits>
#include <cstdint>
#include <string>

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
