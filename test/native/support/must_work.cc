#include "support/must_work.h"

#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>

namespace bashward::test {

void CannotTest(const std::string& reason) {
  const char* must_work = getenv("BASHWARD_MUST_WORK");
  if (must_work != nullptr && std::string(must_work) == "1") {
    FAIL() << reason << " (BASHWARD_MUST_WORK=1 forbids it)";
  }
  printf("not tested here: %s\n", reason.c_str());
}

}  // namespace bashward::test
