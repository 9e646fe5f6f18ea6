#include "supervisor/watched_paths.h"

#include <errno.h>
#include <sys/stat.h>

#include "supervisor/worktree_tie.h"

namespace bashward::supervisor {

using sys::UniqueFd;

void WatchedPaths::Record(const sandbox::WritableRoots& roots, const char* watched, uint32_t count,
                          WatchScope scope) {
  roots_ = &roots;
  root_count_ = roots.size();
  watched_ = watched;
  count_ = count;
  scope_ = scope;
  if (count == 0) return;
  watches_git_ = HasPatternInGit();
  table_.Clear();
  Walk();
  unwatched_ += search_.left_out();
  recorded_all_ = unwatched_ == 0;
}

void WatchedPaths::FindChanges() {
  if (count_ == 0) return;
  if (compared_) {
    // What was new to the last look is to be found anew.
    table_.Truncate(recorded_count_);
    for (size_t i = 0; i < table_.count(); ++i) table_[i].change = Change::kUnseen;
    for (bool& too_much : too_much_) too_much = false;
  }
  recorded_count_ = table_.count();
  comparing_ = true;
  Walk();
  compared_ = true;
  // What was not met is gone, or was beyond the bounds this time.
  for (size_t i = 0; i < table_.count(); ++i) {
    WatchedPath& path = table_[i];
    if (path.change != Change::kUnseen) continue;
    RelativePath text;
    text.Push(table_.TextOf(path), path.length);
    const UniqueFd fd = OpenPath(path.root, text);
    if (fd.valid()) {
      NoteState(path.root, text, fd.get(), reader_.Look(fd.get()));
    } else {
      path.change = Change::kRemoved;
    }
  }
}

// Null when there is no room for it.
WatchedPath* WatchedPaths::NoteState(size_t root, const RelativePath& path, int fd, PathState state) {
  WatchedPath* noted = table_.Find(root, path.c_str(), path.length());
  if (noted == nullptr) {
    if (!comparing_) reader_.ReadContent(fd, &state);
    noted = table_.Add(root, path, state);
    if (noted == nullptr) {
      LeaveOut(root);
    } else if (comparing_) {
      const bool is_tie = IsWorktreeTie(fd, state, path, *roots_, root_count_, scope_.mounts, &table_);
      noted->change = is_tie ? Change::kNone : Change::kCreated;
    }
    return noted;
  }
  if (!comparing_ || noted->change != Change::kUnseen) return noted;
  noted->change = Change::kNone;
  const PathState& before = noted->before;
  const bool is_file = S_ISREG(state.mode);
  if (IsUntouched(before, state) && (!is_file || reader_.TimesTellOfWrites(fd, state.device))) return noted;
  // Only what has been read before, and can be the same: nobody uses up the bytes for others.
  if (before.hashed && before.size == state.size) reader_.ReadContent(fd, &state);
  if ((before.mode & S_IFMT) != (state.mode & S_IFMT)) {
    noted->change = Change::kReplaced;
  } else if (!IsSame(before, state)) {
    noted->change = Change::kContent;
  }
  return noted;
}

// The path; or, where a component is a symbolic link, that link: what it leads to is not watched.
UniqueFd WatchedPaths::OpenPath(size_t root, const RelativePath& path) {
  const int directory = (*roots_)[root].fd.get();
  int error = 0;
  UniqueFd fd = PathReader::Open(directory, path.c_str(), scope_.mounts, &error);
  if (error == EXDEV) CountCrossing(root);
  if (error != ELOOP) return fd;
  for (size_t length = 1; length < path.length(); ++length) {
    if (path.c_str()[length] != '/') continue;
    RelativePath beginning;
    beginning.Push(path.c_str(), length);
    fd = PathReader::Open(directory, beginning.c_str(), scope_.mounts);
    if (!fd.valid() || S_ISLNK(reader_.Look(fd.get()).mode)) break;
    fd.reset();
  }
  return fd;
}

void WatchedPaths::CountCrossing(size_t root) {
  ++crossings_;
  crossed_roots_ |= uint32_t{1} << root;
}

bool WatchedPaths::TakeOpen(size_t root) {
  if (opens_left_ == 0) {
    LeaveOut(root);
    return false;
  }
  --opens_left_;
  return true;
}

void WatchedPaths::LeaveOut(size_t root) {
  if (!comparing_) {
    ++unwatched_;
  } else if (recorded_all_) {
    too_much_[root] = true;
  }
}

bool WatchedPaths::Knows(const WatchedPaths& other, const WatchedPath& path) {
  return table_.Find(path.root, other.table_.TextOf(path), path.length) != nullptr;
}

size_t WatchedPaths::AbsolutePathOfChange(size_t i, char* buffer) {
  const WatchedPath& path = table_[i];
  if (path.change == Change::kUnseen || path.change == Change::kNone) return 0;
  const char* const text = table_.TextOf(path);
  for (size_t length = path.length; length-- > 0 && path.change != Change::kContent;) {
    if (text[length] != '/') continue;
    const WatchedPath* const parent = table_.Find(path.root, text, length);
    if (parent != nullptr && SaysEnough(parent->change)) return 0;
  }
  const sandbox::WritableRoot& root = (*roots_)[path.root];
  memcpy(buffer, root.path, root.length);
  buffer[root.length] = '/';
  memcpy(buffer + root.length + 1, text, path.length + size_t{1});
  return root.length + 1 + path.length;
}

bool WatchedPaths::WasVisited(const WatchedPath& path) {
  const sandbox::WritableRoot& root = (*roots_)[path.root];
  for (size_t i = 0; i < changes_; ++i) {
    const WatchedPath& other = table_[changed_[i]];
    const sandbox::WritableRoot& other_root = (*roots_)[other.root];
    if (other.root == path.root || other_root.length + other.length != root.length + path.length) continue;
    const auto at = [this](const WatchedPath& of, const sandbox::WritableRoot& in, size_t position) {
      if (position < in.length) return in.path[position];
      return position == in.length ? '/' : table_.TextOf(of)[position - in.length - 1];
    };
    size_t same = 0;
    const size_t length = root.length + 1 + path.length;
    while (same < length && at(path, root, same) == at(other, other_root, same)) ++same;
    if (same == length) return true;
  }
  return false;
}

bool WatchedPaths::WasTooMuchBefore(size_t root) const {
  for (size_t i = 0; i < root; ++i) {
    if (too_much_[i] && strcmp((*roots_)[i].path, (*roots_)[root].path) == 0) return true;
  }
  return false;
}

}  // namespace bashward::supervisor
