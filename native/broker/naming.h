// From what the caller names to a descriptor of it. In two steps: everything that belongs to the caller is
// taken first, and used only once it is known that the caller was still there.
#ifndef BASHWARD_BROKER_NAMING_H_
#define BASHWARD_BROKER_NAMING_H_

#include <sys/types.h>

#include "broker/call.h"
#include "broker/caller_memory.h"
#include "broker/kernel.h"

namespace bashward::broker {

struct Taken {
  kernel::Descriptor base;  // none for an absolute path
  const char* path;         // from the base on, until the next one is taken; null: the base is what is named
  const char* text;         // the path as the caller gave it
  bool follow;
};

// Copies the path and opens what it starts from: 0 or -errno. `thread` is the calling thread, which `memory`
// reads.
int TakeNamed(const Named& named, pid_t thread, CallerMemory& memory, Taken* taken);

// An O_PATH descriptor of what is named, wherever that is. Symbolic links lead where the caller's kernel
// would go; the links of /proc to files would be the broker's own, and are EPERM.
kernel::Descriptor Resolve(Taken* taken);

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_NAMING_H_
