// A kernel or container that answers a system call differently, to test fallbacks. In a forked process
// only: none of this can be undone.
#ifndef BASHWARD_TEST_SUPPORT_SECCOMP_H_
#define BASHWARD_TEST_SUPPORT_SECCOMP_H_

#include <cstdint>

namespace bashward::test {

// From now on system call `number` fails with `error` in this thread and in what it starts.
void RefuseSystemCall(long number, int error);
// The same for calls whose argument `argument`, counted from 0, has these low 32 bits.
void RefuseSystemCallWith(long number, int argument, uint32_t value, int error);
// From now on it ends the process that makes it.
void KillAtSystemCall(long number);

// From now on `answer` takes the place of system call `number` in this thread and in what it forks. It gets
// the six arguments and returns the result, or a negative errno. It runs in a signal handler, and must not
// use that system call itself.
using Answer = long (*)(const uint64_t* arguments);
void AnswerSystemCall(long number, Answer answer);

// For the answers that openat(2) gets: what it would have done.
long OpenFile(const uint64_t* arguments);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_SECCOMP_H_
