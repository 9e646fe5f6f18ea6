// A thread without a C library: its own stack, and nothing else of its own.
#ifndef BASHWARD_SYS_THREAD_H_
#define BASHWARD_SYS_THREAD_H_

#include <cstddef>

namespace bashward::sys {

inline constexpr size_t kThreadStackSize = 64 * 1024;

// Runs `function(argument)` in a thread of this process on `stack`, which must be aligned to 16 bytes and
// outlive it. The thread has the caller's signal mask and shares its thread-local storage: in the C library's
// sense it is no thread, and must not call what touches that, errno included. False with errno.
bool StartThread(int (*function)(void*), void* argument, void* stack);

// The same with a table of descriptors of its own: a copy, as fork(2) makes it.
bool StartThreadWithOwnDescriptors(int (*function)(void*), void* argument, void* stack);

// Like StartThread(), with a working directory and a mode mask (umask(2)) of its own. Threads of this kind
// may call it: 0 or -errno.
int StartThreadOfItsOwn(int (*function)(void*), void* argument, void* stack);

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_THREAD_H_
