#include "broker/act.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "util/text.h"

namespace bashward::broker {
namespace {

using kernel::Descriptor;
using kernel::Status;
using protocol::Operation;

// Leads to the object of the descriptor and nowhere else: the way of calls that take no O_PATH descriptor.
util::ProcPath PathOf(int fd) {
  return util::ProcPath() << "/proc/self/fd/" << fd;
}

// Directories are executed by nobody: theirs only hands on the group.
uint32_t RefusedBits(const Status& status) {
  return S_ISDIR(status.mode) ? S_ISUID : S_ISUID | S_ISGID;
}

long ChangeMode(const Call& call, int fd, const Status& status) {
  // Before 6.6 some file systems changed it, and then said that they had not.
  if (S_ISLNK(status.mode)) return -EOPNOTSUPP;
  const uint32_t refused = RefusedBits(status);
  if ((call.mode & refused) != 0) return -EPERM;
  // From 6.6 on, and much cheaper than a path. A container's profile may not know it.
  const long error = kernel::Call(sandbox::number::kFchmodat2, fd, "", call.mode, AT_EMPTY_PATH);
  if (error != -ENOSYS && error != -EPERM) return error;
  return kernel::Call(SYS_fchmodat, AT_FDCWD, PathOf(fd).c_str(), call.mode);
}

bool StartsWith(const char* text, const char* start) {
  while (*start != '\0' && *text == *start) ++text, ++start;
  return *start == '\0';
}

// These decide about other files, or say whose a file is, where somebody mounts the directory as a layer:
// overlayfs, fuse-overlayfs, and the storage of rootless containers.
constexpr const char* kOfLayers[] = {"user.overlay.", "user.fuseoverlayfs.", "user.containers."};

constexpr char kAccessList[] = "system.posix_acl_access";

bool IsOpenAttribute(const char* name) {
  if (StartsWith(name, "user.")) {
    for (const char* of_layers : kOfLayers) {
      if (StartsWith(name, of_layers)) return false;
    }
    return true;
  }
  return strcmp(name, kAccessList) == 0 || strcmp(name, "system.posix_acl_default") == 0;
}

// Such a list is part of the mode, and so is its absence: both say who may execute a file with set-id bits.
long WhyNotAttribute(const char* name, const Status& status) {
  if (!IsOpenAttribute(name)) return -EOPNOTSUPP;
  const bool is_mode = strcmp(name, kAccessList) == 0;
  return is_mode && (status.mode & RefusedBits(status)) != 0 ? -EPERM : 0;
}

long SetAttribute(const Call& call, int fd, const Status& status) {
  if (const long error = WhyNotAttribute(call.name, status); error != 0) return error;
  return kernel::Call(SYS_setxattr, PathOf(fd).c_str(), call.name, call.value, call.value_size,
                      call.attribute_flags);
}

long RemoveAttribute(const Call& call, int fd, const Status& status) {
  if (const long error = WhyNotAttribute(call.name, status); error != 0) return error;
  return kernel::Call(SYS_removexattr, PathOf(fd).c_str(), call.name);
}

// A regular file, as has been seen. Opening it for writing fails where truncate(2) would.
long Truncate(const Call& call, int fd, const Status& status) {
  const auto length = static_cast<uint64_t>(call.length);
  if (length > call.size_limit && length > status.size) return -EFBIG;
  const Descriptor file = kernel::OpenOwn(PathOf(fd).c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY);
  return file.valid() ? kernel::Call(SYS_ftruncate, file.get(), call.length) : file.error();
}

long Make(const Call& call, int fd, const Status& status) {
  switch (call.operation) {
    case Operation::kChangeMode:
      return ChangeMode(call, fd, status);
    case Operation::kChangeOwner:
      return kernel::Call(SYS_fchownat, fd, "", call.user, call.group, AT_EMPTY_PATH);
    case Operation::kChangeTimes:
      return kernel::Call(SYS_utimensat, fd, "", call.now ? nullptr : call.times, AT_EMPTY_PATH);
    case Operation::kSetAttribute:
      return SetAttribute(call, fd, status);
    case Operation::kRemoveAttribute:
      return RemoveAttribute(call, fd, status);
    case Operation::kTruncate:
      return Truncate(call, fd, status);
    default:  // of sockets, which are other calls
      return -ENOSYS;
  }
}

}  // namespace

bool HasAlready(const Call& call, const Status& status) {
  constexpr uint32_t kUnchanged = UINT32_MAX;
  if (call.operation == Operation::kChangeMode) {
    return !S_ISLNK(status.mode) && (status.mode & 07777) == call.mode;
  }
  // Changing the owner also takes set-id bits away.
  return call.operation == Operation::kChangeOwner && (S_ISDIR(status.mode) || (status.mode & 06000) == 0) &&
         (call.user == kUnchanged || call.user == status.user) &&
         (call.group == kUnchanged || call.group == status.group);
}

int Act(const Call& call, int fd, const Status& status) {
  return static_cast<int>(Make(call, fd, status));
}

}  // namespace bashward::broker
