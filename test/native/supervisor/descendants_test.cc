#include "supervisor/descendants.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <fstream>
#include <string>

#include "supervisor/as_subreaper.h"
#include "support/processes.h"
#include "support/seccomp.h"
#include "support/temporary_directory.h"

namespace bashward::supervisor {
namespace {

using test::ChildProcess;

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
    // Bounded, in case the kill fails.
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

}  // namespace
}  // namespace bashward::supervisor
