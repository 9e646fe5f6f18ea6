// A notified system call about a socket, copied from its caller once.
#ifndef BASHWARD_BROKER_SOCKETS_SOCKET_CALL_H_
#define BASHWARD_BROKER_SOCKETS_SOCKET_CALL_H_

#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "broker/caller_memory.h"

namespace bashward::broker {

// Whether one of these is meant, by the number of the call.
bool IsSocketCall(int number);

struct SocketCall {
  enum class Kind { kMake, kBind, kListen, kConnect };

  Kind kind;
  pid_t thread;
  // To make one.
  uint16_t family;
  int type;   // without its flags
  int flags;  // SOCK_CLOEXEC, SOCK_NONBLOCK
  int protocol;
  // Of one that there is.
  int descriptor;
  uint8_t address[128];  // sockaddr_storage; zeros follow
  uint32_t address_size;
};

// 0 or what the kernel would say of such a call, as -errno.
int TakeSocketCall(const seccomp_data& data, CallerMemory& memory, SocketCall* call);

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_SOCKET_CALL_H_
