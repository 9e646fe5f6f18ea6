#include "supervisor/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/directory.h"
#include "sys/unique_fd.h"
#include "util/text.h"

namespace bashward::supervisor {
namespace {

using sys::UniqueFd;

constexpr mode_t kOwnerOnly = 0700;
constexpr mode_t kMayFill = S_IWUSR | S_IXUSR;
constexpr int kMaxDepth = 64;
constexpr uint64_t kBlockSize = 512;  // of st_blocks, stat(2)
// An entry takes room also when it is empty, and time to be looked at.
constexpr uint64_t kEntrySize = 1024;
// The supervisor hears nothing while it looks.
constexpr int kMaxEntries = 65536;
constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

bool Status(int directory, const char* name, struct stat* status) {
  return fstatat(directory, name, status, AT_SYMLINK_NOFOLLOW) == 0;
}

// What a look has seen so far.
struct Sum {
  uint64_t limit;
  uint64_t bytes = 0;
  int entries = 0;

  // False when it is too much.
  bool Add(const struct stat& status) {
    bytes += kEntrySize + static_cast<uint64_t>(status.st_blocks) * kBlockSize;
    return bytes <= limit && ++entries <= kMaxEntries;
  }
};

// Adds everything below; false when that is too much. What disappears meanwhile counts nothing.
bool AddSizes(int directory, int depth, Sum* sum) {
  if (depth > kMaxDepth) return false;
  bool fits = true;
  sys::ForEachEntry<2048>(directory, [&](const sys::DirectoryEntry& entry) {
    struct stat status{};
    if (entry.IsDotOrDotDot() || !Status(directory, entry.name, &status)) return true;
    fits = sum->Add(status);
    if (fits && S_ISDIR(status.st_mode)) {
      const UniqueFd child(openat(directory, entry.name, kOpenDirectory));
      // One that can be filled but not looked into was made to hide something.
      fits = child.valid() ? AddSizes(child.get(), depth + 1, sum)
                           : errno != EACCES || (status.st_mode & kMayFill) != kMayFill;
    }
    return fits;
  });
  return fits;
}

// Removes a file, a link, or an empty directory.
bool RemoveEntry(int directory, const char* name) {
  return unlinkat(directory, name, 0) == 0 || unlinkat(directory, name, AT_REMOVEDIR) == 0;
}

// Gives its owner all rights to it; no link is followed. False for what is no directory.
bool OpenUp(int directory, const char* name) {
  struct stat status{};
  if (!Status(directory, name, &status) || !S_ISDIR(status.st_mode)) return false;
  return (status.st_mode & kOwnerOnly) == kOwnerOnly || fchmodat(directory, name, kOwnerOnly, 0) == 0;
}

// Moves a directory into `root` under a name that is not taken there.
bool MoveUp(int directory, const char* name, int root, uint64_t* serial) {
  constexpr unsigned kNoReplace = 1;  // RENAME_NOREPLACE
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    util::Text<32> target;
    target << "." << (*serial)++;
    if (syscall(SYS_renameat2, directory, name, root, target.c_str(), kNoReplace) == 0) return true;
    if (errno != EEXIST) return false;
  }
  return false;
}

// Empties a directory that lies in `root`: what of it is not empty in turn moves to `root`. False when
// nothing could be removed or moved.
bool EmptyOne(int directory, int root, uint64_t* serial) {
  bool progress = false;
  sys::ForEachEntry(directory, [&](const sys::DirectoryEntry& entry) {
    if (entry.IsDotOrDotDot()) return true;
    if (RemoveEntry(directory, entry.name) ||
        (OpenUp(directory, entry.name) && MoveUp(directory, entry.name, root, serial))) {
      progress = true;
    }
    return true;
  });
  return progress;
}

// Without recursion, as a tree may be deeper than any stack, and without a way back up, which a directory
// that has moved would lead elsewhere: each nested directory comes up to the root before it is emptied.
void EmptyTree(int root) {
  uint64_t serial = 0;
  for (bool progress = true; progress;) {
    progress = false;
    lseek(root, 0, SEEK_SET);
    sys::ForEachEntry(root, [&](const sys::DirectoryEntry& entry) {
      if (entry.IsDotOrDotDot()) return true;
      if (RemoveEntry(root, entry.name)) {
        progress = true;
      } else if (OpenUp(root, entry.name)) {
        const UniqueFd child(openat(root, entry.name, kOpenDirectory));
        if (child.valid() && EmptyOne(child.get(), root, &serial)) progress = true;
        if (RemoveEntry(root, entry.name)) progress = true;
      }
      return true;
    });
  }
}

}  // namespace

bool Scratch::Make() {
  if (path_[0] == '\0') return true;
  made_ = mkdir(path_, kOwnerOnly) == 0;
  return made_;
}

bool Scratch::IsFull() const {
  const UniqueFd directory(open(path_, kOpenDirectory));
  Sum sum{limit_};
  return directory.valid() && !AddSizes(directory.get(), 0, &sum);
}

void Scratch::Remove() {
  if (!made_) return;
  const UniqueFd root(open(path_, kOpenDirectory));
  if (root.valid()) EmptyTree(root.get());
  if (unlinkat(AT_FDCWD, path_, AT_REMOVEDIR) == 0) made_ = false;
}

}  // namespace bashward::supervisor
