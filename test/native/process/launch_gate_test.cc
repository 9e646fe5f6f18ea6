#include "process/launch_gate.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "support/temporary_directory.h"

namespace bashward::process {
namespace {

class LaunchGateTest : public ::testing::Test {
 protected:
  std::string LoadFile(const std::string& text) {
    std::ofstream(directory_.File("loadavg")) << text;
    return directory_.File("loadavg");
  }
  test::TemporaryDirectory directory_;
};

TEST_F(LaunchGateTest, IsOpenWhileFewCommandsRun) {
  LaunchGate gate(LoadFile("9.00 9.00 9.00 900/1000 4711\n").c_str(), 2);
  EXPECT_TRUE(gate.IsOpen(0));
  EXPECT_TRUE(gate.IsOpen(19));
  EXPECT_FALSE(gate.IsOpen(20));
}

TEST_F(LaunchGateTest, IsOpenForManyThatWaitForSomething) {
  LaunchGate gate(LoadFile("9.00 9.00 9.00 20/1000 4711\n").c_str(), 2);
  EXPECT_TRUE(gate.IsOpen(1000));
}

TEST_F(LaunchGateTest, IsShutWhileManyThreadsWantAProcessor) {
  const std::string file = LoadFile("0.00 0.00 0.00 21/1000 4711\n");
  EXPECT_FALSE(LaunchGate(file.c_str(), 2).IsOpen(20));
  EXPECT_TRUE(LaunchGate(file.c_str(), 4).IsOpen(40));
}

TEST_F(LaunchGateTest, FollowsTheFile) {
  LaunchGate gate(LoadFile("0.00 0.00 0.00 21/1000 4711\n").c_str(), 2);
  EXPECT_FALSE(gate.IsOpen(20));
  LoadFile("0.00 0.00 0.00 3/1000 4711\n");
  EXPECT_TRUE(gate.IsOpen(20));
}

TEST_F(LaunchGateTest, IsOpenWhereNothingCanBeTold) {
  EXPECT_TRUE(LaunchGate("/proc/no-such-file", 2).IsOpen(1000));
  EXPECT_TRUE(LaunchGate(LoadFile("").c_str(), 2).IsOpen(1000));
  EXPECT_TRUE(LaunchGate(LoadFile("no load\n").c_str(), 2).IsOpen(1000));
}

TEST_F(LaunchGateTest, ReadsTheLoadOfThisMachine) {
  LaunchGate gate("/proc/loadavg", 1'000'000);
  EXPECT_TRUE(gate.IsOpen(100'000'000));
}

}  // namespace
}  // namespace bashward::process
