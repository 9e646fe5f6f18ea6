#include "broker/descriptor_path.h"

#include <gtest/gtest.h>

#include <string>

namespace bashward::broker {
namespace {

// "PROCESS/THREAD NUMBER REST", or "no".
std::string Parse(const std::string& path) {
  DescriptorPath parsed;
  if (!ParseDescriptorPath(path.c_str(), &parsed)) return "no";
  return std::to_string(parsed.process) + "/" + std::to_string(parsed.thread) + " " +
         std::to_string(parsed.number) + " " + parsed.rest;
}

TEST(DescriptorPathTest, KnowsTheNamesOfTheCallersOwn) {
  EXPECT_EQ(Parse("/proc/self/fd/3"), "0/0 3 ");
  EXPECT_EQ(Parse("/proc/thread-self/fd/0"), "0/0 0 ");
  EXPECT_EQ(Parse("/dev/fd/12"), "0/0 12 ");
  EXPECT_EQ(Parse("/dev/stdin"), "0/0 0 ");
  EXPECT_EQ(Parse("/dev/stdout"), "0/0 1 ");
  EXPECT_EQ(Parse("/dev/stderr"), "0/0 2 ");
}

TEST(DescriptorPathTest, KnowsProcessesAndThreadsByNumber) {
  EXPECT_EQ(Parse("/proc/42/fd/3"), "42/0 3 ");
  EXPECT_EQ(Parse("/proc/42/task/43/fd/3"), "42/43 3 ");
  EXPECT_EQ(Parse("/proc/self/task/43/fd/3"), "0/43 3 ");
}

TEST(DescriptorPathTest, GivesTheRest) {
  EXPECT_EQ(Parse("/proc/self/fd/3/a/b"), "0/0 3 /a/b");
  EXPECT_EQ(Parse("/dev/fd/3/"), "0/0 3 /");
  EXPECT_EQ(Parse("/dev/stdin/../x"), "0/0 0 /../x");
}

TEST(DescriptorPathTest, ReadsSlashesAndDotsAsTheKernelDoes) {
  EXPECT_EQ(Parse("//proc///self/./fd/.//3//."), "0/0 3 //.");
  EXPECT_EQ(Parse("/./dev/fd/3"), "0/0 3 ");
}

TEST(DescriptorPathTest, TakesNoOtherPathForOne) {
  for (const char* path : {"",
                           "/",
                           "proc/self/fd/3",
                           "/proc/self/fd",
                           "/proc/self/fd/",
                           "/proc/self/fd/x",
                           "/proc/self/fd/3x",
                           "/proc/self/fd/03",
                           "/proc/self/fd/-1",
                           "/proc/self/fd/+1",
                           "/proc/self/fd/2147483648",
                           "/proc/self/fd/99999999999999999999999",
                           "/proc/selfx/fd/3",
                           "/proc/sel/fd/3",
                           "/proc/self/fdinfo/3",
                           "/proc/0/fd/3",
                           "/proc/042/fd/3",
                           "/proc/self/task/fd/3",
                           "/proc/self/task/0/fd/3",
                           "/proc/self/cwd",
                           "/proc/../proc/self/fd/3",
                           "/dev/fd",
                           "/dev/fd/",
                           "/dev/stdinx",
                           "/dev/stdi",
                           "/dev/null",
                           "/fd/3"}) {
    EXPECT_EQ(Parse(path), "no") << path;
  }
}

}  // namespace
}  // namespace bashward::broker
