// What files take up that have been deleted, as long as processes use them: no directory shows them.
#ifndef BASHWARD_SUPERVISOR_DELETED_FILES_H_
#define BASHWARD_SUPERVISOR_DELETED_FILES_H_

#include <stddef.h>
#include <stdint.h>

namespace bashward::supervisor {

struct DeletedFiles {
  uint64_t bytes = 0;  // on the disk
  uint64_t count = 0;
  // There may be more: of a process that cannot be looked into, of descriptors that are being sent from one
  // to another, of mappings whose size is not told to this user. Or it was too much to look at.
  bool incomplete = false;
};

// Searches all processes below this one for files that were in the directory of this name, which no other
// directory has. Ends early once it has found more than `enough` bytes.
DeletedFiles FindDeletedFiles(const char* directory_name, uint64_t enough);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_DELETED_FILES_H_
