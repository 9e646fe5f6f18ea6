#include "sys/thread.h"

#include <sched.h>

namespace bashward::sys {

// clone(2) and not clone3(2): container seccomp profiles still refuse that.
bool StartThread(int (*function)(void*), void* argument, void* stack) {
  constexpr int kFlags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  char* top = static_cast<char*>(stack) + kThreadStackSize;
  return clone(function, top, kFlags, argument, nullptr, nullptr, nullptr) >= 0;
}

}  // namespace bashward::sys
