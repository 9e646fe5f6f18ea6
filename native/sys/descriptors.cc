#include "sys/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/directory.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

namespace bashward::sys {
namespace {

int ParseNumber(const char* text) {
  int value = 0;
  for (; *text != '\0'; ++text) {
    if (*text < '0' || *text > '9') return -1;
    value = value * 10 + (*text - '0');
  }
  return value;
}

// For containers whose seccomp profile refuses close_range. Marks instead of closing, so that the directory
// being read does not change under the loop.
bool MarkCloseOnExec(int first, int last) {
  const int directory = open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return false;
  bool marked = true;
  const bool listed = ForEachEntry<1024>(directory, [&](const DirectoryEntry& entry) {
    const int fd = ParseNumber(entry.name);
    if (fd >= first && fd <= last) marked = fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
    return marked;
  });
  const int error = errno;
  close(directory);
  errno = error;
  return listed && marked;
}

}  // namespace

int PlaceDescriptors(int* sources, int count) {
  for (int target = 0; target < count; ++target) {
    if (sources[target] >= count || sources[target] == target) continue;
    sources[target] = fcntl(sources[target], F_DUPFD_CLOEXEC, count);
    if (sources[target] < 0) return -1;
  }
  for (int target = 0; target < count; ++target) {
    const int result = sources[target] == target ? fcntl(target, F_SETFD, 0) : dup2(sources[target], target);
    if (result < 0) return -1;
  }
  return 0;
}

// close_range(2) with an empty range, as container seccomp profiles refuse unshare(2).
bool LeaveDescriptorTable() {
  constexpr unsigned kUnshare = 1U << 1;  // CLOSE_RANGE_UNSHARE
  return syscall(SYS_close_range, ~0U, ~0U, kUnshare) == 0 || syscall(SYS_unshare, CLONE_FILES) == 0;
}

bool CloseRange(int first, int last) {
  return syscall(SYS_close_range, first, last, 0) == 0 || MarkCloseOnExec(first, last);
}

}  // namespace bashward::sys
