// Listing a directory by system calls, without allocation.
#ifndef BASHWARD_SYS_DIRECTORY_H_
#define BASHWARD_SYS_DIRECTORY_H_

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "sys/raw_call.h"

namespace bashward::sys {

// As getdents64(2) lays it out; the C library's struct dirent is not promised to match.
struct DirectoryEntry {
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  uint8_t type;  // DT_* of <dirent.h>; DT_UNKNOWN where the file system does not tell
  char name[];

  bool IsDotOrDotDot() const {
    return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
  }
};

// Calls visit(entry) for each entry of an open directory, `.` and `..` included, until it returns false. 0,
// or -errno when the directory cannot be read to its end; leaves errno alone.
template <size_t kBufferSize = 4096, typename Visit>
long VisitEntries(int directory, Visit visit) {
  alignas(DirectoryEntry) char buffer[kBufferSize];
  for (;;) {
    const long size = RawCall(SYS_getdents64, directory, buffer, sizeof buffer);
    if (size <= 0) return size;
    for (long position = 0; position < size;) {
      const auto& entry = *reinterpret_cast<const DirectoryEntry*>(buffer + position);
      position += entry.size;
      if (!visit(entry)) return 0;
    }
  }
}

// The same. False with errno.
template <size_t kBufferSize = 4096, typename Visit>
bool ForEachEntry(int directory, Visit visit) {
  const long error = VisitEntries<kBufferSize>(directory, visit);
  if (error != 0) errno = static_cast<int>(-error);
  return error == 0;
}

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_DIRECTORY_H_
