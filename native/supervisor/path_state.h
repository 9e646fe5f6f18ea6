// What is behind a path, told so that a later look can tell whether it is still the same.
#ifndef BASHWARD_SUPERVISOR_PATH_STATE_H_
#define BASHWARD_SUPERVISOR_PATH_STATE_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "supervisor/keyed_hash.h"
#include "sys/unique_fd.h"

namespace bashward::supervisor {

// Without initial values: making a table of them takes no page of memory.
struct PathState {
  mode_t mode;  // type and permissions; 0: nothing is there
  // It was last changed long enough ago that another change has another time.
  bool settled;
  bool hashed;
  uint64_t device;
  uint64_t inode;
  uint64_t size;  // of a device file, its number
  int64_t modified_ns;
  int64_t changed_ns;
  uint64_t hash;  // of a regular file's content, or of where a link leads
};

// By what the kernel says of it alone: no process can set the time of the last change.
bool IsUntouched(const PathState& before, const PathState& now);

// Whether type, permissions and content are the same. What a program has rewritten as it was is the same.
bool IsSame(const PathState& before, const PathState& now);

enum class Mounts { kAny, kSameOnly };

// Looks at what a command could put there: it opens nothing but directories and regular files, follows no
// link, and waits for nobody but the file system. Leaves errno alone, for a thread that shares it.
class PathReader {
 public:
  // Takes a key, if it has none, and the time.
  void Begin();

  // Beneath `directory`, for its path only; also a symbolic link itself. Invalid with an error number: EXDEV
  // when another mount is not to be entered.
  static sys::UniqueFd Open(int directory, const char* path, Mounts mounts, int* error = nullptr);
  // A directory to be listed; likewise.
  static sys::UniqueFd OpenDirectory(int directory, const char* path, Mounts mounts, int* error = nullptr);

  // The content of a regular file, ended by a NUL. False when it does not fit, or has a NUL of its own.
  static bool ReadText(int fd, char* buffer, size_t size);

  PathState Look(int fd) const;
  // Whether each write to a file there changes its times. tmpfs does not tell of those through a mapping that
  // a process has read from before, nor does what lies upon it (overlayfs).
  bool TimesTellOfWrites(int fd, uint64_t device);
  // The hash of a regular file that is not too large.
  void ReadContent(int fd, PathState* state);

 private:
  HashKey key_{};
  bool has_key_ = false;
  int64_t now_ns_ = 0;
  uint64_t bytes_left_ = 0;
  uint64_t last_device_ = 0;  // that was asked about; 0: none
  bool last_tells_ = false;
  char buffer_[16 * 1024];
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_PATH_STATE_H_
