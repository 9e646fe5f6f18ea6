// What a command writes is what is captured.
#include <gtest/gtest.h>

#include <string>

#include "support/host.h"

namespace bashward::test {
namespace {

using namespace std::string_literals;
using process::Completion;

class OutputTest : public CommandTest {};

TEST_F(OutputTest, IsByteForByteWhatWasWritten) {
  const Completion completion = host_.Run(Call("printf 'a\\0b\\377\\n'"));
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(Output(completion), "a\0b\xff\n"s);
}

TEST_F(OutputTest, IsEmptyForACommandThatWritesNothing) {
  const Completion completion = host_.Run(Call(":"));
  EXPECT_TRUE(Exited(completion, 0));
  ASSERT_EQ(completion.streams.size(), 1U);
  EXPECT_EQ(completion.streams[0].total, 0U);
}

TEST_F(OutputTest, KeepsTheOrderOfBothStreamsWhenTheyAreMerged) {
  std::string expected;
  for (int i = 0; i < 200; ++i) expected += "o" + std::to_string(i) + "\ne" + std::to_string(i) + "\n";
  const Completion completion =
      host_.Run(Call("for ((i = 0; i < 200; i++)); do echo o$i; echo e$i >&2; done"));
  EXPECT_EQ(Output(completion), expected);
}

TEST_F(OutputTest, IsTwoStreamsOnRequest) {
  Call call("echo out; echo err >&2; echo more");
  call.separate_streams = true;
  const Completion completion = host_.Run(call);
  ASSERT_EQ(completion.streams.size(), 2U);
  EXPECT_EQ(Output(completion, 0), "out\nmore\n");
  EXPECT_EQ(Output(completion, 1), "err\n");
}

TEST_F(OutputTest, CanBeOpenedAgainByName) {
  EXPECT_EQ(Output(host_.Run(Call("echo hi | tee /dev/stderr"))), "hi\nhi\n");
}

TEST_F(OutputTest, LosesNothingThatWasWrittenBeforeTheEnd) {
  for (int i = 0; i < 30; ++i) {
    const std::string output = Output(host_.Run(Call("seq 20000; printf END")));
    ASSERT_GE(output.size(), 3U);
    ASSERT_EQ(output.substr(output.size() - 3), "END");
    ASSERT_EQ(output.size(), 108894U + 3U);
  }
}

TEST_F(OutputTest, KeepsHeadAndTailOfAFloodAndCountsEveryByte) {
  Call call("printf BEGIN; head -c 300000000 /dev/zero; printf END");
  call.head_limit = 5;
  call.tail_limit = 4;
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(Exited(completion, 0));
  ASSERT_EQ(completion.streams.size(), 1U);
  EXPECT_EQ(completion.streams[0].total, 300'000'008U);
  EXPECT_EQ(completion.streams[0].head, "BEGIN");
  EXPECT_EQ(completion.streams[0].tail, "\0END"s);
}

TEST_F(OutputTest, CountsTwoFloodsAtOnce) {
  Call call("head -c 50000000 /dev/zero & head -c 40000000 /dev/zero >&2; wait");
  call.separate_streams = true;
  call.head_limit = 1000;
  call.tail_limit = 1000;
  const Completion completion = host_.Run(call);
  EXPECT_TRUE(Exited(completion, 0));
  ASSERT_EQ(completion.streams.size(), 2U);
  EXPECT_EQ(completion.streams[0].total, 50'000'000U);
  EXPECT_EQ(completion.streams[1].total, 40'000'000U);
  EXPECT_EQ(completion.streams[0].head.size() + completion.streams[0].tail.size(), 2000U);
}

TEST_F(OutputTest, CountsAFloodOfTinyLines) {
  Call call("seq 1000000");
  call.head_limit = 4;
  call.tail_limit = 8;
  const Completion completion = host_.Run(call);
  ASSERT_EQ(completion.streams.size(), 1U);
  EXPECT_EQ(completion.streams[0].total, 6'888'896U);
  EXPECT_EQ(completion.streams[0].head, "1\n2\n");
  EXPECT_EQ(completion.streams[0].tail, "1000000\n");
}

TEST_F(OutputTest, IsCapturedFromACommandThatFails) {
  const Completion completion = host_.Run(Call("echo before; exit 3"));
  EXPECT_TRUE(Exited(completion, 3));
  EXPECT_EQ(Output(completion), "before\n");
}

}  // namespace
}  // namespace bashward::test
