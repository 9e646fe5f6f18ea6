#include "broker/sockets/caller_process.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "util/text.h"

namespace bashward::broker {
namespace {

int OfProc(long error, int if_missing) {
  if (error == -ENOENT) return if_missing;
  return error == -EACCES ? -EPERM : static_cast<int>(error);
}

}  // namespace

int FindSocketInode(pid_t thread, int descriptor, uint64_t* inode) {
  constexpr char kPrefix[] = "socket:[";
  constexpr size_t kPrefixSize = sizeof kPrefix - 1;
  if (descriptor < 0) return -EBADF;
  const auto path = util::ProcPath() << "/proc/" << thread << "/fd/" << descriptor;
  char text[64];
  const long size = kernel::ReadLink(path.c_str(), text, sizeof text - 1);
  if (size < 0) return OfProc(size, -EBADF);
  text[size] = '\0';
  for (size_t i = 0; i < kPrefixSize; ++i) {
    if (text[i] != kPrefix[i]) return -ENOTSOCK;
  }
  const char* number = text + kPrefixSize;
  *inode = util::TakeNumber(&number);
  // A file can be called so, too, but its path is absolute.
  return *number == ']' ? 0 : -ENOTSOCK;
}

int ReadUmask(pid_t thread, uint32_t* mask) {
  const auto path = util::ProcPath() << "/proc/" << thread << "/status";
  const kernel::Descriptor file = kernel::OpenOwn(path.c_str(), O_RDONLY);
  if (!file.valid()) return OfProc(file.error(), -ESRCH);
  char text[512];
  const long size = kernel::Call(SYS_read, file.get(), text, sizeof text - 1);
  if (size <= 0) return size == 0 ? -ESRCH : static_cast<int>(size);
  text[size] = '\0';
  // A newline in the name, which comes before it, is escaped there.
  const char* found = strstr(text, "\nUmask:\t");
  if (found == nullptr) return -ESRCH;
  *mask = 0;
  for (found += strlen("\nUmask:\t"); *found >= '0' && *found <= '7'; ++found) {
    *mask = *mask * 8 + static_cast<uint32_t>(*found - '0');
  }
  return 0;
}

kernel::Descriptor OpenWorkingDirectory(pid_t thread) {
  const auto path = util::ProcPath() << "/proc/" << thread << "/cwd";
  kernel::Descriptor directory = kernel::OpenOwn(path.c_str(), O_PATH);
  if (directory.valid()) return directory;
  return kernel::Descriptor(OfProc(directory.error(), -ESRCH));
}

}  // namespace bashward::broker
