// What /proc/PID/stat says of a process, read without allocation.
#ifndef BASHWARD_SYS_PROCESS_STAT_H_
#define BASHWARD_SYS_PROCESS_STAT_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

namespace bashward::sys {

struct ProcessStat {
  char state;  // 'Z' for a zombie
  pid_t parent;
  pid_t group;
  pid_t session;
  // Clock ticks from boot to the process's start. With the pid and the boot id it identifies a process for
  // ever.
  uint64_t start_time;
};

// False when there is no such process, or /proc does not show it.
bool ReadProcessStat(pid_t pid, ProcessStat* stat);

// Reads at most size - 1 bytes of a file and ends them with a NUL; the length, 0 on any failure.
size_t ReadSmallFile(const char* path, char* buffer, size_t size);

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_PROCESS_STAT_H_
