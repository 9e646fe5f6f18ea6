#include "supervisor/path_state.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>

#include "sandbox/system_calls.h"
#include "sys/raw_call.h"
#include "util/text.h"

namespace bashward::supervisor {
namespace {

using sys::RawCall;
using sys::UniqueFd;

constexpr uint64_t kMaxContent = 1024 * 1024;
constexpr uint64_t kMaxContents = 4 * 1024 * 1024;  // of all files
constexpr int64_t kSecond = 1'000'000'000;
// Times advance with the kernel's tick, up to ten milliseconds long. Where they come in whole seconds, every
// second (FAT) lasts two.
constexpr int64_t kTick = 20'000'000;
constexpr int64_t kCoarseTick = 2 * kSecond;

int64_t ToNanoseconds(const timespec& time) {
  return time.tv_sec * kSecond + time.tv_nsec;
}

UniqueFd OpenBeneath(int directory, const char* path, uint64_t flags, Mounts mounts, int* error) {
  const uint64_t resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const open_how how{flags | O_CLOEXEC, 0, mounts == Mounts::kAny ? resolve : resolve | RESOLVE_NO_XDEV};
  const long fd = RawCall(sandbox::number::kOpenat2, directory, path, &how, sizeof how);
  if (error != nullptr) *error = fd < 0 ? static_cast<int>(-fd) : 0;
  return UniqueFd(fd < 0 ? -1 : static_cast<int>(fd));
}

// Of a regular file: another name of this very one, whatever its path leads to by now. O_NONBLOCK: a lease on
// it would make this wait. The thread's: it may have descriptors of its own.
class Content {
 public:
  explicit Content(int fd) {
    util::ProcPath path;
    path << "/proc/thread-self/fd/" << fd;
    fd_ = RawCall(SYS_openat, AT_FDCWD, path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
  }
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;
  // Not by UniqueFd: a file server may report an error at last.
  ~Content() {
    if (fd_ >= 0) RawCall(SYS_close, fd_);
  }

  bool valid() const { return fd_ >= 0; }
  // The number of bytes, or -errno.
  long Read(char* buffer, size_t size) const { return RawCall(SYS_read, fd_, buffer, size); }

 private:
  long fd_;
};

}  // namespace

bool IsUntouched(const PathState& before, const PathState& now) {
  return before.settled && before.mode == now.mode && before.device == now.device &&
         before.inode == now.inode && before.size == now.size && before.modified_ns == now.modified_ns &&
         before.changed_ns == now.changed_ns;
}

bool IsSame(const PathState& before, const PathState& now) {
  if (before.mode != now.mode) return false;
  if (S_ISDIR(now.mode)) return true;
  if (S_ISREG(now.mode) || S_ISLNK(now.mode)) {
    if (!before.hashed || !now.hashed) return IsUntouched(before, now);
    return before.size == now.size && before.hash == now.hash;
  }
  return before.device == now.device && before.inode == now.inode && before.size == now.size;
}

void PathReader::Begin() {
  if (!has_key_) {
    has_key_ = RawCall(SYS_getrandom, &key_, sizeof key_, 0) == static_cast<long>(sizeof key_);
  }
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  now_ns_ = ToNanoseconds(now);
  bytes_left_ = kMaxContents;
  last_device_ = 0;
}

UniqueFd PathReader::Open(int directory, const char* path, Mounts mounts, int* error) {
  return OpenBeneath(directory, path, O_PATH | O_NOFOLLOW, mounts, error);
}

UniqueFd PathReader::OpenDirectory(int directory, const char* path, Mounts mounts, int* error) {
  return OpenBeneath(directory, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK, mounts, error);
}

PathState PathReader::Look(int fd) const {
  PathState state{};
  struct stat status{};
  if (RawCall(SYS_fstat, fd, &status) != 0) return state;
  state.mode = status.st_mode;
  state.device = status.st_dev;
  state.inode = status.st_ino;
  const bool is_device = S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode);
  state.size = is_device ? status.st_rdev : static_cast<uint64_t>(status.st_size);
  state.modified_ns = ToNanoseconds(status.st_mtim);
  state.changed_ns = ToNanoseconds(status.st_ctim);
  // A time in the future is another machine's.
  state.settled = state.changed_ns < now_ns_ - (status.st_ctim.tv_nsec == 0 ? kCoarseTick : kTick);
  if (S_ISLNK(status.st_mode) && has_key_) {
    char target[PATH_MAX];
    const long size = RawCall(SYS_readlinkat, fd, "", target, sizeof target);
    if (size < 0) return state;
    KeyedHash hash(key_);
    hash.Add(target, static_cast<size_t>(size));
    state.hash = hash.Finish();
    state.hashed = true;
  }
  return state;
}

bool PathReader::ReadText(int fd, char* buffer, size_t size) {
  const Content file(fd);
  if (!file.valid()) return false;
  const long count = file.Read(buffer, size);
  if (count < 0 || static_cast<size_t>(count) == size) return false;
  buffer[count] = '\0';
  return strlen(buffer) == static_cast<size_t>(count);
}

bool PathReader::TimesTellOfWrites(int fd, uint64_t device) {
  if (device == last_device_) return last_tells_;
  struct statfs file_system{};
  if (RawCall(SYS_fstatfs, fd, &file_system) != 0) return false;
  last_device_ = device;
  switch (static_cast<uint32_t>(file_system.f_type)) {
    case EXT4_SUPER_MAGIC:  // also of ext2 and ext3
    case XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
      last_tells_ = true;
      break;
    default:
      last_tells_ = false;
  }
  return last_tells_;
}

void PathReader::ReadContent(int fd, PathState* state) {
  if (!S_ISREG(state->mode) || state->size > kMaxContent || state->size > bytes_left_ || !has_key_) return;
  const Content file(fd);
  if (!file.valid()) return;
  KeyedHash hash(key_);
  // Somebody may write to it meanwhile.
  for (uint64_t total = 0; total <= kMaxContent;) {
    const long size = file.Read(buffer_, sizeof buffer_);
    if (size < 0) return;
    hash.Add(buffer_, static_cast<size_t>(size));
    total += static_cast<uint64_t>(size);
    bytes_left_ -= static_cast<uint64_t>(size) < bytes_left_ ? static_cast<uint64_t>(size) : bytes_left_;
    // A regular file gives less than asked for at its end, or where the file system is a program.
    if (size > 0 && (static_cast<size_t>(size) == sizeof buffer_ || total < state->size)) continue;
    state->hash = hash.Finish();
    state->hashed = true;
    return;
  }
}

}  // namespace bashward::supervisor
