// A kernel or container that lacks a system call, for the fallbacks.
#ifndef BASHWARD_TEST_SUPPORT_SECCOMP_H_
#define BASHWARD_TEST_SUPPORT_SECCOMP_H_

namespace bashward::test {

// From now on system call `number` fails with `error` in this thread and in what it starts. In a forked
// process only: it cannot be undone.
void RefuseSystemCall(long number, int error);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_SECCOMP_H_
