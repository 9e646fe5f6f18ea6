#include "sys/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "support/descriptors.h"
#include "support/forked.h"
#include "support/processes.h"
#include "support/wait.h"
#include "sys/process_stat.h"
#include "sys/signals.h"
#include "sys/unique_fd.h"

namespace bashward::sys {
namespace {

using test::ChildProcess;

// Larger than any pid that Linux gives out.
constexpr pid_t kNobody = 5'000'000;

std::string CommandLine(pid_t pid, size_t size = 200) {
  std::string buffer(size, '\0');
  buffer.resize(ReadCommandLine(pid, buffer.data(), buffer.size()));
  return buffer;
}

std::set<pid_t> Children(pid_t pid) {
  static PidList list;
  list.Clear();
  AppendChildren(pid, &list);
  std::set<pid_t> children;
  for (size_t i = 0; i < list.size(); ++i) children.insert(list[i]);
  return children;
}

TEST(ReadStat, GivesParentGroupAndSession) {
  ChildProcess child({"sleep", "300"}, true);
  ProcessStat stat{};
  ASSERT_TRUE(ReadProcessStat(child.pid(), &stat));
  EXPECT_EQ(stat.parent, getpid());
  EXPECT_EQ(stat.group, child.pid());
  EXPECT_EQ(stat.session, getsid(0));
}

TEST(ReadStat, ShowsAZombie) {
  ChildProcess child({"true"});
  ProcessStat stat{};
  EXPECT_TRUE(test::WaitUntil([&] { return ReadProcessStat(child.pid(), &stat) && stat.state == 'Z'; }));
  EXPECT_EQ(stat.parent, getpid());
}

TEST(ReadStat, FailsForAProcessThatIsNotThere) {
  ProcessStat stat{};
  EXPECT_FALSE(ReadProcessStat(kNobody, &stat));
}

TEST(ReadStat, SaysThatNoDescriptorIsLeft) {
  test::InForkedProcess([] {
    const test::DescriptorLimit limit;
    limit.Leave(0);
    ProcessStat stat{};
    EXPECT_FALSE(ReadProcessStat(getpid(), &stat));
    EXPECT_EQ(errno, EMFILE);
  });
}

// The name is the only field that a process chooses itself.
TEST(ReadStat, IsNotFooledByAProcessName) {
  test::InForkedProcess([] {
    for (const char* name : {") Z 1 1 1 (", "a b", "))))", "(", "\n) S 1"}) {
      prctl(PR_SET_NAME, name, 0, 0, 0);
      ProcessStat stat{};
      ASSERT_TRUE(ReadProcessStat(getpid(), &stat)) << name;
      EXPECT_EQ(stat.state, 'R') << name;
      EXPECT_EQ(stat.parent, getppid()) << name;
      EXPECT_EQ(stat.group, getpgrp()) << name;
      EXPECT_EQ(stat.session, getsid(0)) << name;
    }
  });
}

TEST(ReadCommandLine, JoinsTheArgumentsWithSpaces) {
  ChildProcess child({"sleep", "300", "0"});
  EXPECT_EQ(CommandLine(child.pid()), "sleep 300 0");
}

TEST(ReadCommandLine, CutsALongOne) {
  ChildProcess child({"sleep", "300", std::string(500, '0')});
  const std::string line = CommandLine(child.pid(), 20);
  EXPECT_EQ(line, ("sleep 300 " + std::string(500, '0')).substr(0, 19));
}

TEST(ReadCommandLine, GivesTheNameOfAZombieInBrackets) {
  ChildProcess child({"true"});
  ProcessStat stat{};
  EXPECT_TRUE(test::WaitUntil([&] { return ReadProcessStat(child.pid(), &stat) && stat.state == 'Z'; }));
  EXPECT_EQ(CommandLine(child.pid()), "[true]");
}

TEST(ReadCommandLine, IsEmptyForAProcessThatIsNotThere) {
  EXPECT_EQ(CommandLine(kNobody), "");
}

class HasOpenTest : public ::testing::Test {
 protected:
  PipeName Name() const {
    PipeName name{};
    EXPECT_TRUE(ReadPipeName(getpid(), pipe_.write_end.get(), &name));
    return name;
  }
  test::Pipe pipe_;
};

TEST_F(HasOpenTest, FindsAnInheritedPipe) {
  fcntl(pipe_.write_end.get(), F_SETFD, 0);
  ChildProcess child({"sleep", "300"});
  EXPECT_TRUE(HasOpen(child.pid(), Name()));
}

TEST_F(HasOpenTest, FindsNoneInAProcessThatHasNotInheritedIt) {
  ChildProcess child({"sleep", "300"});
  EXPECT_FALSE(HasOpen(child.pid(), Name()));
}

TEST_F(HasOpenTest, DoesNotTakeAnotherPipeForIt) {
  const test::Pipe other;
  fcntl(other.write_end.get(), F_SETFD, 0);
  ChildProcess child({"sleep", "300"});
  EXPECT_FALSE(HasOpen(child.pid(), Name()));
}

TEST_F(HasOpenTest, FindsItBehindManyDescriptors) {
  std::vector<UniqueFd> many;
  for (int i = 0; i < 300; ++i) many.emplace_back(fcntl(STDERR_FILENO, F_DUPFD, 0));
  const UniqueFd last(fcntl(pipe_.write_end.get(), F_DUPFD, 0));
  ChildProcess child({"sleep", "300"});
  EXPECT_TRUE(HasOpen(child.pid(), Name()));
}

TEST_F(HasOpenTest, FindsNoneInAProcessThatIsNotThere) {
  EXPECT_FALSE(HasOpen(kNobody, Name()));
}

TEST_F(HasOpenTest, NamesThePipeAsProcDoes) {
  struct stat status{};
  ASSERT_EQ(fstat(pipe_.write_end.get(), &status), 0);
  EXPECT_EQ(Name().text, "pipe:[" + std::to_string(status.st_ino) + "]");
}

TEST(ReadPipeName, FailsForADescriptorThatIsNotOpen) {
  PipeName name{};
  EXPECT_FALSE(ReadPipeName(getpid(), 4000, &name));
  EXPECT_STREQ(name.text, "");
}

TEST(PidList, RefusesMoreThanItHolds) {
  static PidList list;
  for (size_t i = 0; i < PidList::kCapacity; ++i) ASSERT_TRUE(list.Add(static_cast<pid_t>(i + 2)));
  EXPECT_FALSE(list.Add(2));
  EXPECT_EQ(list.size(), PidList::kCapacity);
  list.Clear();
  EXPECT_EQ(list.size(), 0U);
  EXPECT_TRUE(list.Add(7));
  EXPECT_EQ(list[0], 7);
}

TEST(AppendChildren, ListsTheChildrenAndNoGrandchildren) {
  test::InForkedProcess([] {
    ChildProcess one({"sleep", "300"});
    ChildProcess other({"sh", "-c", "sleep 300; :"});
    EXPECT_TRUE(test::WaitUntil([&] { return !Children(other.pid()).empty(); }));
    EXPECT_EQ(Children(getpid()), (std::set<pid_t>{one.pid(), other.pid()}));
    const pid_t grandchild = *Children(other.pid()).begin();
    EXPECT_NE(grandchild, other.pid());
    SignalProcess(grandchild, SIGKILL);
  });
}

TEST(AppendChildren, IncludesTheChildrenOfOtherThreads) {
  std::atomic<bool> listed{false};
  std::atomic<pid_t> child{0};
  std::thread thread([&] {
    ChildProcess sleeping({"sleep", "300"});
    child = sleeping.pid();
    test::WaitUntil([&] { return listed.load(); });
  });
  EXPECT_TRUE(test::WaitUntil([&] { return child != 0; }));
  EXPECT_EQ(Children(getpid()).count(child), 1U);
  listed = true;
  thread.join();
}

TEST(AppendChildren, FindsNoneOfAProcessThatIsNotThere) {
  EXPECT_TRUE(Children(kNobody).empty());
}

// Then "none" would be the wrong answer.
TEST(AppendChildren, FailsWhenDescriptorsRunOut) {
  test::InForkedProcess([] {
    ChildProcess child({"sleep", "300"});
    static PidList list;
    const test::DescriptorLimit limit;
    // One for the list of threads, one for the children of each.
    for (const rlim_t free : {0, 1}) {
      limit.Leave(free);
      EXPECT_FALSE(AppendChildren(getpid(), &list)) << free << " descriptors";
      EXPECT_EQ(list.size(), 0U);
    }
    limit.Leave(2);
    EXPECT_TRUE(AppendChildren(getpid(), &list));
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0], child.pid());
  });
}

TEST(AppendChildren, ListsMoreChildrenThanOneReadHolds) {
  test::InForkedProcess([] {
    constexpr size_t kChildren = 800;
    std::set<pid_t> forked;
    test::Pipe alive;
    for (size_t i = 0; i < kChildren; ++i) {
      const pid_t pid = fork();
      if (pid == 0) {
        alive.write_end.reset();
        char byte = 0;
        (void)!read(alive.read_end.get(), &byte, 1);
        _exit(0);
      }
      ASSERT_GT(pid, 1);
      forked.insert(pid);
    }
    EXPECT_EQ(Children(getpid()), forked);
    alive.write_end.reset();
    EXPECT_TRUE(test::ReapAllChildren());
  });
}

}  // namespace
}  // namespace bashward::sys
