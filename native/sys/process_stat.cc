#include "sys/process_stat.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "sys/signals.h"
#include "sys/unique_fd.h"
#include "util/text.h"

namespace bashward::sys {
namespace {

// Moves behind the next field, which may be negative, and gives its magnitude.
bool TakeField(const char** position, uint64_t* value) {
  if (**position != ' ') return false;
  ++*position;
  if (**position == '-') ++*position;
  if (!util::IsDigit(**position)) return false;
  *value = util::TakeNumber(position);
  return true;
}

// The lines `Pid` and `NSpid` of a pidfd (proc_pid_fdinfo(5)): its process as /proc numbers it, and in how
// many PID namespaces it has a number, from that of /proc inwards.
struct PidNumbers {
  pid_t in_proc;  // 0: not shown there, -1: it has been waited for
  int namespaces;
};

// False where the kernel does not tell.
bool ReadPidNumbers(int pidfd, PidNumbers* numbers) {
  util::ProcPath path;
  path << "/proc/self/fdinfo/" << pidfd;
  char text[512];
  if (pidfd < 0 || ReadSmallFile(path.c_str(), text, sizeof text) == 0) return false;
  const char* const in_proc = strstr(text, "\nPid:\t");
  const char* const nested = strstr(text, "\nNSpid:\t");
  if (in_proc == nullptr || nested == nullptr) return false;
  const char* position = in_proc + strlen("\nPid:\t");
  numbers->in_proc = *position == '-' ? -1 : static_cast<pid_t>(util::TakeNumber(&position));
  numbers->namespaces = 1;
  for (position = nested + strlen("\nNSpid:\t"); *position != '\n' && *position != '\0'; ++position) {
    if (*position == '\t') ++numbers->namespaces;
  }
  return true;
}

// In every /proc that shows this process, the link names it by the number that it has there.
bool HasOwnNumber() {
  char target[16];
  const ssize_t length = readlink("/proc/self", target, sizeof target - 1);
  if (length <= 0) return false;
  target[length] = '\0';
  const char* position = target;
  return util::TakeNumber(&position) == static_cast<uint64_t>(getpid());
}

}  // namespace

size_t ReadSmallFile(const char* path, char* buffer, size_t size) {
  buffer[0] = '\0';
  const UniqueFd file(open(path, O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return 0;
  size_t length = 0;
  while (length < size - 1) {
    const ssize_t count = read(file.get(), buffer + length, size - 1 - length);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    length += static_cast<size_t>(count);
  }
  buffer[length] = '\0';
  return length;
}

bool ReadProcessStat(pid_t pid, ProcessStat* stat) {
  util::ProcPath path;
  path << "/proc/" << pid << "/stat";
  char buffer[1024];
  size_t end = ReadSmallFile(path.c_str(), buffer, sizeof buffer);
  const size_t length = end;
  // "PID (NAME) STATE PPID PGRP SESSION …". The name may hold spaces and parentheses; the last parenthesis
  // ends it.
  while (end > 0 && buffer[end - 1] != ')') --end;
  if (end == 0 || end + 2 >= length) return false;
  const char* position = buffer + end + 1;
  stat->state = *position++;
  // As proc_pid_stat(5) numbers them.
  uint64_t fields[49] = {};
  for (int field = 4; field <= 48; ++field) {
    if (!TakeField(&position, &fields[field]) && field <= 22) return false;
  }
  stat->parent = static_cast<pid_t>(fields[4]);
  stat->group = static_cast<pid_t>(fields[5]);
  stat->session = static_cast<pid_t>(fields[6]);
  stat->start_time = fields[22];
  stat->arguments = fields[48];
  return true;
}

bool ReadStatOf(int pidfd, pid_t pid, ProcessStat* stat) {
  PidNumbers numbers{};
  if (!ReadPidNumbers(pidfd, &numbers)) {
    numbers.in_proc = ShowsOwnProcesses() ? pid : 0;
  }
  if (numbers.in_proc <= 0) {
    errno = numbers.in_proc < 0 ? ESRCH : EXDEV;
    return false;
  }
  return ReadProcessStat(numbers.in_proc, stat);
}

bool ShowsOwnProcesses() {
  if (!HasOwnNumber()) return false;
  // Two namespaces can have the same number for a process. Without a descriptor (none is left) that is all
  // there is to go by.
  const UniqueFd pidfd(OpenPidfd(getpid()));
  PidNumbers numbers{};
  return !ReadPidNumbers(pidfd.get(), &numbers) || numbers.namespaces == 1;
}

}  // namespace bashward::sys
