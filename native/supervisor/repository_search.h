// Looking for git repositories in the upper directories of a root, and at the names of its first level.
//
// A directory that contains `.git` is one; and so, for git, is a directory that looks like `.git` inside: a
// bare repository, or the `.git` of another directory.
#ifndef BASHWARD_SUPERVISOR_REPOSITORY_SEARCH_H_
#define BASHWARD_SUPERVISOR_REPOSITORY_SEARCH_H_

#include <stddef.h>
#include <stdint.h>

#include "process/control_protocol.h"
#include "supervisor/path_state.h"
#include "supervisor/relative_path.h"

namespace bashward::supervisor {

// A set of names that may claim to contain one that it does not contain.
class NameFilter {
 public:
  void Clear();
  void AddAll();
  void Add(const char* name, size_t length);
  bool MayContain(const char* name, size_t length) const;

 private:
  static constexpr size_t kWords = 16;
  uint64_t words_[kWords];
};

class RepositorySearch {
 public:
  static constexpr size_t kMaxDirectories = 256;

  // Before the roots are looked at, for the first time or again. A directory that is as it was is not listed
  // again. `again`: to be told from the same state as last time, and not from what was found then.
  void Begin(bool again = false);
  // Lists the first level of a root and, with `nested`, searches two levels for repositories. In the second
  // one a git directory is found by its name, which ends in `.git`: nothing is listed there.
  void Look(size_t root, int fd, bool nested, const PathReader& reader);

  const NameFilter& first_level(size_t root) const { return generations_[current_].first_levels[root]; }
  // The next directory in that root that contains `.git`. `*position` is 0 at first.
  bool Next(size_t root, size_t* position, RelativePath* path) const;
  // The same for git directories, the root itself included. `*is_new`: it was none last time.
  bool NextGitDirectory(size_t root, size_t* position, RelativePath* path, bool* is_new) const;
  // Directories beyond the bounds.
  uint32_t left_out() const { return left_out_; }

 private:
  struct Directory {
    PathState state;
    uint32_t name;  // in the names of its generation
    uint16_t parent;
    uint16_t first_child;
    uint16_t child_count;
    uint8_t root;
    uint8_t depth;  // 0: the root itself
    bool is_listed;
    bool is_repository;
    uint8_t git_names;  // a set of what makes a git directory
    bool was_git_directory;
  };
  struct Generation {
    size_t count = 0;
    size_t names_size = 0;
    Directory directories[protocol::kMaxRoots + kMaxDirectories];
    char names[16 * 1024];
    NameFilter first_levels[protocol::kMaxRoots];
  };

  void Enter(Directory* directory, int fd, const Directory* before, const PathReader& reader);
  void Repeat(Directory* directory, const Directory& before);
  // Apart from Enter(), which recurses: it has a large buffer.
  __attribute__((noinline)) void List(Directory* directory, int fd);
  bool AddChild(Directory* parent, const char* name);
  const Directory* FindBefore(const Directory* parent_before, const char* name) const;
  bool PushPath(const Directory& directory, RelativePath* path) const;
  const char* NameOf(const Directory& directory) const {
    return generations_[current_].names + directory.name;
  }

  Generation generations_[2];
  size_t current_ = 0;
  bool nested_ = false;
  size_t directories_left_ = 0;
  size_t entries_left_ = 0;
  uint32_t left_out_ = 0;
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_REPOSITORY_SEARCH_H_
