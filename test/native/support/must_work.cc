#include "support/must_work.h"

#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

namespace bashward::test {
namespace {

void Tell(const std::string& reason) {
  printf("not tested here: %s\n", reason.c_str());
}

}  // namespace

void CannotTest(const std::string& reason) {
  const char* must_work = getenv("BASHWARD_MUST_WORK");
  if (must_work != nullptr && std::string(must_work) == "1") {
    FAIL() << reason << " (BASHWARD_MUST_WORK=1 forbids it)";
  }
  Tell(reason);
}

void OnlyRootCanTest(const std::string& reason) {
  if (geteuid() == 0) return CannotTest(reason);
  Tell(reason);
}

}  // namespace bashward::test
