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
  // The address of its arguments, the same in those that it has forked; 0 where it may not be looked into.
  uint64_t arguments;
};

// False when there is no such process, or /proc does not show it. Where /proc is that of another PID
// namespace the number means another process: see ShowsOwnProcesses() and ReadStatOf().
bool ReadProcessStat(pid_t pid, ProcessStat* stat);

// The same of the process that a pidfd refers to, whatever its number in the PID namespace of /proc. `pid` is
// its number in ours. False with errno: ESRCH when it is gone, EXDEV when /proc does not show it.
bool ReadStatOf(int pidfd, pid_t pid, ProcessStat* stat);

// Whether /proc is there and shows this PID namespace: in another one's, numbers mean other processes.
bool ShowsOwnProcesses();

// Reads at most size - 1 bytes of a file and ends them with a NUL; the length, 0 on any failure.
size_t ReadSmallFile(const char* path, char* buffer, size_t size);

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_PROCESS_STAT_H_
