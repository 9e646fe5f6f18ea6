#include "supervisor/waiting/proc_text.h"

#include <gtest/gtest.h>
#include <string.h>

#include <string>

namespace bashward::supervisor {
namespace {

bool Parse(const std::string& text, ThreadStat* stat) {
  return ParseThreadStat(text.data(), text.size(), stat);
}

TEST(ThreadStat, IsRead) {
  ThreadStat stat{};
  ASSERT_TRUE(Parse("42 (cat) S 1 40 39 34817 40 4194304 0\n", &stat));
  EXPECT_STREQ(stat.name, "cat");
  EXPECT_EQ(stat.name_size, 3U);
  EXPECT_EQ(stat.state, 'S');
  EXPECT_EQ(stat.group, 40);
  EXPECT_EQ(stat.terminal, 34817U);
}

TEST(ThreadStat, TellsWhenItWasStarted) {
  ThreadStat stat{};
  const std::string begin = "42 (cat) S 1 40 39 34817 40 4194304 98 0 0 0 1 2 3 4 20 0 1 0";
  ASSERT_TRUE(Parse(begin + " 2717729 5 6\n", &stat));
  EXPECT_EQ(stat.started, 2717729U);
  ASSERT_TRUE(Parse("42 (cat) S 1 40 39 34817 -1 4194304 98 0 0 0 1 2 3 4 20 -5 1 0 7 8\n", &stat));
  EXPECT_EQ(stat.started, 7U);
  ASSERT_TRUE(Parse(begin, &stat));
  EXPECT_EQ(stat.started, 0U);
}

TEST(ThreadStat, HasAnyNameThatAProgramChooses) {
  ThreadStat stat{};
  ASSERT_TRUE(Parse("42 (a) R 9 (b)) T 1 40 39 0 -1 0\n", &stat));
  EXPECT_STREQ(stat.name, "a) R 9 (b)");
  EXPECT_EQ(stat.state, 'T');
  ASSERT_TRUE(Parse("42 () S 1 40 39 0 -1 0\n", &stat));
  EXPECT_EQ(stat.name_size, 0U);
}

TEST(ThreadStat, CutsANameThatIsTooLong) {
  ThreadStat stat{};
  ASSERT_TRUE(Parse("42 (kworker/u16:0-events_unbound) I 2 0 0 0 -1 0\n", &stat));
  EXPECT_STREQ(stat.name, "kworker/u16:0-e");
}

TEST(ThreadStat, IsNotReadFromWhatIsCutOff) {
  const std::string whole = "42 (cat) S 1 40 39 34817 40";
  ThreadStat stat{};
  for (size_t size = 0; size <= whole.find(" 34817"); ++size)
    EXPECT_FALSE(Parse(whole.substr(0, size), &stat));
}

TEST(SystemCallLine, IsRead) {
  const SystemCallLine line =
      ParseSystemCall("7 0x7ffe1 0x2 0xffffffffffffffff 0x0 0x0 0x0 0x7ffe00000000 0x7f1\n");
  ASSERT_EQ(line.kind, SystemCallLine::Kind::kCall);
  EXPECT_EQ(line.number, 7);
  EXPECT_EQ(line.arguments[0], 0x7ffe1U);
  EXPECT_EQ(line.arguments[2], ~uint64_t{0});
}

TEST(SystemCallLine, TellsWhoIsInNone) {
  EXPECT_EQ(ParseSystemCall("running\n").kind, SystemCallLine::Kind::kRunning);
  EXPECT_EQ(ParseSystemCall("-1 0x7ffe00000000 0x7f1\n").kind, SystemCallLine::Kind::kNone);
  EXPECT_EQ(ParseSystemCall("").kind, SystemCallLine::Kind::kUnknown);
}

TEST(SystemCallLine, KnowsNothingOfA32BitProgram) {
  const SystemCallLine line = ParseSystemCall("3 0x0 0x1 0x2 0x3 0x4 0x5 0xffe00000 0xf7f1\n");
  EXPECT_EQ(line.kind, SystemCallLine::Kind::kUnknown);
}

TEST(SystemCallLine, KnowsNothingOfALineThatIsCutOff) {
  const std::string whole = "7 0x7ffe1 0x2 0xffff 0x0 0x0 0x0 0x7ffe00000000";
  for (size_t size = 0; size < whole.size() - 9; ++size) {
    EXPECT_EQ(ParseSystemCall(whole.substr(0, size).c_str()).kind, SystemCallLine::Kind::kUnknown) << size;
  }
}

TEST(DescriptorInfo, IsRead) {
  DescriptorInfo info{};
  ParseDescriptorInfo("pos:\t0\nflags:\t0100002\nmnt_id:\t26\nino:\t2051\ntty-index:\t7\n", &info);
  EXPECT_EQ(info.mount, 26U);
  EXPECT_EQ(info.inode, 2051U);
  EXPECT_EQ(info.tty_index, 7);
}

TEST(DescriptorInfo, MayLackAnInode) {
  DescriptorInfo info{};
  ParseDescriptorInfo("pos:\t0\nflags:\t0100002\nmnt_id:\t26\n", &info);
  EXPECT_EQ(info.inode, 0U);
  EXPECT_EQ(info.tty_index, -1);
}

TEST(LookBudget, EndsWithItsDescriptors) {
  LookBudget budget;
  for (size_t i = 0; i < LookBudget::kDescriptors; ++i)
    ASSERT_TRUE(budget.TakeDescriptor() || !budget.HasTime());
  EXPECT_FALSE(budget.TakeDescriptor());
  EXPECT_TRUE(budget.is_exceeded());
}

TEST(LookBudget, EndsWithItsBytes) {
  LookBudget budget;
  EXPECT_TRUE(budget.TakeBytes(LookBudget::kBytes) || !budget.HasTime());
  EXPECT_FALSE(budget.TakeBytes(1));
  EXPECT_TRUE(budget.is_exceeded());
}

TEST(TerminalDevice, IsAsStatHasIt) {
  EXPECT_EQ(TerminalDevice(1), 34817U);
  EXPECT_EQ(TerminalDevice(300), (300U & 0xff) | 136U << 8 | 0x100U << 12);
}

}  // namespace
}  // namespace bashward::supervisor
