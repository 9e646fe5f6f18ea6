// System calls that leave errno alone: for what runs in a thread that shares the main thread's, see thread.h.
#ifndef BASHWARD_SYS_RAW_CALL_H_
#define BASHWARD_SYS_RAW_CALL_H_

#include "freestanding/syscall.h"

namespace bashward::sys {

template <typename T>
long ToArgument(T value) {
  return static_cast<long>(value);
}
template <typename T>
long ToArgument(T* pointer) {
  return reinterpret_cast<long>(pointer);
}
inline long ToArgument(decltype(nullptr)) {
  return 0;
}

// The result or -errno.
template <typename... Arguments>
long RawCall(long number, Arguments... arguments) {
  return freestanding::Syscall(number, ToArgument(arguments)...);
}

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_RAW_CALL_H_
