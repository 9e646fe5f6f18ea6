// A child that shares the caller's memory until it executes: its cost does not grow with the caller.
#ifndef BASHWARD_SYS_VFORK_H_
#define BASHWARD_SYS_VFORK_H_

#include <sys/types.h>

#include <cstddef>

namespace bashward::sys {

// Kernel stacks of a few system calls deep; a page would do, signal frames never come (all are blocked).
inline constexpr size_t kVforkStackSize = 32 * 1024;

// Runs `child(argument)` in a new process on `stack` and returns its pid, or -1 with errno, once the child
// has executed another program or ended. Until then the calling thread is suspended and its memory is the
// child's: the child may make system calls and write plain results, nothing else. Every signal must be
// blocked, or a handler of the caller could run in the child and write the caller's memory. `pidfd` (may be
// null) receives a descriptor that refers to the child. `flags` of clone(2) are added: CLONE_FILES lets the
// child put descriptors into the caller's table.
pid_t Vfork(int (*child)(void*), void* argument, void* stack, int* pidfd, int flags = 0);

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_VFORK_H_
