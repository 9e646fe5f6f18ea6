#include "sys/thread.h"

#include <errno.h>
#include <sched.h>

namespace bashward::sys {
namespace {

// clone(2) and not clone3(2): container seccomp profiles still refuse that.
bool Start(int (*function)(void*), void* argument, void* stack, int more) {
  constexpr int kFlags = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  char* top = static_cast<char*>(stack) + kThreadStackSize;
  return clone(function, top, kFlags | more, argument, nullptr, nullptr, nullptr) >= 0;
}

}  // namespace

bool StartThread(int (*function)(void*), void* argument, void* stack) {
  return Start(function, argument, stack, CLONE_FS | CLONE_FILES);
}

bool StartThreadWithOwnDescriptors(int (*function)(void*), void* argument, void* stack) {
  return Start(function, argument, stack, CLONE_FS);
}

int StartThreadOfItsOwn(int (*function)(void*), void* argument, void* stack) {
  const int error_before = errno;
  // Written only where it has been overwritten: the main thread may have set it meanwhile.
  if (Start(function, argument, stack, CLONE_FILES)) return 0;
  const int error = -errno;
  errno = error_before;
  return error;
}

}  // namespace bashward::sys
