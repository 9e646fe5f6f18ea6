#include "sys/process_stat.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

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
  // Fields 4 to 22, as proc_pid_stat(5) numbers them.
  uint64_t fields[23] = {};
  for (int field = 4; field <= 22; ++field) {
    if (!TakeField(&position, &fields[field])) return false;
  }
  stat->parent = static_cast<pid_t>(fields[4]);
  stat->group = static_cast<pid_t>(fields[5]);
  stat->session = static_cast<pid_t>(fields[6]);
  stat->start_time = fields[22];
  return true;
}

}  // namespace bashward::sys
