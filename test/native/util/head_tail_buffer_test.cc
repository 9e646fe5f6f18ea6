#include "util/head_tail_buffer.h"

#include <gtest/gtest.h>

#include <string>

namespace bashward::util {
namespace {

void Append(HeadTailBuffer* buffer, const std::string& bytes) {
  buffer->Append(bytes.data(), bytes.size());
}

std::string Alphabet(size_t size) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>('a' + i % 26));
  return bytes;
}

TEST(HeadTailBuffer, HoldsNothingAtFirst) {
  HeadTailBuffer buffer(4, 4);
  EXPECT_EQ(buffer.total(), 0U);
  EXPECT_FALSE(buffer.head_full());
  EXPECT_EQ(buffer.TakeHead(), "");
  EXPECT_EQ(buffer.TakeTail(), "");
}

TEST(HeadTailBuffer, KeepsAShortStreamInTheHead) {
  HeadTailBuffer buffer(4, 4);
  Append(&buffer, "abc");
  EXPECT_FALSE(buffer.head_full());
  EXPECT_EQ(buffer.TakeHead(), "abc");
  EXPECT_EQ(buffer.TakeTail(), "");
}

TEST(HeadTailBuffer, FillsTheHeadExactlyAndLeavesTheTailEmpty) {
  HeadTailBuffer buffer(4, 4);
  Append(&buffer, "abcd");
  EXPECT_TRUE(buffer.head_full());
  EXPECT_EQ(buffer.TakeHead(), "abcd");
  EXPECT_EQ(buffer.TakeTail(), "");
}

TEST(HeadTailBuffer, SplitsOneAppendBetweenHeadAndTail) {
  HeadTailBuffer buffer(4, 4);
  Append(&buffer, "abcdef");
  EXPECT_EQ(buffer.TakeHead(), "abcd");
  EXPECT_EQ(buffer.TakeTail(), "ef");
}

TEST(HeadTailBuffer, KeepsEverythingOfAStreamAsLongAsBothLimits) {
  HeadTailBuffer buffer(4, 4);
  Append(&buffer, "abcdefgh");
  EXPECT_EQ(buffer.total(), 8U);
  EXPECT_EQ(buffer.TakeHead(), "abcd");
  EXPECT_EQ(buffer.TakeTail(), "efgh");
}

TEST(HeadTailBuffer, DiscardsTheMiddleOfOneByteMore) {
  HeadTailBuffer buffer(4, 4);
  Append(&buffer, "abcdefghi");
  EXPECT_EQ(buffer.total(), 9U);
  EXPECT_EQ(buffer.TakeHead(), "abcd");
  EXPECT_EQ(buffer.TakeTail(), "fghi");
}

TEST(HeadTailBuffer, CountsOnlyWhenBothLimitsAreZero) {
  HeadTailBuffer buffer(0, 0);
  EXPECT_TRUE(buffer.head_full());
  Append(&buffer, "abc");
  EXPECT_EQ(buffer.total(), 3U);
  EXPECT_EQ(buffer.TakeHead(), "");
  EXPECT_EQ(buffer.TakeTail(), "");
}

TEST(HeadTailBuffer, KeepsTheHeadAloneWithATailOfZero) {
  HeadTailBuffer buffer(4, 0);
  Append(&buffer, "abc");
  Append(&buffer, "defg");
  EXPECT_EQ(buffer.total(), 7U);
  EXPECT_EQ(buffer.TakeHead(), "abcd");
  EXPECT_EQ(buffer.TakeTail(), "");
}

TEST(HeadTailBuffer, KeepsTheTailAloneWithAHeadOfZero) {
  HeadTailBuffer buffer(0, 4);
  Append(&buffer, "abc");
  Append(&buffer, "def");
  EXPECT_EQ(buffer.TakeHead(), "");
  EXPECT_EQ(buffer.TakeTail(), "cdef");
}

TEST(HeadTailBuffer, TakesAnEmptyAppend) {
  HeadTailBuffer buffer(2, 2);
  Append(&buffer, "abc");
  buffer.Append(nullptr, 0);
  EXPECT_EQ(buffer.total(), 3U);
  EXPECT_EQ(buffer.TakeTail(), "c");
}

TEST(HeadTailBuffer, StartsTheTailAnewAfterASkip) {
  HeadTailBuffer buffer(2, 4);
  Append(&buffer, "abcdef");
  buffer.Skip(1000);
  Append(&buffer, "xy");
  EXPECT_EQ(buffer.total(), 1008U);
  EXPECT_EQ(buffer.TakeHead(), "ab");
  EXPECT_EQ(buffer.TakeTail(), "xy");
}

TEST(HeadTailBuffer, HasNoTailWhenTheStreamEndsInASkip) {
  HeadTailBuffer buffer(2, 4);
  Append(&buffer, "abcdef");
  buffer.Skip(1);
  EXPECT_EQ(buffer.TakeTail(), "");
}

TEST(HeadTailBuffer, CountsBeyondFourGibibytes) {
  HeadTailBuffer buffer(1, 1);
  Append(&buffer, "ab");
  buffer.Skip(uint64_t{5} << 32);
  EXPECT_EQ(buffer.total(), (uint64_t{5} << 32) + 2);
}

TEST(HeadTailBuffer, GivesTheSameForEveryWayTheStreamIsCut) {
  const std::string stream = Alphabet(200);
  for (size_t piece = 1; piece <= 41; ++piece) {
    for (size_t length = 0; length <= stream.size(); ++length) {
      HeadTailBuffer buffer(7, 10);
      for (size_t at = 0; at < length; at += piece)
        Append(&buffer, stream.substr(at, std::min(piece, length - at)));
      ASSERT_EQ(buffer.total(), length);
      ASSERT_EQ(buffer.TakeHead(), stream.substr(0, std::min<size_t>(length, 7))) << "pieces of " << piece;
      const size_t kept = length > 7 ? std::min<size_t>(length - 7, 10) : 0;
      ASSERT_EQ(buffer.TakeTail(), stream.substr(length - kept, kept)) << "pieces of " << piece;
    }
  }
}

}  // namespace
}  // namespace bashward::util
