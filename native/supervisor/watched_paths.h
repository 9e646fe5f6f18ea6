// Paths in the writable roots of which a change is reported, because the user's own programs execute what is
// in them: hooks and settings of git, start-up files of shells, settings of editors.
//
// This finds changes; it prevents none. What was changed and changed back is not found.
#ifndef BASHWARD_SUPERVISOR_WATCHED_PATHS_H_
#define BASHWARD_SUPERVISOR_WATCHED_PATHS_H_

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "process/control_protocol.h"
#include "sandbox/writable_roots.h"
#include "supervisor/path_state.h"
#include "supervisor/relative_path.h"
#include "supervisor/repository_search.h"
#include "supervisor/watch_table.h"

namespace bashward::supervisor {

// Which paths are looked at, where others may be on file systems that do not answer.
struct WatchScope {
  Mounts mounts = Mounts::kAny;
  uint32_t left_out = 0;  // a bit for each root that is not looked at
};

// Large: a `static` one inside a function, which needs no initialization before main(). What is not used of
// it takes no memory.
class WatchedPaths {
 public:
  WatchedPaths() = default;
  WatchedPaths(const WatchedPaths&) = delete;
  WatchedPaths& operator=(const WatchedPaths&) = delete;

  // Before the command starts. `watched`: that many texts, each ended by a NUL and relative to each root; `*`
  // as a component stands for every entry of a directory. Of a directory its entries are watched, without
  // theirs. With a path in `.git` repositories in the upper directories of a root are watched like the root's
  // own, and all of those paths where a root or a directory in it is itself what `.git` would be. `roots` and
  // `watched` must outlive this; what is added to `roots` later is not watched.
  void Record(const sandbox::WritableRoots& roots, const char* watched, uint32_t count,
              WatchScope scope = {});

  // After its last process has ended. A file that was written anew with the same content is no change. It can
  // be called again: for survivors that became a job, at its end.
  void FindChanges();
  // Then: calls visit(path, length) with the absolute path of each change, at most protocol::kMaxChanges
  // times, and once where roots overlap. Leaves out what `nearer` knows. Asks no file system.
  template <typename Visit>
  void ForEachChange(Visit visit, WatchedPaths* nearer = nullptr) {
    uint32_t visited = 0;
    for (size_t i = 0; i < root_count_; ++i) {
      if (!too_much_[i] || WasTooMuchBefore(i) || (nearer != nullptr && nearer->too_much_[i])) continue;
      visit((*roots_)[i].path, (*roots_)[i].length);
      ++visited;
    }
    char path[PATH_MAX + RelativePath::kCapacity];
    changes_ = 0;
    unvisited_ = 0;
    for (size_t i = 0; i < table_.count(); ++i) {
      const size_t length = AbsolutePathOfChange(i, path);
      if (length == 0 || WasVisited(table_[i]) || (nearer != nullptr && nearer->Knows(*this, table_[i]))) {
        continue;
      }
      if (visited == protocol::kMaxChanges) {
        ++unvisited_;
        continue;
      }
      changed_[changes_++] = static_cast<uint16_t>(i);
      visit(static_cast<const char*>(path), length);
      ++visited;
    }
  }
  template <typename Visit>
  void Compare(Visit visit) {
    FindChanges();
    ForEachChange(visit);
  }

  // Paths and directories that were too many to be watched, or to be visited.
  uint32_t unwatched() const { return unwatched_ + unvisited_; }
  // A bit for each root in which a path was on another mount, and how many such paths there were at most.
  uint32_t crossed_roots() const { return crossed_roots_; }
  uint32_t crossings() const { return most_crossings_; }

 private:
  // Whether the entries of a directory are looked at, too.
  enum class Entries { kYes, kNo };

  // In watched_walk.cc.
  bool HasPatternInGit() const;
  void Walk();
  void WalkRoot(size_t root);
  void Expand(size_t root, RelativePath* path, const char* rest);
  void ExpandEntries(size_t root, RelativePath* path, const char* rest);
  void Note(size_t root, RelativePath* path, Entries entries);
  void NoteEntries(size_t root, RelativePath* path, int directory, WatchedPath* noted);
  void NoteCrowd(WatchedPath* noted, int directory);
  void NoteRepository(size_t root, RelativePath* path);
  void NoteGitDirectory(size_t root, RelativePath* path, bool is_new);

  WatchedPath* NoteState(size_t root, const RelativePath& path, int fd, PathState state);
  sys::UniqueFd OpenPath(size_t root, const RelativePath& path);
  bool Knows(const WatchedPaths& other, const WatchedPath& path);
  // The number of bytes; 0 when that path has not changed, or its directory tells enough.
  size_t AbsolutePathOfChange(size_t i, char* buffer);
  // By another root, which has it, too.
  bool WasVisited(const WatchedPath& path);
  bool WasTooMuchBefore(size_t root) const;
  void CountCrossing(size_t root);
  bool TakeOpen(size_t root);
  void LeaveOut(size_t root);

  const sandbox::WritableRoots* roots_ = nullptr;
  size_t root_count_ = 0;
  const char* watched_ = nullptr;
  uint32_t count_ = 0;
  WatchScope scope_;
  bool watches_git_ = false;
  bool comparing_ = false;
  bool compared_ = false;
  size_t recorded_count_ = 0;
  bool recorded_all_ = false;
  uint32_t opens_left_ = 0;
  uint32_t unwatched_ = 0;
  uint32_t unvisited_ = 0;
  uint32_t crossed_roots_ = 0;
  uint32_t crossings_ = 0;  // in this look
  uint32_t most_crossings_ = 0;
  bool too_much_[protocol::kMaxRoots] = {};  // a command has made more than is looked at
  uint16_t changed_[protocol::kMaxChanges];  // in the table: what has been visited
  size_t changes_ = 0;
  PathReader reader_;
  RepositorySearch search_;
  WatchTable table_;
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WATCHED_PATHS_H_
