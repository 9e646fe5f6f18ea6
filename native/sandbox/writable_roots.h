// The directories that a command may write to, each held by a descriptor: whoever renames what, a root is the
// directory that had its path when the command started.
#ifndef BASHWARD_SANDBOX_WRITABLE_ROOTS_H_
#define BASHWARD_SANDBOX_WRITABLE_ROOTS_H_

#include <stddef.h>
#include <stdint.h>

#include "process/control_protocol.h"
#include "sys/unique_fd.h"

namespace bashward::sandbox {

struct WritableRoot {
  sys::UniqueFd fd;  // O_PATH
  const char* path;  // absolute and without symbolic links
  size_t length;     // of the path
  uint64_t mount_id;
  uint64_t device;  // as stat(2) gives it
  uint64_t inode;
  // Whether device files in it can be opened: its mount is not a `nodev` one. Mounts below it are their own.
  // False where that is not asked.
  bool opens_devices;
  bool may_hang;  // its file system may not answer
};

class WritableRoots {
 public:
  static constexpr size_t kMostAdded = 2;

  WritableRoots() = default;
  WritableRoots(const WritableRoots&) = delete;
  WritableRoots& operator=(const WritableRoots&) = delete;

  // `paths`: that many texts, each ended by a NUL, which must outlive this. `may_hang`: a bit for each whose
  // file system may not answer, and is not asked. False with errno; ELOOP when a component is a symbolic
  // link.
  bool Open(const char* paths, uint32_t count, uint32_t may_hang = 0);
  // One more, which is open: the scratch directory, that of shared memory. `path`: its own, which must
  // outlive this and may lead through symbolic links. False with errno.
  bool Add(int directory, const char* path);

  size_t size() const { return size_; }
  const WritableRoot& operator[](size_t i) const { return roots_[i]; }

 private:
  WritableRoot roots_[protocol::kMaxRoots + kMostAdded];
  size_t size_ = 0;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_WRITABLE_ROOTS_H_
