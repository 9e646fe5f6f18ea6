#include "broker/sockets/open_sockets.h"

#include <fcntl.h>
#include <string.h>
#include <sys/types.h>

#include "broker/sockets/caller_process.h"
#include "util/text.h"

namespace bashward::broker {
namespace {

using kernel::Descriptor;

// Breadth first: the list is its own queue. Beyond it nothing is known, and nothing is forgotten.
constexpr size_t kMostProcesses = 4096;
pid_t processes[kMostProcesses];
size_t process_count = 0;
bool is_complete = false;

// struct linux_dirent64
constexpr size_t kLengthAt = 16;
constexpr size_t kNameAt = 19;

// Calls `visit` with each name that is a number. For loops in loops: the buffer is the caller's.
template <typename Visit>
bool ForEachNumber(const char* directory, char (&buffer)[2048], Visit visit) {
  const Descriptor fd = kernel::OpenOwn(directory, O_RDONLY | O_DIRECTORY);
  if (!fd.valid()) return false;
  for (;;) {
    const long count = kernel::Call(SYS_getdents64, fd.get(), buffer, sizeof buffer);
    if (count <= 0) return count == 0;
    for (long at = 0; at < count;) {
      uint16_t length = 0;
      memcpy(&length, buffer + at + kLengthAt, sizeof length);
      const char* name = buffer + at + kNameAt;
      if (util::IsDigit(*name)) visit(static_cast<int>(util::TakeNumber(&name)));
      at += length;
    }
  }
}

void AppendChildrenOf(pid_t process, int thread) {
  const auto path = util::ProcPath() << "/proc/" << process << "/task/" << thread << "/children";
  const Descriptor file = kernel::OpenOwn(path.c_str(), O_RDONLY);
  if (!file.valid()) return;
  char text[1024];
  size_t filled = 0;
  for (;;) {
    const long count = kernel::Call(SYS_read, file.get(), text + filled, sizeof text - 1 - filled);
    if (count <= 0) return;
    filled += static_cast<size_t>(count);
    text[filled] = '\0';
    const char* position = text;
    const char* rest = text;
    while (util::IsDigit(*position)) {
      const auto child = static_cast<pid_t>(util::TakeNumber(&position));
      if (*position != ' ') break;  // the rest of it has not been read
      rest = ++position;
      if (process_count == kMostProcesses) {
        is_complete = false;
        return;
      }
      processes[process_count++] = child;
    }
    filled -= static_cast<size_t>(rest - text);
    memmove(text, rest, filled);
  }
}

void CollectDescendants() {
  static char buffer[2048];
  process_count = 0;
  is_complete = true;
  const auto self = static_cast<pid_t>(kernel::Call(SYS_getpid));
  const auto append = [](pid_t process) {
    const auto path = util::ProcPath() << "/proc/" << process << "/task";
    return ForEachNumber(path.c_str(), buffer, [process](int thread) { AppendChildrenOf(process, thread); });
  };
  // A kernel without the list of children shows none.
  const auto own = util::ProcPath() << "/proc/self/task/" << self << "/children";
  is_complete = kernel::OpenOwn(own.c_str(), O_RDONLY).valid() && append(self);
  for (size_t i = 0; is_complete && i < process_count; ++i) append(processes[i]);
}

}  // namespace

void ForgetUnusedBound(OwnSockets* sockets) {
  static char buffer[2048];
  for (size_t i = 0; i < sockets->size(); ++i) (*sockets)[i].lives = false;
  CollectDescendants();
  if (!is_complete) return;
  for (size_t i = 0; i < process_count; ++i) {
    const pid_t process = processes[i];
    const auto path = util::ProcPath() << "/proc/" << process << "/fd";
    ForEachNumber(path.c_str(), buffer, [process, sockets](int descriptor) {
      uint64_t inode = 0;
      if (FindSocketInode(process, descriptor, &inode) != 0) return;
      OwnSocket* const socket = sockets->FindInode(inode);
      if (socket != nullptr) socket->lives = true;
    });
  }
  for (size_t i = 0; i < sockets->size(); ++i) {
    OwnSocket& socket = (*sockets)[i];
    if (socket.state == SocketState::kBound && !socket.lives) sockets->Remove(&socket);
  }
}

}  // namespace bashward::broker
