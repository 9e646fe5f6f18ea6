#include "supervisor/control.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

namespace bashward::supervisor {
namespace {

// How often, and how long in all, the kernel is asked again when it has no memory for a message.
constexpr long kRetryNs = 10'000'000;
constexpr int kRetries = 100;

bool LacksMemory(int error) {
  return error == ENOBUFS || error == ENOMEM;
}

void SendAll(const char* data, size_t size) {
  int retries = 0;
  while (size > 0) {
    const ssize_t count = send(protocol::kControlFd, data, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && LacksMemory(errno) && ++retries <= kRetries) {
      const timespec pause{0, kRetryNs};
      ppoll(nullptr, 0, &pause, nullptr);
      continue;
    }
    if (count < 0) {
      // The host would wait for the missing part. Now each side takes the other for gone.
      syscall(SYS_shutdown, protocol::kControlFd, SHUT_RDWR);
      return;
    }
    data += count;
    size -= static_cast<size_t>(count);
  }
}

// The descriptor goes with the first byte. A host that cannot take it goes without.
void SendWithDescriptor(const char* data, size_t size, int descriptor) {
  iovec part{const_cast<char*>(data), size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  __builtin_memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  long sent = 0;
  do {
    sent = syscall(SYS_sendmsg, protocol::kControlFd, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  const size_t count = sent < 0 ? 0 : static_cast<size_t>(sent);
  SendAll(data + count, size - count);
}

}  // namespace

bool ReceiveAll(void* data, size_t size) {
  char* position = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t count = recv(protocol::kControlFd, position, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) errno = 0;
    if (count <= 0) return false;
    position += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

void SendMessage(protocol::MessageType type, const void* body, size_t size, int descriptor) {
  const protocol::MessageHeader header{type, static_cast<uint32_t>(size)};
  // Small messages go in one piece: waking the host for each part would double its work.
  char whole[sizeof header + 64];
  if (size <= sizeof whole - sizeof header) {
    __builtin_memcpy(whole, &header, sizeof header);
    if (size > 0) __builtin_memcpy(whole + sizeof header, body, size);
    if (descriptor < 0) {
      SendAll(whole, sizeof header + size);
    } else {
      SendWithDescriptor(whole, sizeof header + size, descriptor);
    }
    return;
  }
  SendAll(reinterpret_cast<const char*>(&header), sizeof header);
  SendAll(static_cast<const char*>(body), size);
}

}  // namespace bashward::supervisor
