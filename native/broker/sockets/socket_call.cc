#include "broker/sockets/socket_call.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace bashward::broker {
namespace {

constexpr int kTypeMask = 0xf;

int TakeMaking(const seccomp_data& data, SocketCall* call) {
  const auto family = static_cast<int>(data.args[0]);
  const auto type = static_cast<int>(data.args[1]);
  call->kind = SocketCall::Kind::kMake;
  call->type = type & kTypeMask;
  call->flags = type & ~kTypeMask;
  call->protocol = static_cast<int>(data.args[2]);
  if ((call->flags & ~(SOCK_CLOEXEC | SOCK_NONBLOCK)) != 0) return -EINVAL;
  if (family < 0 || family > UINT16_MAX) return -EAFNOSUPPORT;
  call->family = static_cast<uint16_t>(family);
  return 0;
}

int TakeAddress(const seccomp_data& data, CallerMemory& memory, SocketCall* call) {
  const auto size = static_cast<int>(data.args[2]);
  if (size < 0 || size > static_cast<int>(sizeof call->address)) return -EINVAL;
  call->address_size = static_cast<uint32_t>(size);
  return memory.Read(data.args[1], call->address, call->address_size);
}

}  // namespace

bool IsSocketCall(int number) {
  return number == SYS_socket || number == SYS_bind || number == SYS_listen || number == SYS_connect;
}

int TakeSocketCall(const seccomp_data& data, CallerMemory& memory, SocketCall* call) {
  memset(call, 0, sizeof *call);
  call->thread = memory.thread();
  if (data.nr == SYS_socket) return TakeMaking(data, call);
  call->descriptor = static_cast<int>(data.args[0]);
  switch (data.nr) {
    case SYS_bind:
      call->kind = SocketCall::Kind::kBind;
      return TakeAddress(data, memory, call);
    case SYS_connect:
      call->kind = SocketCall::Kind::kConnect;
      return TakeAddress(data, memory, call);
    case SYS_listen:
      call->kind = SocketCall::Kind::kListen;
      return 0;
    default:
      return -ENOSYS;
  }
}

}  // namespace bashward::broker
