#include "supervisor/deleted_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "supervisor/descendants.h"
#include "sys/clock.h"
#include "sys/process_stat.h"
#include "sys/procfs.h"
#include "sys/unique_fd.h"
#include "util/text.h"

namespace bashward::supervisor {
namespace {

using sys::UniqueFd;
using util::ProcPath;

// The supervisor hears nothing while it looks.
constexpr uint64_t kLookMs = 100;

// Processes share descriptors of one file, and it counts once. The numbers are of one file system.
class Inodes {
 public:
  void Clear() {
    memset(slots_, 0, sizeof slots_);
    size_ = 0;
  }
  bool Has(uint64_t inode) const { return slots_[Find(inode)] == inode; }
  // False when there are more than any program of good intent would have open.
  bool Add(uint64_t inode) {
    if (size_ == kCapacity / 2) return false;
    slots_[Find(inode)] = inode;
    ++size_;
    return true;
  }

 private:
  static constexpr size_t kCapacity = 8192;
  size_t Find(uint64_t inode) const {
    size_t slot = inode % kCapacity;
    while (slots_[slot] != 0 && slots_[slot] != inode) slot = (slot + 1) % kCapacity;
    return slot;
  }
  size_t size_ = 0;
  uint64_t slots_[kCapacity];
};

// Static: too large for a stack, and there is nothing to allocate from.
Inodes seen;

bool StartsWith(const char* text, const char* start) {
  while (*start != '\0' && *text == *start) ++text, ++start;
  return *start == '\0';
}

// The process has ended, and uses nothing.
bool IsGone(int error) {
  return error == ENOENT || error == ESRCH;
}

class Search {
 public:
  Search(const char* name, uint64_t enough) : name_(name), enough_(enough), end_ms_(sys::NowMs() + kLookMs) {}

  bool IsOver() {
    if (sys::NowMs() >= end_ms_) found.incomplete = true;
    return found.bytes > enough_ || sys::NowMs() >= end_ms_;
  }

  // Each thread can have descriptors of its own.
  void LookAtDescriptors(pid_t pid) {
    pid_t looked_at = 0;
    ForEachThread(pid, [&](pid_t thread) {
      if (looked_at != 0 && SharesDescriptors(looked_at, thread)) return true;
      looked_at = thread;
      ProcPath directory;
      directory << "/proc/" << pid << "/task/" << thread << "/fd";
      const bool readable = sys::ForEachNumber(directory.c_str(), [&](int fd) {
        LookAtDescriptor(pid, thread, fd);
        return !IsOver();
      });
      if (!readable && !IsGone(errno)) found.incomplete = true;
      return !IsOver();
    });
  }

  // After all descriptors: only root is told the size of a file that is mapped and not open.
  void LookAtMemory(pid_t pid) {
    ForEachThread(pid, [&](pid_t thread) {
      ProcPath executable;
      executable << "/proc/" << pid << "/task/" << thread << "/exe";
      LookAtLink(executable.c_str());
      // All threads share one memory, except one that has ended.
      return !LookAtMappings(pid, thread);
    });
  }

  DeletedFiles found;

 private:
  template <typename Visit>
  void ForEachThread(pid_t pid, Visit visit) {
    ProcPath tasks;
    tasks << "/proc/" << pid << "/task";
    if (!sys::ForEachNumber(tasks.c_str(), visit) && !IsGone(errno)) found.incomplete = true;
  }

  static bool SharesDescriptors(pid_t one, pid_t other) {
    constexpr long kFiles = 2;  // KCMP_FILES
    return syscall(SYS_kcmp, static_cast<long>(one), static_cast<long>(other), kFiles, 0L, 0L) == 0;
  }

  // Any path to the file will do: a file on a file system mounted twice can be opened by either.
  bool IsBelowDirectory(const char* path) const {
    for (; *path != '\0'; ++path) {
      if (*path == '/' && StartsWith(path + 1, name_) && path[1 + strlen(name_)] == '/') return true;
    }
    return false;
  }

  // The target is in `link_`. False when it is not there.
  bool ReadLink(const char* path) {
    const ssize_t length = readlink(path, link_, sizeof link_ - 1);
    // A path is only ever longer than the kernel can show when somebody made it so on purpose.
    if (length < 0 && errno != ENAMETOOLONG) {
      if (!IsGone(errno)) found.incomplete = true;
      return false;
    }
    is_told_ = length >= 0;
    link_[length > 0 ? length : 0] = '\0';
    return true;
  }

  void LookAtLink(const char* path) {
    if (ReadLink(path) && (!is_told_ || IsBelowDirectory(link_))) AddFile(path);
  }

  void AddFile(const char* path) {
    struct stat status{};
    if (fstatat(AT_FDCWD, path, &status, 0) != 0) {
      if (!IsGone(errno)) found.incomplete = true;
      return;
    }
    if (!S_ISREG(status.st_mode) || status.st_nlink != 0 || seen.Has(status.st_ino)) return;
    if (!seen.Add(status.st_ino)) {
      found.bytes = ~uint64_t{0};
      return;
    }
    constexpr uint64_t kBlockSize = 512;  // of st_blocks, stat(2)
    found.bytes += static_cast<uint64_t>(status.st_blocks) * kBlockSize;
    ++found.count;
  }

  void LookAtDescriptor(pid_t pid, pid_t thread, int fd) {
    ProcPath path;
    path << "/proc/" << pid << "/task/" << thread << "/fd/" << fd;
    if (!ReadLink(path.c_str())) return;
    if (!is_told_ || IsBelowDirectory(link_)) return AddFile(path.c_str());
    if (StartsWith(link_, "socket:") && HasDescriptorsWaiting(pid, thread, fd)) found.incomplete = true;
  }

  // Sent to this socket, and not received: open all the same.
  static bool HasDescriptorsWaiting(pid_t pid, pid_t thread, int fd) {
    ProcPath path;
    path << "/proc/" << pid << "/task/" << thread << "/fdinfo/" << fd;
    char text[512];
    sys::ReadSmallFile(path.c_str(), text, sizeof text);
    static constexpr char kCount[] = "scm_fds:";
    for (const char* line = text; *line != '\0'; ++line) {
      if (!StartsWith(line, kCount)) continue;
      for (line += sizeof kCount - 1; *line == ' ' || *line == '\t';) ++line;
      return util::TakeNumber(&line) != 0;
    }
    return false;
  }

  // False when there is no memory. A line (proc_pid_maps(5)):
  //   00400000-00452000 r-xp 00000000 08:02 173521      /tmp/directory/file (deleted)
  bool LookAtMappings(pid_t pid, pid_t thread) {
    ProcPath path;
    path << "/proc/" << pid << "/task/" << thread << "/maps";
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid()) {
      if (!IsGone(errno)) found.incomplete = true;
      return false;
    }
    bool any = false;
    size_t length = 0;
    char buffer[4096];
    while (!IsOver()) {
      const ssize_t count = read(file.get(), buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      any = true;
      for (ssize_t i = 0; i < count; ++i) {
        if (buffer[i] != '\n') {
          if (length < sizeof link_ - 1) link_[length++] = buffer[i];
          continue;
        }
        link_[length] = '\0';
        length = 0;
        LookAtMapping(pid);
      }
    }
    return any;
  }

  // The line is in `link_`.
  void LookAtMapping(pid_t pid) {
    constexpr int kInode = 4;
    const char* position = link_;
    for (int field = 0; field < kInode && *position != '\0'; ++position) field += *position == ' ' ? 1 : 0;
    const uint64_t inode = util::TakeNumber(&position);
    if (inode == 0 || !IsBelowDirectory(position) || !EndsWithDeleted(position) || seen.Has(inode)) return;
    ProcPath path;
    path << "/proc/" << pid << "/map_files/";
    const char* end = AppendAddress(link_, &path);
    path << "-";
    AppendAddress(end + 1, &path);
    AddFile(path.c_str());
  }

  // A number from maps, without leading zeros, which the names in map_files do not have; and what follows
  // it.
  static const char* AppendAddress(const char* number, ProcPath* path) {
    while (*number == '0') ++number;
    char digit[] = {'\0', '\0'};
    for (; *number != '-' && *number != ' ' && *number != '\0'; ++number) {
      *digit = *number;
      *path << digit;
    }
    return number;
  }

  static bool EndsWithDeleted(const char* text) {
    static constexpr char kDeleted[] = " (deleted)";
    const size_t length = strlen(text);
    return length >= sizeof kDeleted - 1 && strcmp(text + length - (sizeof kDeleted - 1), kDeleted) == 0;
  }

  const char* const name_;
  const uint64_t enough_;
  const uint64_t end_ms_;
  bool is_told_ = false;
  char link_[PATH_MAX + 128];
};

}  // namespace

DeletedFiles FindDeletedFiles(const char* directory_name, uint64_t enough) {
  Search search(directory_name, enough);
  seen.Clear();
  const Descendants all = ListDescendants();
  search.found.incomplete = !all.complete;
  for (size_t i = 0; i < all.pids.size() && !search.IsOver(); ++i) search.LookAtDescriptors(all.pids[i]);
  for (size_t i = 0; i < all.pids.size() && !search.IsOver(); ++i) search.LookAtMemory(all.pids[i]);
  return search.found;
}

}  // namespace bashward::supervisor
