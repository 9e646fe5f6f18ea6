// Tests that cannot run on this machine.
#ifndef BASHWARD_TEST_SUPPORT_MUST_WORK_H_
#define BASHWARD_TEST_SUPPORT_MUST_WORK_H_

#include <string>

namespace bashward::test {

// Prints the reason; with BASHWARD_MUST_WORK=1, where nothing may be left out, it is a failure. Return from
// the test right after it.
void CannotTest(const std::string& reason);

// The same for tests that need root: for an ordinary user it only prints the reason.
void OnlyRootCanTest(const std::string& reason);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_MUST_WORK_H_
