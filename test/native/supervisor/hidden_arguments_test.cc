#include "supervisor/hidden_arguments.h"

#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace bashward::supervisor {
namespace {

TEST(StaysBesidePrograms, IsFalseOfASingleProgram) {
  for (const char* command :
       {"true", ":", "ls -la /tmp", "./build.sh --port 3000", "git commit -m 'a b'", ""}) {
    EXPECT_FALSE(StaysBesidePrograms(command)) << command;
  }
}

TEST(StaysBesidePrograms, IsTrueOfWhatBashWaitsFor) {
  for (const char* command :
       {"a; b",        "a & b",          "a && b",     "a || b",   "a | b",    "(a)",
        "{ a; }",      "a\nb",           "echo $(a)",  "echo `a`", "! a",      "a >f",
        "a <f",        "time a",         "eval a",     ". ./a",    "source a", "coproc a",
        "trap a EXIT", "builtin eval a", "A=1 eval a", "\\eval a", "'eval' a", "ev\"al\" a",
        " eval a",     "time\ta",        "~/a"}) {
    EXPECT_TRUE(StaysBesidePrograms(command)) << command;
  }
}

TEST(IsScript, TellsAScriptFromAProgram) {
  const test::TemporaryDirectory directory;
  EXPECT_TRUE(IsScript(directory.Script("#!/bin/sh\n").c_str()));
  EXPECT_FALSE(IsScript("/proc/self/exe"));
  EXPECT_FALSE(IsScript("/nonexistent"));
}

}  // namespace
}  // namespace bashward::supervisor
