#include "supervisor/descendants.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "supervisor/as_subreaper.h"
#include "support/descriptors.h"
#include "support/processes.h"
#include "support/seccomp.h"
#include "support/temporary_directory.h"
#include "support/wait.h"
#include "sys/signals.h"

namespace bashward::supervisor {
namespace {

using test::ChildProcess;
using test::WaitUntil;

class ListSurvivorsTest : public ::testing::Test {
 protected:
  static SurvivorList List(const test::Pipe& output) {
    sys::PipeName name{};
    EXPECT_TRUE(sys::ReadPipeName(getpid(), output.write_end.get(), &name));
    SurvivorList list;
    ListSurvivors(getsid(0), &name, 1, &list);
    return list;
  }
  static std::string Command(const protocol::Survivor& survivor) {
    return std::string(survivor.command, survivor.command_size);
  }
};

TEST_F(ListSurvivorsTest, IsEmptyWhenNothingIsLeft) {
  AsSubreaper([] { EXPECT_EQ(List(test::Pipe()).header.count, 0U); });
}

TEST_F(ListSurvivorsTest, NamesAChildThatHoldsTheOutput) {
  AsSubreaper([] {
    test::Pipe output;
    fcntl(output.write_end.get(), F_SETFD, 0);
    ChildProcess child({"sleep", "300"});
    const SurvivorList list = List(output);
    ASSERT_EQ(list.header.count, 1U);
    EXPECT_EQ(list.survivors[0].pid, child.pid());
    EXPECT_EQ(Command(list.survivors[0]), "sleep 300");
    EXPECT_EQ(list.survivors[0].holds_output, 1U);
    EXPECT_EQ(list.survivors[0].daemon, 0U);
  });
}

TEST_F(ListSurvivorsTest, TellsADaemonByItsSessionAndItsClosedOutput) {
  AsSubreaper([] {
    test::Pipe output;
    test::TemporaryDirectory directory;
    const std::string file = directory.File("pid");
    ChildProcess starter({"setsid", "-f", "sh", "-c", "echo $$ >\"$0\"; exec sleep 300", file});
    const pid_t daemon = ReadPid(file);
    EXPECT_EQ(starter.Wait(), 0);
    const SurvivorList list = List(output);
    ASSERT_EQ(list.header.count, 1U);
    EXPECT_EQ(list.survivors[0].pid, daemon);
    EXPECT_EQ(list.survivors[0].daemon, 1U);
    KillAll();
  });
}

TEST_F(ListSurvivorsTest, TakesAChildOfTheSameSessionForNoDaemon) {
  AsSubreaper([] {
    ChildProcess child({"sleep", "300"});
    const SurvivorList list = List(test::Pipe());
    ASSERT_EQ(list.header.count, 1U);
    EXPECT_EQ(list.survivors[0].daemon, 0U);
    EXPECT_EQ(list.survivors[0].holds_output, 0U);
  });
}

TEST_F(ListSurvivorsTest, LeavesZombiesOut) {
  AsSubreaper([] {
    ChildProcess child({"true"});
    EXPECT_TRUE(WaitUntil([&] { return !test::IsRunning(child.pid()); }));
    EXPECT_EQ(List(test::Pipe()).header.count, 0U);
    EXPECT_EQ(child.Wait(), 0);
  });
}

bool IsStat(const uint64_t* arguments) {
  const auto* path = reinterpret_cast<const char*>(arguments[1]);
  const size_t length = strlen(path);
  return length > 5 && strcmp(path + length - 5, "/stat") == 0;
}

TEST_F(ListSurvivorsTest, NamesAChildThatCannotBeLookedAt) {
  AsSubreaper([] {
    ChildProcess child({"sleep", "300"});
    test::AnswerSystemCall(SYS_openat, [](const uint64_t* arguments) -> long {
      return IsStat(arguments) ? -EMFILE : test::OpenFile(arguments);
    });
    const SurvivorList list = List(test::Pipe());
    ASSERT_EQ(list.header.count, 1U);
    EXPECT_EQ(list.survivors[0].pid, child.pid());
    EXPECT_EQ(Command(list.survivors[0]), "sleep 300");
    EXPECT_EQ(list.survivors[0].daemon, 0U);
  });
}

// Such as one of another user, where /proc shows only one's own.
TEST_F(ListSurvivorsTest, NamesAChildThatCannotBeLookedAtNorSignalled) {
  AsSubreaper([] {
    ChildProcess child({"sleep", "300"});
    test::AnswerSystemCall(SYS_openat, [](const uint64_t* arguments) -> long {
      return IsStat(arguments) ? -ENOENT : test::OpenFile(arguments);
    });
    test::RefuseSystemCallWith(SYS_kill, 1, 0, EPERM);
    const SurvivorList list = List(test::Pipe());
    ASSERT_EQ(list.header.count, 1U);
    EXPECT_EQ(list.survivors[0].pid, child.pid());
  });
}

TEST_F(ListSurvivorsTest, LeavesOutWhatHasEndedBeforeItIsLookedAt) {
  AsSubreaper([] {
    static pid_t child = 0;
    child = Execute({"sleep", "300"});
    test::AnswerSystemCall(SYS_openat, [](const uint64_t* arguments) -> long {
      if (IsStat(arguments) && sys::SignalProcess(child, SIGKILL) == 0) waitpid(child, nullptr, 0);
      return test::OpenFile(arguments);
    });
    EXPECT_EQ(List(test::Pipe()).header.count, 0U);
  });
}

TEST_F(ListSurvivorsTest, NamesTheGroupWhenDescriptorsRunOut) {
  AsSubreaper([] {
    ChildProcess child({"sleep", "300"});
    const test::DescriptorLimit limit;
    for (const rlim_t free : {0, 1}) {
      limit.Leave(free);
      sys::PipeName name{};
      SurvivorList list;
      ListSurvivors(getsid(0), &name, 1, &list);
      ASSERT_EQ(list.header.count, 1U) << free << " descriptors";
      EXPECT_EQ(list.survivors[0].pid, getsid(0)) << free << " descriptors";
    }
    limit.Lift();
  });
}

TEST_F(ListSurvivorsTest, ListsAsManyAsAMessageHolds) {
  AsSubreaper([] {
    test::Pipe alive;
    for (uint32_t i = 0; i < protocol::kMaxSurvivors + 10; ++i) {
      const pid_t pid = fork();
      if (pid == 0) {
        alive.write_end.reset();
        char byte = 0;
        (void)!read(alive.read_end.get(), &byte, 1);
        _exit(0);
      }
      ASSERT_GT(pid, 1);
    }
    EXPECT_EQ(List(test::Pipe()).header.count, protocol::kMaxSurvivors);
    alive.write_end.reset();
    EXPECT_TRUE(test::ReapAllChildren());
  });
}

}  // namespace
}  // namespace bashward::supervisor
