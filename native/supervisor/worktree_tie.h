// The two files by which `git worktree add` ties a new worktree to its repository.
#ifndef BASHWARD_SUPERVISOR_WORKTREE_TIE_H_
#define BASHWARD_SUPERVISOR_WORKTREE_TIE_H_

#include <stddef.h>

#include "sandbox/writable_roots.h"
#include "supervisor/path_state.h"
#include "supervisor/relative_path.h"
#include "supervisor/watch_table.h"

namespace bashward::supervisor {

// Whether a new path is one of them, and leads to a repository that was watched before: then git takes hooks
// and settings from there, and nothing that counts is new. In doubt false, and the path is reported.
bool IsWorktreeTie(int fd, const PathState& state, const RelativePath& path,
                   const sandbox::WritableRoots& roots, size_t root_count, Mounts mounts, WatchTable* table);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WORKTREE_TIE_H_
