#include "supervisor/hidden_arguments.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "support/forked.h"
#include "support/temporary_directory.h"
#include "sys/signals.h"
#include "sys/vfork.h"

namespace bashward::supervisor {
namespace {

const char* const kNoEnvironment[] = {nullptr};

TEST(StaysBesidePrograms, IsFalseOfASingleProgram) {
  for (const char* command :
       {"true", ":", "ls -la /tmp", "./build.sh --port 3000", "git commit -m 'a b'", ""}) {
    EXPECT_FALSE(StaysBesidePrograms(command, kNoEnvironment)) << command;
  }
}

TEST(StaysBesidePrograms, IsTrueOfWhatBashWaitsFor) {
  for (const char* command :
       {"a; b",        "a & b",          "a && b",     "a || b",   "a | b",    "(a)",
        "{ a; }",      "a\nb",           "echo $(a)",  "echo `a`", "! a",      "a >f",
        "a <f",        "time a",         "eval a",     ". ./a",    "source a", "coproc a",
        "trap a EXIT", "builtin eval a", "A=1 eval a", "\\eval a", "'eval' a", "ev\"al\" a",
        " eval a",     "time\ta",        "~/a"}) {
    EXPECT_TRUE(StaysBesidePrograms(command, kNoEnvironment)) << command;
  }
}

TEST(StaysBesidePrograms, IsTrueOfWhatTheEnvironmentCanMakeOfAProgram) {
  const char* const startup[] = {"A=1", "BASH_ENV=/startup", nullptr};
  const char* const function[] = {"BASH_FUNC_ls%%=() { command ls; }", nullptr};
  const char* const neither[] = {"BASH=/bin/bash", "ENV=BASH_ENV=", nullptr};
  EXPECT_TRUE(StaysBesidePrograms("ls", startup));
  EXPECT_TRUE(StaysBesidePrograms("ls", function));
  EXPECT_FALSE(StaysBesidePrograms("ls", neither));
}

TEST(MayBeTraced, IsTrueOfAProgramAndFalseOfAScript) {
  const test::TemporaryDirectory directory;
  EXPECT_TRUE(MayBeTraced("/proc/self/exe"));
  EXPECT_FALSE(MayBeTraced(directory.Script("#!/bin/sh\n").c_str()));
  EXPECT_FALSE(MayBeTraced("/nonexistent"));
}

TEST(MayBeTraced, IsFalseOfAProgramWithRightsOfItsOwn) {
  const test::TemporaryDirectory directory;
  const std::string program = directory.Script("");
  EXPECT_TRUE(MayBeTraced(program.c_str()));
  for (const mode_t right : {S_ISUID, S_ISGID}) {
    ASSERT_EQ(chmod(program.c_str(), 0755 | right), 0);
    EXPECT_FALSE(MayBeTraced(program.c_str())) << right;
  }
}

int TakeSignalAndExecute(void* tracing) {
  AskToBeTraced(static_cast<Tracing*>(tracing));
  kill(getpid(), SIGWINCH);
  char name[] = "bash";
  char option[] = "-c";
  char end[] = "--";
  char command[] = "kill -TERM $$; :";
  char* const arguments[] = {name, option, end, command, name, nullptr};
  char* const environment[] = {nullptr};
  execve("/bin/bash", arguments, environment);
  return 1;
}

TEST(HideArguments, IsNotHeldUpByASignalBeforeAndUnblocksThoseAfter) {
  test::InForkedProcess([] {
    const sys::SignalBlock block;
    alignas(16) static char stack[sys::kVforkStackSize];
    Tracing tracing = Tracing::kNotAsked;
    const pid_t pid = sys::Vfork(TakeSignalAndExecute, &tracing, stack, nullptr);
    ASSERT_GT(pid, 0);
    if (tracing != Tracing::kGranted) GTEST_SKIP() << "nobody may be traced here";
    const Hiding hiding = HideArguments(pid);
    EXPECT_TRUE(hiding.runs);
    EXPECT_NE(hiding.address, 0U);
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
  });
}

}  // namespace
}  // namespace bashward::supervisor
