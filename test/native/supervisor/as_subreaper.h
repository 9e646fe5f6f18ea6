// A process that stands in for a supervisor: what its children start becomes its child.
#ifndef BASHWARD_TEST_SUPERVISOR_AS_SUBREAPER_H_
#define BASHWARD_TEST_SUPERVISOR_AS_SUBREAPER_H_

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "supervisor/descendants.h"
#include "support/forked.h"
#include "support/processes.h"
#include "support/temporary_directory.h"
#include "support/wait.h"

namespace bashward::supervisor {

// What is tested signals all that is below the calling process, so it runs in a process of its own.
inline void AsSubreaper(const std::function<void()>& body) {
  test::InForkedProcess([&body] {
    test::BecomeSubreaper();
    body();
    EXPECT_TRUE(test::HasNoChildren());
  });
}

inline pid_t ReadPid(const std::string& file) {
  EXPECT_TRUE(test::WaitUntil([&] {
    const std::string text = test::ReadFile(file);
    return !text.empty() && text.back() == '\n';
  })) << file;
  return static_cast<pid_t>(strtol(test::ReadFile(file).c_str(), nullptr, 10));
}

// Starts a program and leaves it to the code under test.
inline pid_t Execute(const std::vector<std::string>& arguments) {
  return test::Fork([&arguments] {
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execvp(argv[0], argv.data());
  });
}

// As the supervisor does it: until no child is left.
inline void KillAll() {
  EXPECT_TRUE(test::WaitUntil([] {
    KillChildren(0);
    while (waitpid(-1, nullptr, WNOHANG | __WALL) > 0) {
    }
    return test::HasNoChildren();
  }));
}

}  // namespace bashward::supervisor

#endif  // BASHWARD_TEST_SUPERVISOR_AS_SUBREAPER_H_
