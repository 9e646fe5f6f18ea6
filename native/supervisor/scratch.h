// The scratch directory of a command in Restricted mode: the only place that it can write to.
#ifndef BASHWARD_SUPERVISOR_SCRATCH_H_
#define BASHWARD_SUPERVISOR_SCRATCH_H_

#include <stdint.h>

#include "sys/unique_fd.h"

namespace bashward::supervisor {

class Scratch {
 public:
  // `path` is absolute and must outlive this; empty: there is none, and nothing here does anything. `limit`
  // is in bytes.
  Scratch(const char* path, uint64_t limit) : path_(path), limit_(limit) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  bool exists() const { return directory_.valid(); }
  // Refers to it whoever renames what; -1 when there is none.
  int fd() const { return directory_.get(); }
  // Makes it, for this user alone. It must not exist, and no symbolic link may lead to it. False with errno.
  bool Make();
  // Whether what is in it takes more than the limit, and what was in it and is still used by a process below.
  // Looks at each entry, while the command may change them.
  // More entries, or directories nested deeper, than any program of good intent would make count as too much,
  // and so do directories that can be filled but not looked into.
  bool IsFull();
  // With everything in it. Only when no process of the command is left: this one may do more than they could.
  // False when a part of it is held by somebody else, as an open file on NFS is, and may go later.
  bool Remove();

 private:
  bool OpenParent();
  // `linked`: bytes of what is in it, not above the limit.
  bool IsFullWithDeleted(uint64_t linked);

  const char* path_;
  const uint64_t limit_;
  const char* name_ = "";
  sys::UniqueFd parent_;
  sys::UniqueFd directory_;
  // Of its file system, bytes; 0 where that does not tell.
  uint64_t free_at_start_ = 0;
  uint64_t most_free_ = 0;
  int looks_without_processes_ = 0;
  bool was_incomplete_ = false;
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_SCRATCH_H_
