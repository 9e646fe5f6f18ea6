#include "supervisor/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "supervisor/tree_removal.h"
#include "sys/directory.h"
#include "sys/unique_fd.h"

namespace bashward::supervisor {
namespace {

using sys::UniqueFd;

constexpr mode_t kOwnerOnly = 0700;
constexpr mode_t kMayFill = S_IWUSR | S_IXUSR;
constexpr int kMaxDepth = 64;
constexpr uint64_t kBlockSize = 512;  // of st_blocks, stat(2)
// An entry takes room also when it is empty, and time to be looked at.
constexpr uint64_t kEntrySize = 1024;
// How long to try to remove what is in it, milliseconds.
constexpr uint64_t kRemovalMs = 5'000;
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

}  // namespace

bool Scratch::Make() {
  if (path_[0] == '\0') return true;
  if (mkdir(path_, kOwnerOnly) != 0) return false;
  // Held for good: whoever renames what, this is the directory that was made.
  directory_.reset(open(path_, kOpenDirectory));
  if (directory_.valid()) return true;
  const int error = errno;
  unlinkat(AT_FDCWD, path_, AT_REMOVEDIR);
  errno = error;
  return false;
}

bool Scratch::IsFull() const {
  if (!exists()) return false;
  lseek(directory_.get(), 0, SEEK_SET);
  Sum sum{limit_};
  return !AddSizes(directory_.get(), 0, &sum);
}

bool Scratch::Remove() {
  if (!exists()) return true;
  EmptyDirectory(directory_.get(), kRemovalMs);
  if (unlinkat(AT_FDCWD, path_, AT_REMOVEDIR) != 0 && errno != ENOENT) return false;
  directory_.reset();
  return true;
}

}  // namespace bashward::supervisor
