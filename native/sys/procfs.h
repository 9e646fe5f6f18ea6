// What /proc says of a process, read without allocation. A process may end at any moment: every answer can be
// "not there", and is then simply left out.
#ifndef BASHWARD_SYS_PROCFS_H_
#define BASHWARD_SYS_PROCFS_H_

#include <fcntl.h>
#include <stddef.h>
#include <sys/types.h>

#include "sys/directory.h"
#include "sys/unique_fd.h"
#include "util/text.h"

namespace bashward::sys {

// Calls visit(number) for each entry of a directory of /proc whose name is a number, until it returns false.
// False when the directory cannot be read.
template <typename Visit>
bool ForEachNumber(const char* path, Visit visit) {
  const UniqueFd directory(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid()) return false;
  return ForEachEntry(directory.get(), [&](const DirectoryEntry& entry) {
    const char* name = entry.name;
    return !util::IsDigit(*name) || visit(static_cast<int>(util::TakeNumber(&name)));
  });
}

// The command line with spaces between the arguments, or the name in brackets as ps shows it. The length
// written.
size_t ReadCommandLine(pid_t pid, char* buffer, size_t size);

// A pipe as the links in /proc/PID/fd name it: "pipe:[INODE]".
struct PipeName {
  char text[48];
};
bool ReadPipeName(pid_t pid, int fd, PipeName* name);

// Whether the process has that pipe open. False as well where its descriptors cannot be seen.
bool HasOpen(pid_t pid, const PipeName& pipe);

// A set of pids with a fixed capacity.
class PidList {
 public:
  static constexpr size_t kCapacity = 4096;
  void Clear() { size_ = 0; }
  // False when full.
  bool Add(pid_t pid) {
    if (size_ == kCapacity) return false;
    pids_[size_++] = pid;
    return true;
  }
  size_t size() const { return size_; }
  pid_t operator[](size_t i) const { return pids_[i]; }

 private:
  size_t size_ = 0;
  pid_t pids_[kCapacity];
};

// Appends the children of `pid`, of all its threads. False when /proc does not show them.
bool AppendChildren(pid_t pid, PidList* list);

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_PROCFS_H_
