// Which paths are looked at: what the watched texts stand for, and what git executes in repositories.
#include <string.h>
#include <sys/stat.h>

#include "supervisor/watched_paths.h"
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

}  // namespace

bool WatchedPaths::HasPatternInGit() const {
  const char* text = watched_;
  for (uint32_t i = 0; i < count_; ++i, text += strlen(text) + 1) {
    if (IsInGit(text)) return true;
  }
  return false;
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

}  // namespace bashward::supervisor
