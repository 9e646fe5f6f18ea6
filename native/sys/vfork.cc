#include "sys/vfork.h"

#include <sched.h>
#include <signal.h>

#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x00001000
#endif

namespace bashward::sys {

// clone(2) and not clone3(2): CLONE_CLEAR_SIGHAND is not needed, since handlers cannot run while every signal
// is blocked and execve resets them; and container seccomp profiles still refuse clone3.
pid_t Vfork(int (*child)(void*), void* argument, void* stack, int* pidfd, int flags) {
  flags |= CLONE_VM | CLONE_VFORK | SIGCHLD | (pidfd != nullptr ? CLONE_PIDFD : 0);
  // The stack grows down on every architecture that Node runs on, and must be aligned to 16 bytes.
  char* top = static_cast<char*>(stack) + kVforkStackSize;
  return clone(child, top, flags, argument, pidfd, nullptr, nullptr);
}

}  // namespace bashward::sys
