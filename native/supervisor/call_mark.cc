#include "supervisor/call_mark.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "util/text.h"

namespace bashward::supervisor {
namespace {

using protocol::Step;
using Path = util::Text<4200>;  // PATH_MAX, and a name of ours

// One supervisor has one mark.
char record[CallMark::kSize];

// FNV-1a: tells a line that was torn by a loss of power.
uint32_t Checksum(const char* text, size_t size) {
  uint32_t hash = 2166136261U;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<unsigned char>(text[i])) * 16777619U;
  return hash;
}

bool WriteAt(int fd, const char* data, size_t size, off_t offset) {
  while (size > 0) {
    const ssize_t count = pwrite(fd, data, size, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = ENOSPC;
    if (count <= 0) return false;
    data += count;
    size -= static_cast<size_t>(count);
    offset += count;
  }
  return true;
}

void AppendParent(const char* path, Path* parent) {
  for (const char* end = strrchr(path, '/'); path != end; ++path) {
    const char letter[] = {*path, '\0'};
    *parent << letter;
  }
}

const char* EndName(CallMark::End end) {
  switch (end) {
    case CallMark::End::kEnded:
      return "ended";
    case CallMark::End::kTimedOut:
      return "timed_out";
    case CallMark::End::kCancelled:
      return "cancelled";
    case CallMark::End::kHostGone:
      return "host_gone";
    case CallMark::End::kNotStarted:
      return "not_started";
    case CallMark::End::kBackground:
      return "background";
  }
  return "";
}

int LinkAt(int directory, const char* from, const char* to, int flags) {
  return syscall(SYS_linkat, directory, from, AT_FDCWD, to, flags) == 0 ? 0 : errno;
}

bool Sync(int fd) {
  return syscall(SYS_fsync, fd) == 0;
}

bool SyncParent(const char* path) {
  Path parent;
  AppendParent(path, &parent);
  const int fd = open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool synced = Sync(fd);
  const int error = errno;
  close(fd);
  errno = error;
  return synced;
}

}  // namespace

bool CallMark::Make(bool durable, protocol::Failed* failure) {
  // The record has no line break; a path may have.
  const char* path = text_;
  while (*path != '\n' && *path != '\0') ++path;
  const auto fail = [failure](int error) {
    *failure = {Step::kCallMark, error};
    return false;
  };
  if (*path == '\0' || path[1] != '/' || static_cast<size_t>(path - text_) >= kEndAt) return fail(EINVAL);
  memset(record, ' ', sizeof record);
  memcpy(record, text_, static_cast<size_t>(path - text_));
  record[kEndAt - 1] = '\n';
  record[kSize - 1] = '\n';
  char named[4200];
  // A file system may have no files without names, and a chroot may have no /proc to link them by.
  int error = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    named[0] = '\0';
    error = Open(path + 1, attempt == 0 ? nullptr : named, sizeof named);
    if (error == 0) error = Link(path + 1, named);
    if (error == 0 || error == EEXIST || error == ENOSPC || error == EDQUOT) break;
  }
  if (error == 0 && (!durable || (Sync(fd_) && SyncParent(path + 1)))) return true;
  if (error == 0) {
    error = errno;
    Record(End::kNotStarted, 0, error);
  }
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
  return fail(error);
}

int CallMark::Open(const char* path, char* named, size_t size) {
  if (fd_ >= 0) close(fd_);
  if (named == nullptr) {
    Path parent;
    AppendParent(path, &parent);
    fd_ = open(parent.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  } else {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    Path name;
    name << path << "." << getpid() << "-" << static_cast<uint64_t>(now.tv_sec) << "-"
         << static_cast<uint64_t>(now.tv_nsec) << ".tmp";
    if (name.size() >= size) return ENAMETOOLONG;
    memcpy(named, name.c_str(), name.size() + 1);
    fd_ = open(named, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    // Of another PID namespace: that is no mark.
    if (fd_ < 0 && errno == EEXIST) return EAGAIN;
  }
  return fd_ < 0 ? errno : 0;
}

int CallMark::Link(const char* path, const char* named) {
  struct flock whole{};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  int error = 0;
  if (!WriteAt(fd_, record, sizeof record, 0)) {
    error = errno;
  } else if (fcntl(fd_, F_OFD_SETLK, &whole) != 0) {
    error = errno;
  } else if (*named != '\0') {
    error = LinkAt(AT_FDCWD, named, path, 0);
  } else {
    error = LinkAt(fd_, "", path, AT_EMPTY_PATH);
    util::ProcPath own;
    own << "/proc/self/fd/" << fd_;
    // Without CAP_DAC_READ_SEARCH, before Linux 6.10.
    if (error == ENOENT) error = LinkAt(AT_FDCWD, own.c_str(), path, AT_SYMLINK_FOLLOW);
  }
  if (*named != '\0') unlinkat(AT_FDCWD, named, 0);
  return error;
}

void CallMark::Record(End end, int wait_status, int error, const char* job) {
  if (fd_ < 0) return;
  const char* const slash = job == nullptr ? nullptr : strrchr(job, '/');
  util::Text<CallMark::kSize - CallMark::kEndAt - 1> line;
  line << "end " << EndName(end) << " " << wait_status << " " << error << " "
       << (slash == nullptr ? "-" : slash + 1) << " ";
  line << uint64_t{Checksum(line.c_str(), line.size())} << "\n";
  // Should it fail, it is not known how the call has ended.
  const bool written = WriteAt(fd_, line.c_str(), line.size(), kEndAt);
  static_cast<void>(written);
  close(fd_);
  fd_ = -1;
}

}  // namespace bashward::supervisor
