// Where the supervisor keeps secrets that a person types: in no core file, not in swap, and not in a child.
#ifndef BASHWARD_SUPERVISOR_TERMINAL_SECRET_MEMORY_H_
#define BASHWARD_SUPERVISOR_TERMINAL_SECRET_MEMORY_H_

#include <stddef.h>
#include <stdint.h>

#include "process/terminal_protocol.h"

namespace bashward::supervisor {

struct SecretMemory {
  // What one read of the output gives at most.
  static constexpr size_t kMaxRead = 64 * 1024;

  // On its way to the program, with its Enter.
  char line[protocol::kMaxSecret + 1];
  // Those that are taken out of the output, each behind its size.
  char known[32 * 1024];
  // Output that may be the beginning of one of them, and what has come behind it.
  char window[protocol::kMaxSecret + kMaxRead];
};

// The same memory with each call; it is made with the first one. From then on this process leaves no core
// file and nobody who is not root may look into it. Null with errno.
SecretMemory* GetSecretMemory();

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_TERMINAL_SECRET_MEMORY_H_
