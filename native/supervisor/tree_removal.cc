#include "supervisor/tree_removal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/system_calls.h"
#include "sys/clock.h"
#include "sys/directory.h"
#include "sys/unique_fd.h"
#include "util/text.h"

namespace bashward::supervisor {
namespace {

using sys::UniqueFd;

constexpr mode_t kOwnerOnly = 0700;

struct Removal {
  int root;
  dev_t device;
  uint64_t end_ms;
  uint64_t serial = 0;  // of names for what moves to the root

  bool IsOver() const { return sys::NowMs() >= end_ms; }
};

// Removes a file, a link, or an empty directory.
bool RemoveEntry(int directory, const char* name) {
  return unlinkat(directory, name, 0) == 0 || unlinkat(directory, name, AT_REMOVEDIR) == 0;
}

// A directory of the same mount, or nothing. The descriptor can be used for a path only.
UniqueFd OpenOnSameMount(int directory, const char* name, const Removal& removal) {
  constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const open_how how{kFlags, 0, RESOLVE_NO_XDEV | RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH};
  UniqueFd fd(static_cast<int>(syscall(sandbox::number::kOpenat2, directory, name, &how, sizeof how)));
  if (fd.valid() || (errno != ENOSYS && errno != EPERM)) return fd;
  // A container refuses openat2(2). Then the device tells what is mounted. A bind mount of the same file
  // system has the same device, but a command in Restricted mode mounts nothing.
  fd.reset(openat(directory, name, kFlags));
  struct stat status{};
  if (fd.valid() && (fstat(fd.get(), &status) != 0 || status.st_dev != removal.device)) fd.reset();
  return fd;
}

// Gives the owner all rights to the directory behind a descriptor that has only its path.
bool OpenUp(int fd) {
  struct stat status{};
  if (fstat(fd, &status) != 0) return false;
  if ((status.st_mode & kOwnerOnly) == kOwnerOnly) return true;
  if (syscall(sandbox::number::kFchmodat2, fd, "", kOwnerOnly, AT_EMPTY_PATH) == 0) return true;
  // Before Linux 6.6.
  util::ProcPath path;
  path << "/proc/self/fd/" << fd;
  return fchmodat(AT_FDCWD, path.c_str(), kOwnerOnly, 0) == 0;
}

// Opens a nested directory for reading and emptying; invalid for anything else.
UniqueFd OpenNested(int directory, const char* name, const Removal& removal) {
  const UniqueFd path = OpenOnSameMount(directory, name, removal);
  if (!path.valid() || !OpenUp(path.get())) return UniqueFd();
  return UniqueFd(openat(path.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

// Moves a directory into the root under a name that is not taken there.
bool MoveUp(int directory, const char* name, Removal* removal) {
  constexpr unsigned kNoReplace = 1;  // RENAME_NOREPLACE
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    util::Text<32> target;
    target << "." << removal->serial++;
    if (syscall(SYS_renameat2, directory, name, removal->root, target.c_str(), kNoReplace) == 0) return true;
    if (errno != EEXIST) return false;
  }
  return false;
}

// Empties a directory that lies in the root; entries that are not empty themselves move to the root. False
// when nothing could be removed or moved.
bool EmptyOne(int directory, Removal* removal) {
  bool progress = false;
  sys::ForEachEntry(directory, [&](const sys::DirectoryEntry& entry) {
    if (entry.IsDotOrDotDot()) return true;
    // Moving a directory takes the right to write to it, because its entry `..` changes.
    if (RemoveEntry(directory, entry.name) ||
        (OpenNested(directory, entry.name, *removal).valid() && MoveUp(directory, entry.name, removal))) {
      progress = true;
    }
    return !removal->IsOver();
  });
  return progress;
}

}  // namespace

// No recursion, because a tree may be deeper than any stack; and no way back up, because from a directory
// that was moved it leads elsewhere. So each nested directory moves up to the root before it is emptied.
void EmptyDirectory(int directory, uint64_t limit_ms) {
  struct stat status{};
  if (fstat(directory, &status) != 0) return;
  Removal removal{directory, status.st_dev, sys::NowMs() + limit_ms};
  for (bool progress = true; progress && !removal.IsOver();) {
    progress = false;
    lseek(directory, 0, SEEK_SET);
    sys::ForEachEntry(directory, [&](const sys::DirectoryEntry& entry) {
      if (entry.IsDotOrDotDot()) return true;
      if (RemoveEntry(directory, entry.name)) {
        progress = true;
      } else if (const UniqueFd child = OpenNested(directory, entry.name, removal); child.valid()) {
        if (EmptyOne(child.get(), &removal)) progress = true;
        if (RemoveEntry(directory, entry.name)) progress = true;
      }
      return !removal.IsOver();
    });
  }
}

}  // namespace bashward::supervisor
