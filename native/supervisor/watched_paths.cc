#include "supervisor/watched_paths.h"

#include <errno.h>
#include <sys/stat.h>

#include "supervisor/worktree_tie.h"
#include "sys/directory.h"

namespace bashward::supervisor {
namespace {

using sys::UniqueFd;

constexpr size_t kMaxEntries = 128;   // of one directory
constexpr uint32_t kMaxOpens = 8192;  // of paths, in one look at everything
constexpr char kGitDirectory[] = ".git";
constexpr char kEveryEntry = '*';

size_t ComponentLength(const char* path) {
  size_t length = 0;
  while (path[length] != '\0' && path[length] != '/') ++length;
  return length;
}

// The first component that stands for every entry of a directory; null when there is none.
const char* FindEveryEntry(const char* path) {
  for (;;) {
    const size_t length = ComponentLength(path);
    if (length == 1 && *path == kEveryEntry) return path;
    if (path[length] == '\0') return nullptr;
    path += length + 1;
  }
}

bool BeginsWith(const char* text, const char* beginning) {
  while (*beginning != '\0' && *text == *beginning) ++text, ++beginning;
  return *beginning == '\0';
}

bool IsInGit(const char* watched) {
  return BeginsWith(watched, kGitDirectory) && watched[strlen(kGitDirectory)] == '/';
}

bool EndsWith(const char* text, size_t length, const char* ending) {
  const size_t size = strlen(ending);
  return length >= size && strcmp(text + length - size, ending) == 0;
}

// git executes no hook of that name, and puts a dozen of them into every repository.
bool IsExample(const RelativePath& path) {
  return EndsWith(path.c_str(), path.length(), ".sample");
}

// Calls visit() with `path` led to each entry. False when there are too many of them.
template <typename Visit>
bool ForEachPath(int directory, RelativePath* path, Visit visit) {
  const size_t length = path->length();
  size_t count = 0;
  sys::VisitEntries(directory, [&](const sys::DirectoryEntry& entry) {
    if (entry.IsDotOrDotDot()) return true;
    if (++count > kMaxEntries) return false;
    if (path->Push(entry.name)) visit();
    path->Cut(length);
    return true;
  });
  return count <= kMaxEntries;
}

// Of a directory: what has become of its entries follows from it.
bool SaysEnough(Change change) {
  return change == Change::kCreated || change == Change::kRemoved || change == Change::kReplaced;
}

}  // namespace

void WatchedPaths::Record(const sandbox::WritableRoots& roots, const char* watched, uint32_t count,
                          WatchScope scope) {
  roots_ = &roots;
  root_count_ = roots.size();
  watched_ = watched;
  count_ = count;
  scope_ = scope;
  if (count == 0) return;
  const char* text = watched;
  for (uint32_t i = 0; i < count; ++i, text += strlen(text) + 1) {
    if (IsInGit(text)) watches_git_ = true;
  }
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

void WatchedPaths::Walk() {
  opens_left_ = kMaxOpens;
  reader_.Begin();
  search_.Begin(compared_);
  crossings_ = 0;
  for (size_t root = 0; root < root_count_; ++root) {
    if ((scope_.left_out >> root & 1) == 0) WalkRoot(root);
  }
  if (crossings_ > most_crossings_) most_crossings_ = crossings_;
}

void WatchedPaths::WalkRoot(size_t root) {
  search_.Look(root, (*roots_)[root].fd.get(), watches_git_, reader_);
  const NameFilter& first_level = search_.first_level(root);
  RelativePath path;
  if (watches_git_ && first_level.MayContain(kGitDirectory, strlen(kGitDirectory))) {
    path.Push(kGitDirectory);
    Note(root, &path, Entries::kNo);
    path.Cut(0);
  }
  const char* text = watched_;
  for (uint32_t i = 0; i < count_; ++i, text += strlen(text) + 1) {
    const size_t length = ComponentLength(text);
    const bool any = length == 1 && *text == kEveryEntry;
    if (any || first_level.MayContain(text, length)) Expand(root, &path, text);
  }
  for (size_t position = 0; watches_git_ && search_.Next(root, &position, &path);) {
    NoteRepository(root, &path);
  }
  bool is_new = false;
  for (size_t position = 0; watches_git_ && search_.NextGitDirectory(root, &position, &path, &is_new);) {
    NoteGitDirectory(root, &path, is_new);
  }
}

void WatchedPaths::Expand(size_t root, RelativePath* path, const char* rest) {
  const size_t length = path->length();
  const char* const every = FindEveryEntry(rest);
  if (every == nullptr) {
    if (path->Push(rest)) Note(root, path, Entries::kYes);
  } else if (every == rest || path->Push(rest, static_cast<size_t>(every - rest - 1))) {
    ExpandEntries(root, path, every[1] == '\0' ? every + 1 : every + 2);
  }
  path->Cut(length);
}

void WatchedPaths::ExpandEntries(size_t root, RelativePath* path, const char* rest) {
  if (!TakeOpen(root)) return;
  const char* const name = path->length() == 0 ? "." : path->c_str();
  int error = 0;
  const UniqueFd directory = PathReader::OpenDirectory((*roots_)[root].fd.get(), name, scope_.mounts, &error);
  if (error == EXDEV) CountCrossing(root);
  if (!directory.valid()) return;
  const WatchedPath* const known = table_.Find(root, path->c_str(), path->length());
  if (known == nullptr || !known->crowded) {
    const size_t count = table_.count();
    const bool complete = ForEachPath(directory.get(), path, [&] {
      if (*rest == '\0') {
        Note(root, path, Entries::kYes);
      } else {
        Expand(root, path, rest);
      }
    });
    if (complete) return;
    table_.Truncate(count);
  }
  NoteCrowd(NoteState(root, *path, directory.get(), reader_.Look(directory.get())), directory.get());
}

void WatchedPaths::Note(size_t root, RelativePath* path, Entries entries) {
  if (!TakeOpen(root)) return;
  const UniqueFd fd = OpenPath(root, *path);
  if (!fd.valid()) return;
  const PathState state = reader_.Look(fd.get());
  WatchedPath* const noted = NoteState(root, *path, fd.get(), state);
  if (noted != nullptr && entries == Entries::kYes && S_ISDIR(state.mode) && !SaysEnough(noted->change)) {
    NoteEntries(root, path, fd.get(), noted);
  }
}

void WatchedPaths::NoteEntries(size_t root, RelativePath* path, int directory, WatchedPath* noted) {
  if (!noted->crowded) {
    const UniqueFd listed = PathReader::OpenDirectory(directory, ".", Mounts::kAny);
    if (!listed.valid()) return;
    const bool has_examples = EndsWith(path->c_str(), path->length(), "hooks");
    const size_t count = table_.count();
    const bool complete = ForEachPath(listed.get(), path, [&] {
      if (!has_examples || !IsExample(*path)) Note(root, path, Entries::kNo);
    });
    if (complete) return;
    table_.Truncate(count);
  }
  NoteCrowd(noted, directory);
}

// Of a directory with too many entries only the directory itself is compared.
void WatchedPaths::NoteCrowd(WatchedPath* noted, int directory) {
  if (noted == nullptr) return;
  if (!comparing_) {
    noted->crowded = true;
    ++unwatched_;
  } else if (!SaysEnough(noted->change) &&
             (!noted->crowded || !IsUntouched(noted->before, reader_.Look(directory)))) {
    noted->change = Change::kContent;
  }
}

void WatchedPaths::NoteRepository(size_t root, RelativePath* path) {
  if (!path->Push(kGitDirectory)) return;
  Note(root, path, Entries::kNo);
  const size_t length = path->length();
  static constexpr const char* kExecuted[] = {"config", "hooks", "config.worktree", "commondir"};
  for (const char* name : kExecuted) {
    if (path->Push(name)) Note(root, path, Entries::kYes);
    path->Cut(length);
  }
  Expand(root, path, "worktrees/*/config.worktree");
  Expand(root, path, "worktrees/*/commondir");
}

// Of a new one that is enough, and what it contains is new to the table.
void WatchedPaths::NoteGitDirectory(size_t root, RelativePath* path, bool is_new) {
  if (comparing_ && is_new) {
    if (path->Push("HEAD")) Note(root, path, Entries::kNo);
    return;
  }
  const char* text = watched_;
  for (uint32_t i = 0; i < count_; ++i, text += strlen(text) + 1) {
    if (IsInGit(text)) Expand(root, path, text + strlen(kGitDirectory) + 1);
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
