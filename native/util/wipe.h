// Forgetting what was secret.
#ifndef BASHWARD_UTIL_WIPE_H_
#define BASHWARD_UTIL_WIPE_H_

#include <stddef.h>
#include <string.h>

namespace bashward::util {

// Writes zeros, also where nobody reads them any more and a compiler would leave that out.
inline void Wipe(void* memory, size_t size) {
  memset(memory, 0, size);
  asm volatile("" : : "r"(memory) : "memory");
}

}  // namespace bashward::util

#endif  // BASHWARD_UTIL_WIPE_H_
