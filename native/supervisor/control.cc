#include "supervisor/control.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace bashward::supervisor {
namespace {

void SendAll(const char* data, size_t size) {
  while (size > 0) {
    const ssize_t count = send(protocol::kControlFd, data, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;
    data += count;
    size -= static_cast<size_t>(count);
  }
}

}  // namespace

bool ReceiveAll(void* data, size_t size) {
  char* position = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t count = recv(protocol::kControlFd, position, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    position += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

void SendMessage(protocol::MessageType type, const void* body, size_t size) {
  const protocol::MessageHeader header{type, static_cast<uint32_t>(size)};
  // Small ones in one piece: a wake-up of the host each would double its work.
  char whole[sizeof header + 64];
  if (size <= sizeof whole - sizeof header) {
    __builtin_memcpy(whole, &header, sizeof header);
    if (size > 0) __builtin_memcpy(whole + sizeof header, body, size);
    SendAll(whole, sizeof header + size);
    return;
  }
  SendAll(reinterpret_cast<const char*>(&header), sizeof header);
  SendAll(static_cast<const char*>(body), size);
}

}  // namespace bashward::supervisor
