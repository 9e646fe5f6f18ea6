#include "supervisor/descendants.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "support/descriptors.h"
#include "support/forked.h"
#include "support/processes.h"
#include "support/seccomp.h"
#include "support/temporary_directory.h"
#include "support/wait.h"
#include "sys/signals.h"

namespace bashward::supervisor {
namespace {

using test::ChildProcess;
using test::WaitUntil;

// Everything here signals all that is below the calling process: it runs in one of its own.
void AsSubreaper(const std::function<void()>& body) {
  test::InForkedProcess([&body] {
    test::BecomeSubreaper();
    body();
    EXPECT_TRUE(test::HasNoChildren());
  });
}

pid_t ReadPid(const std::string& file) {
  EXPECT_TRUE(WaitUntil([&] {
    const std::string text = test::ReadFile(file);
    return !text.empty() && text.back() == '\n';
  })) << file;
  return static_cast<pid_t>(strtol(test::ReadFile(file).c_str(), nullptr, 10));
}

// Starts a program that is then left to what is tested.
pid_t Execute(const std::vector<std::string>& arguments) {
  return test::Fork([&arguments] {
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
  });
}

// As the supervisor does it: until no child is left.
void KillAll() {
  EXPECT_TRUE(WaitUntil([] {
    KillChildren(0);
    while (waitpid(-1, nullptr, WNOHANG | __WALL) > 0) {
    }
    return test::HasNoChildren();
  }));
}

TEST(TerminateDescendants, ReachesChildrenAndGrandchildren) {
  AsSubreaper([] {
    const test::TemporaryDirectory directory;
    const std::string file = directory.File("pid");
    const pid_t shell = Execute({"sh", "-c", "sleep 300 & echo $! >\"$0\"; wait", file});
    const pid_t grandchild = ReadPid(file);
    TerminateDescendants(0);
    int status = 0;
    EXPECT_EQ(waitpid(shell, &status, 0), shell);
    EXPECT_EQ(WTERMSIG(status), SIGTERM);
    EXPECT_EQ(waitpid(grandchild, &status, 0), grandchild);
    EXPECT_EQ(WTERMSIG(status), SIGTERM);
  });
}

TEST(TerminateDescendants, EndsAStoppedProcess) {
  AsSubreaper([] {
    ChildProcess child({"sleep", "300"});
    ASSERT_EQ(kill(child.pid(), SIGSTOP), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child.pid(), &status, WUNTRACED), child.pid());
    TerminateDescendants(0);
    EXPECT_EQ(WTERMSIG(child.Wait()), SIGTERM);
  });
}

TEST(TerminateDescendants, SignalsWhatIsInTheShellsGroupOnce) {
  AsSubreaper([] {
    ChildProcess shell({"sleep", "300"}, true);
    ChildProcess other({"sleep", "300"}, true);
    static int signalled = 0;
    test::AnswerSystemCall(SYS_pidfd_send_signal, [](const uint64_t* arguments) -> long {
      signalled += arguments[1] == SIGTERM ? 1 : 0;
      return 0;
    });
    TerminateDescendants(shell.pid());
    EXPECT_EQ(WTERMSIG(shell.Wait()), SIGTERM);
    EXPECT_EQ(signalled, 1) << "of the two, only the other one is signalled by itself";
  });
}

TEST(TerminateDescendants, ReachesTheShellWhenItsGroupCannotBeSignalled) {
  AsSubreaper([] {
    ChildProcess shell({"sleep", "300"}, true);
    test::RefuseSystemCall(SYS_kill, EPERM);
    TerminateDescendants(shell.pid());
    EXPECT_EQ(WTERMSIG(shell.Wait()), SIGTERM);
  });
}

TEST(KillChildren, EndsWhatIgnoresSigterm) {
  AsSubreaper([] {
    const test::TemporaryDirectory directory;
    const std::string file = directory.File("pid");
    const pid_t shell = Execute({"sh", "-c", "trap '' TERM; echo $$ >\"$0\"; sleep 300; sleep 300", file});
    EXPECT_EQ(ReadPid(file), shell);
    TerminateDescendants(0);
    EXPECT_TRUE(test::IsRunning(shell));
    KillAll();
  });
}

TEST(KillChildren, EndsSessionsBelowSessions) {
  AsSubreaper([] {
    const test::TemporaryDirectory directory;
    const std::string script = directory.File("nest");
    const std::string file = directory.File("pid");
    std::ofstream(script) << "if [ $2 -eq 0 ]; then echo $$ >\"$1\"; exec sleep 300; fi\n"
                          << "setsid sh \"$0\" \"$1\" $(($2 - 1)) & wait\n";
    Execute({"sh", script, file, "3"});
    const pid_t innermost = ReadPid(file);
    KillAll();
    EXPECT_FALSE(test::IsRunning(innermost));
  });
}

TEST(KillChildren, EndsOrphansThatDaemonized) {
  AsSubreaper([] {
    ChildProcess starter({"sh", "-c", "for i in 1 2 3; do setsid sh -c 'sleep 300; :' & done"});
    EXPECT_EQ(starter.Wait(), 0);
    EXPECT_FALSE(test::HasNoChildren());
    KillAll();
  });
}

TEST(KillChildren, EndsWhatGoesOnForkingSessions) {
  AsSubreaper([] {
    const test::TemporaryDirectory directory;
    const std::string file = directory.File("pid");
    // Bounded, should the kill fail.
    Execute({"sh", "-c",
             "echo $$ >\"$0\"; i=0; while [ $i -lt 300 ]; do setsid sh -c 'sleep 2 & sleep 2' & i=$((i+1)); "
             "done; wait",
             file});
    ReadPid(file);
    KillAll();
  });
}

TEST(KillChildren, SparesTheCallersOwnGroup) {
  AsSubreaper([] {
    // The child is in this process's group: a signal to the group would end the test.
    ChildProcess child({"sleep", "300"});
    KillChildren(0);
    EXPECT_EQ(WTERMSIG(child.Wait()), SIGKILL);
  });
}

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
