#include "broker/naming.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include <utility>

#include "broker/descriptor_path.h"
#include "util/text.h"

namespace bashward::broker {
namespace {

using kernel::Descriptor;

char path_buffer[PATH_MAX];

// The caller may have ended, or have made itself unreadable: not what a missing file would be.
int OfProc(int error, int if_missing) {
  if (error == -ENOENT) return if_missing;
  return error == -EACCES ? -EPERM : error;
}

// O_PATH from fdinfo, in octal: "flags:\t0100000".
bool IsPathOnly(pid_t thread, int number) {
  const auto path = util::ProcPath() << "/proc/" << thread << "/fdinfo/" << number;
  const Descriptor file = kernel::OpenOwn(path.c_str(), O_RDONLY);
  char text[512];
  const long size = kernel::Call(SYS_read, file.get(), text, sizeof text - 1);
  if (size <= 0) return true;
  text[size] = '\0';
  const char* flags = strstr(text, "flags:\t");
  if (flags == nullptr) return true;
  uint64_t value = 0;
  for (flags += strlen("flags:\t"); *flags >= '0' && *flags <= '7'; ++flags) {
    value = value * 8 + static_cast<uint64_t>(*flags - '0');
  }
  return (value & O_PATH) != 0;
}

// `if_missing`: what it is when there is no such descriptor.
int TakeDescriptor(pid_t thread, int number, bool must_be_open, int if_missing, Taken* taken) {
  if (number < 0) return if_missing;
  const auto path = util::ProcPath() << "/proc/" << thread << "/fd/" << number;
  taken->base = kernel::OpenOwn(path.c_str(), O_PATH);
  if (!taken->base.valid()) return OfProc(taken->base.error(), if_missing);
  if (!must_be_open) return 0;
  // The link shows what the descriptor may do. O_PATH may do nothing, nor may the rare access mode 3.
  struct stat link;
  const long error = kernel::Call(SYS_newfstatat, AT_FDCWD, path.c_str(), &link, AT_SYMLINK_NOFOLLOW);
  if (error != 0) return OfProc(static_cast<int>(error), if_missing);
  return (link.st_mode & 0600) == 0 && IsPathOnly(thread, number) ? -EBADF : 0;
}

int TakeDirectory(pid_t thread, int number, bool must_be_open, Taken* taken) {
  if (number != AT_FDCWD) return TakeDescriptor(thread, number, must_be_open, -EBADF, taken);
  const auto path = util::ProcPath() << "/proc/" << thread << "/cwd";
  taken->base = kernel::OpenOwn(path.c_str(), O_PATH);
  return taken->base.valid() ? 0 : OfProc(taken->base.error(), -ESRCH);
}

// The thread-group id, which getpid() gives every thread; 0 when it cannot be had.
int64_t ProcessOf(pid_t thread) {
  const auto path = util::ProcPath() << "/proc/" << thread << "/status";
  const Descriptor file = kernel::OpenOwn(path.c_str(), O_RDONLY);
  char text[512];
  const long size = kernel::Call(SYS_read, file.get(), text, sizeof text - 1);
  if (size <= 0) return 0;
  text[size] = '\0';
  // A newline in the name, which comes before it, is escaped there.
  const char* id = strstr(text, "\nTgid:\t");
  if (id == nullptr) return 0;
  id += strlen("\nTgid:\t");
  return static_cast<int64_t>(util::TakeNumber(&id));
}

// Whose descriptors a path means, if they are the caller's; 0 for anybody else's.
pid_t OwnerOf(const DescriptorPath& path, pid_t thread) {
  const int64_t named[] = {path.process, path.thread};
  int64_t owner = thread;
  int64_t process = -1;
  for (const int64_t number : named) {
    if (number == 0) continue;
    if (number != thread && process == -1) process = ProcessOf(thread);
    if (number != thread && number != process) return 0;
    owner = number;
  }
  return static_cast<pid_t>(owner);
}

}  // namespace

int TakeNamed(const Named& named, pid_t thread, CallerMemory& memory, Taken* taken) {
  taken->path = nullptr;
  taken->text = "";
  taken->follow = named.follow;
  if (named.by_descriptor) return TakeDescriptor(thread, named.directory, named.must_be_open, -EBADF, taken);
  const int length = memory.ReadText(named.path, path_buffer, sizeof path_buffer);
  if (length < 0) return length;
  taken->text = path_buffer;
  if (length == 0) {
    return named.may_be_empty ? TakeDirectory(thread, named.directory, named.must_be_open, taken) : -ENOENT;
  }
  taken->path = path_buffer;
  if (path_buffer[0] != '/') return TakeDirectory(thread, named.directory, false, taken);
  DescriptorPath descriptor;
  if (!ParseDescriptorPath(path_buffer, &descriptor)) return 0;
  const bool is_end = *descriptor.rest == '\0';
  const pid_t owner = OwnerOf(descriptor, thread);
  if (owner == 0 || (is_end && !named.follow)) return 0;
  while (*descriptor.rest == '/') ++descriptor.rest;
  taken->path = is_end ? nullptr : *descriptor.rest == '\0' ? "." : descriptor.rest;
  return TakeDescriptor(owner, descriptor.number, false, -ENOENT, taken);
}

Descriptor Resolve(Taken* taken) {
  if (taken->path == nullptr) return std::move(taken->base);
  const int base = taken->base.valid() ? taken->base.get() : AT_FDCWD;
  const int flags = taken->follow ? 0 : O_NOFOLLOW;
  Descriptor named = kernel::OpenPath(base, taken->path, flags, kernel::kNoMagicLinks);
  if (named.valid() || named.error() != -ELOOP) return named;
  // Too many links are an error like any other; a link of /proc to a file is refused.
  named = kernel::OpenPath(base, taken->path, flags, 0);
  return named.error() == -ELOOP ? std::move(named) : Descriptor(-EPERM);
}

}  // namespace bashward::broker
