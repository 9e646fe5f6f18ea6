// Running a part of a test in a process of its own: what it does to its descriptors, limits and signals ends
// with it.
#ifndef BASHWARD_TEST_SUPPORT_FORKED_H_
#define BASHWARD_TEST_SUPPORT_FORKED_H_

#include <sys/types.h>

#include <functional>

namespace bashward::test {

// Forks a process that runs `body` and ends. Exits with 0 when no expectation failed in it and, under
// AddressSanitizer, no memory has leaked. The caller must be the only thread of its process.
pid_t Fork(const std::function<void()>& body);

// Waits for a process of Fork(): its failures become failures here, and so does one that does not end in
// time, which is then killed.
void Join(pid_t pid);

// Both: runs `body` in a forked process to its end.
void InForkedProcess(const std::function<void()>& body);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_FORKED_H_
