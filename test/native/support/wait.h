// Waiting for something to become true, with a deadline and without a guess at how long it takes.
#ifndef BASHWARD_TEST_SUPPORT_WAIT_H_
#define BASHWARD_TEST_SUPPORT_WAIT_H_

#include <chrono>
#include <thread>

namespace bashward::test {

// Far more than anything takes on a loaded machine, and less than the tests' own time limit.
inline constexpr std::chrono::seconds kPatience{30};

// Whether `condition()` became true in time.
template <typename Condition>
bool WaitUntil(Condition condition, std::chrono::seconds patience = kPatience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_WAIT_H_
