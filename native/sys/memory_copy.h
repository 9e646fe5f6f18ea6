// A copy of a file that lives in memory: it can be executed where the file itself may not be.
#ifndef BASHWARD_SYS_MEMORY_COPY_H_
#define BASHWARD_SYS_MEMORY_COPY_H_

#include "sys/unique_fd.h"

namespace bashward::sys {

// The contents of the file at `path` in a sealed memory file, close-on-exec, that execveat(2) takes. `name`
// is what /proc shows. Invalid with errno on failure; EACCES where the sysctl vm.memfd_noexec is 2.
UniqueFd CopyToMemory(const char* path, const char* name);

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_MEMORY_COPY_H_
