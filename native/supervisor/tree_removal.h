// Emptying a directory that a command could fill as it liked.
#ifndef BASHWARD_SUPERVISOR_TREE_REMOVAL_H_
#define BASHWARD_SUPERVISOR_TREE_REMOVAL_H_

#include <stdint.h>

namespace bashward::supervisor {

// Removes everything in the directory, by descriptors alone: no link is followed, nothing that is mounted in
// it is entered or changed, and nothing outside is touched, whoever renames what meanwhile. Stops when
// nothing more goes away, or after `limit_ms` milliseconds: some file systems keep an open file under another
// name for as long as it is open (NFS: .nfsXXXX), and FUSE gives it a new one each time it is removed.
void EmptyDirectory(int directory, uint64_t limit_ms);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_TREE_REMOVAL_H_
