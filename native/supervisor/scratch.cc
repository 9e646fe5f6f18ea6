#include "supervisor/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/system_calls.h"
#include "supervisor/deleted_files.h"
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
// Even an empty entry takes room, and time to look at.
constexpr uint64_t kEntrySize = 1024;
// How long to try to remove what is in it, milliseconds.
constexpr uint64_t kRemovalMs = 5'000;
// For so many looks the processes are left out, as long as the file system has lost less than the limit.
constexpr int kLooksWithoutProcesses = 9;
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
      // A directory that can be filled but not looked into was made to hide something.
      fits = child.valid() ? AddSizes(child.get(), depth + 1, sum)
                           : errno != EACCES || (status.st_mode & kMayFill) != kMayFill;
    }
    return fits;
  });
  return fits;
}

// What is free on the file system; 0 where it does not tell.
uint64_t FreeBytes(int directory) {
  struct statfs status{};
  if (syscall(SYS_fstatfs, directory, &status) != 0 || status.f_blocks == 0) return 0;
  return static_cast<uint64_t>(status.f_bfree) * static_cast<uint64_t>(status.f_bsize);
}

uint64_t Lost(uint64_t before, uint64_t now) {
  return before > now ? before - now : 0;
}

constexpr int kOpenParent = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

// Component by component, which it cuts off: O_NOFOLLOW is for the last one only.
UniqueFd WalkWithoutLinks(char* path) {
  UniqueFd directory(open("/", kOpenParent));
  while (directory.valid() && *path != '\0') {
    char* end = path;
    while (*end != '\0' && *end != '/') ++end;
    const bool is_last = *end == '\0';
    *end = '\0';
    if (end != path) directory.reset(openat(directory.get(), path, kOpenParent));
    path = is_last ? end : end + 1;
  }
  return directory;
}

// The host has resolved the path: a symbolic link on the way is one that a command has made since.
UniqueFd OpenWithoutLinks(char* path) {
  const open_how how{kOpenParent, 0, RESOLVE_NO_SYMLINKS};
  UniqueFd fd(static_cast<int>(syscall(sandbox::number::kOpenat2, AT_FDCWD, path, &how, sizeof how)));
  // A container refuses openat2(2).
  if (!fd.valid() && (errno == ENOSYS || errno == EPERM)) return WalkWithoutLinks(path);
  return fd;
}

}  // namespace

bool Scratch::Make() {
  if (path_[0] == '\0') return true;
  if (!OpenParent() || syscall(SYS_mkdirat, parent_.get(), name_, kOwnerOnly) != 0) return false;
  // Held for good: whoever renames what, this is the directory that was made.
  directory_.reset(openat(parent_.get(), name_, kOpenDirectory));
  if (directory_.valid()) {
    free_at_start_ = most_free_ = FreeBytes(directory_.get());
    return true;
  }
  const int error = errno;
  unlinkat(parent_.get(), name_, AT_REMOVEDIR);
  errno = error;
  return false;
}

bool Scratch::OpenParent() {
  const char* const slash = strrchr(path_, '/');
  // A relative path would be taken from wherever this process is.
  if (path_[0] != '/' || slash[1] == '\0') {
    errno = EINVAL;
    return false;
  }
  name_ = slash + 1;
  char parent[PATH_MAX];
  const auto length = static_cast<size_t>(name_ - path_);
  if (length >= sizeof parent) {
    errno = ENAMETOOLONG;
    return false;
  }
  memcpy(parent, path_, length);
  parent[length] = '\0';
  parent_ = OpenWithoutLinks(parent);
  return parent_.valid();
}

bool Scratch::IsFull() {
  if (!exists()) return false;
  lseek(directory_.get(), 0, SEEK_SET);
  Sum sum{limit_};
  return !AddSizes(directory_.get(), 0, &sum) || IsFullWithDeleted(sum.bytes);
}

bool Scratch::IsFullWithDeleted(uint64_t linked) {
  // Files cannot take more space than the file system has lost. But a loss stays unseen while others remove
  // files of theirs, so the processes are looked at now and then all the same.
  const uint64_t free = FreeBytes(directory_.get());
  if (free > most_free_) most_free_ = free;
  const bool cannot_be = free != 0 && Lost(most_free_, free) <= limit_;
  if (cannot_be && ++looks_without_processes_ <= kLooksWithoutProcesses) return false;
  looks_without_processes_ = 0;
  const DeletedFiles deleted = FindDeletedFiles(name_, limit_ - linked);
  // Twice in a row: descriptors in transit have arrived by the next look.
  const bool hidden = deleted.incomplete && was_incomplete_;
  was_incomplete_ = deleted.incomplete;
  if (deleted.bytes > limit_ - linked || linked + deleted.bytes + deleted.count * kEntrySize > limit_) {
    return true;
  }
  // What cannot be looked at may be all that the file system has lost.
  return hidden && Lost(free_at_start_, free) > limit_;
}

bool Scratch::Remove() {
  if (!exists()) return true;
  EmptyDirectory(directory_.get(), kRemovalMs);
  if (unlinkat(parent_.get(), name_, AT_REMOVEDIR) != 0 && errno != ENOENT) return false;
  directory_.reset();
  return true;
}

}  // namespace bashward::supervisor
