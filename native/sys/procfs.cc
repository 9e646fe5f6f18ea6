#include "sys/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "sys/process_stat.h"

namespace bashward::sys {
namespace {

// /proc/PID/task/TID/children needs CONFIG_PROC_CHILDREN. False with errno when it cannot be opened.
bool AppendThreadChildren(pid_t pid, pid_t thread, PidList* list) {
  util::ProcPath path;
  path << "/proc/" << pid << "/task/" << thread << "/children";
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return false;
  char buffer[4096];
  pid_t number = 0;
  for (;;) {
    const ssize_t count = read(file.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    for (ssize_t i = 0; i < count; ++i) {
      if (util::IsDigit(buffer[i])) {
        number = number * 10 + (buffer[i] - '0');
      } else if (number != 0) {
        if (!list->Add(number)) return true;
        number = 0;
      }
    }
  }
}

bool HasChildrenFiles() {
  util::ProcPath path;
  path << "/proc/self/task/" << getpid() << "/children";
  return access(path.c_str(), F_OK) == 0;
}

}  // namespace

size_t ReadCommandLine(pid_t pid, char* buffer, size_t size) {
  util::ProcPath path;
  path << "/proc/" << pid << "/cmdline";
  size_t length = ReadSmallFile(path.c_str(), buffer, size);
  while (length > 0 && buffer[length - 1] == '\0') --length;
  for (size_t i = 0; i < length; ++i) {
    if (buffer[i] == '\0') buffer[i] = ' ';
  }
  if (length > 0) return length;
  // Without arguments: the name, in brackets as ps(1) shows it.
  util::ProcPath name_path;
  name_path << "/proc/" << pid << "/comm";
  length = ReadSmallFile(name_path.c_str(), buffer + 1, size - 1);
  if (length == 0) return 0;
  buffer[0] = '[';
  buffer[length] = ']';  // in place of the newline
  return length + 1;
}

bool HasOpen(pid_t pid, const PipeName& pipe) {
  util::ProcPath directory;
  directory << "/proc/" << pid << "/fd";
  bool found = false;
  ForEachNumber(directory.c_str(), [&](int fd) {
    PipeName target;
    found = ReadPipeName(pid, fd, &target) && strcmp(target.text, pipe.text) == 0;
    return !found;
  });
  return found;
}

bool ReadPipeName(pid_t pid, int fd, PipeName* name) {
  util::ProcPath path;
  path << "/proc/" << pid << "/fd/" << fd;
  const ssize_t length = readlink(path.c_str(), name->text, sizeof name->text - 1);
  name->text[length > 0 ? length : 0] = '\0';
  return length > 0;
}

bool AppendChildren(pid_t pid, PidList* list) {
  util::ProcPath path;
  path << "/proc/" << pid << "/task";
  bool has_children_files = true;
  bool readable = true;
  const bool visible = ForEachNumber(path.c_str(), [&](int thread) {
    if (AppendThreadChildren(pid, thread, list)) return true;
    // A thread that has just ended has no file either; that is no reason to search all of /proc.
    if (errno != ENOENT && errno != ESRCH) readable = false;
    has_children_files = !readable || HasChildrenFiles();
    return has_children_files;
  });
  if (has_children_files) return visible && readable;
  return ForEachNumber("/proc", [&](int other) {
    ProcessStat stat;
    return !ReadProcessStat(other, &stat) || stat.parent != pid || list->Add(other);
  });
}

}  // namespace bashward::sys
