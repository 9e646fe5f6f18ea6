#include "broker/sockets/socket_broker.h"

#include <errno.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <utility>

#include "broker/notification.h"
#include "broker/sockets/caller_process.h"
#include "broker/sockets/open_sockets.h"

namespace bashward::broker {
namespace {

using kernel::Descriptor;
using protocol::Operation;

// Sockets that are held in each state: fresh ones, which a program may have made only to see whether there is
// IPv6, and bound ones, which it may have closed without a word. Beyond that the oldest is let go, and can
// neither be bound nor connected any more.
constexpr size_t kMostHeldPerState = 256;

// Fewer where a process may open fewer files: what one program has left must not keep others from sockets.
size_t MostHeldPerState() {
  uint64_t limits[2] = {};  // soft, hard
  if (kernel::Call(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, limits) != 0) return kMostHeldPerState;
  const uint64_t share = limits[0] / 4;
  if (share == 0) return 1;
  return share < kMostHeldPerState ? share : kMostHeldPerState;
}

constexpr int kSmc = 43;  // AF_SMC

bool LacksDescriptors(long error) {
  return error == -EMFILE || error == -ENFILE;
}

SocketAnswer Return(int error) {
  return {SocketAnswer::Kind::kReturn, error, nullptr, false};
}

}  // namespace

void SocketBroker::Begin(const SocketRules* rules, const sandbox::WritableRoots* roots, DenialLog* denials) {
  rules_ = rules;
  roots_ = roots;
  denials_ = denials;
  most_held_per_state_ = MostHeldPerState();
  servers_.Open();
  Server proxy{};
  const Endpoint endpoint{AF_INET, {127, 0, 0, 1}, rules->proxy_port};
  if (endpoint.port != 0 && servers_.Find(endpoint, &proxy) == 0) proxy_id_ = proxy.id;
}

SocketAnswer SocketBroker::Answer(const seccomp_notif& notification, int listener) {
  if (notification.data.arch != kOwnArchitecture) return Return(-ENOSYS);
  const auto thread = static_cast<pid_t>(notification.pid);
  // It is in a PID namespace that ours does not see.
  if (thread <= 0) return Return(-EPERM);
  CallerMemory memory(thread);
  SocketCall call;
  int error = TakeSocketCall(notification.data, memory, &call);
  if (error != 0) return Return(error);
  if (call.kind == SocketCall::Kind::kMake) {
    OwnSocket* made = nullptr;
    error = Make(call, &made);
    if (error != 0) return Return(error);
    return {SocketAnswer::Kind::kInstall, 0, made, (call.flags & SOCK_CLOEXEC) != 0};
  }
  uint64_t inode = 0;
  error = FindSocketInode(thread, call.descriptor, &inode);
  if (error != 0) return Return(error);
  if (!IsStillThere(notification.id, listener)) return Return(-ESRCH);
  OwnSocket* const socket = sockets_.FindInode(inode);
  // One of a pair, one that was accepted or came from elsewhere; or one that had to be let go.
  if (socket == nullptr) return Return(-EPERM);
  SocketAnswer answer = Return(0);
  if (call.kind == SocketCall::Kind::kBind) answer.error = Bind(call, socket);
  if (call.kind == SocketCall::Kind::kListen) answer.error = Listen(socket);
  if (call.kind == SocketCall::Kind::kConnect) {
    answer.error = Connect(call, socket, &answer, notification.id, listener);
  }
  return answer;
}

int SocketBroker::Deny(Operation operation, const char* text, int error) {
  denials_->Add(operation, text, strlen(text));
  return error;
}

int SocketBroker::CheckInetKind(const SocketCall& call) {
  constexpr int kAnyProtocol = 0;
  if (call.type == SOCK_STREAM && (call.protocol == kAnyProtocol || call.protocol == IPPROTO_TCP)) {
    if (rules_->loopback || rules_->proxy_port != 0) return 0;
    return Deny(Operation::kOpenSocket, "tcp", -EPERM);
  }
  // Programs that ask for another protocol fall back on TCP.
  if (call.type == SOCK_STREAM || call.type == SOCK_SEQPACKET) return -EPROTONOSUPPORT;
  if (call.type == SOCK_RAW) return Deny(Operation::kOpenSocket, "raw", -EPERM);
  // No denial: every look-up of a name tries one of these, even where /etc/hosts has the answer.
  return -EPERM;
}

// 0 when the broker makes such a socket.
int SocketBroker::CheckKind(const SocketCall& call) {
  switch (call.family) {
    case AF_INET:
    case AF_INET6:
      return CheckInetKind(call);
    case AF_UNIX:
      // No denial: every look-up of a user tries a stream, and every line for the system's log a datagram.
      if (!rules_->unix_sockets || call.type == SOCK_DGRAM || call.type == SOCK_RAW) return -EPERM;
      return call.type == SOCK_STREAM || call.type == SOCK_SEQPACKET ? 0 : -ESOCKTNOSUPPORT;
    case AF_NETLINK:
      // Every program that lists interfaces reads the kernel's routing tables. Changing them takes a
      // capability.
      if (call.protocol != NETLINK_ROUTE) return -EPERM;
      return call.type == SOCK_RAW || call.type == SOCK_DGRAM ? 0 : -ESOCKTNOSUPPORT;
    case kSmc:
      return -EPROTONOSUPPORT;
    case AF_PACKET:
      return Deny(Operation::kOpenSocket, "packet", -EPERM);
    case AF_VSOCK:
      return Deny(Operation::kOpenSocket, "vsock", -EPERM);
    case AF_ALG:
      return Deny(Operation::kOpenSocket, "alg", -EPERM);
    default:
      return -EPERM;
  }
}

int SocketBroker::MakeRoomFor(const SocketCall& call) {
  if (sockets_.Count(SocketState::kFresh) >= most_held_per_state_)
    sockets_.Remove(sockets_.Oldest(SocketState::kFresh));
  if (call.family != AF_INET && call.family != AF_INET6) return 0;
  if (sockets_.CountInet() < OwnSockets::kMostInet) return 0;
  const int error = servers_.ForgetClosed();
  if (error != 0) return error;
  return sockets_.CountInet() < OwnSockets::kMostInet ? 0 : -ENFILE;
}

int SocketBroker::BindToLoopback(int socket) {
  const int device = kLoopbackDevice;
  const long error =
      kernel::Call(SYS_setsockopt, socket, SOL_SOCKET, SO_BINDTOIFINDEX, &device, sizeof device);
  return error == -ENODEV ? -ENETDOWN : static_cast<int>(error);
}

int SocketBroker::Make(const SocketCall& call, OwnSocket** made) {
  int error = CheckKind(call);
  if (error == 0) error = MakeRoomFor(call);
  if (error != 0) return error;
  const int type = call.type | SOCK_CLOEXEC | (call.flags & SOCK_NONBLOCK);
  Descriptor socket(kernel::Call(SYS_socket, call.family, type, call.protocol));
  if (LacksDescriptors(socket.error())) {
    if (OwnSocket* const oldest = sockets_.Oldest(SocketState::kFresh)) {
      sockets_.Remove(oldest);
      socket = Descriptor(kernel::Call(SYS_socket, call.family, type, call.protocol));
    }
  }
  // It is not the caller that has too many.
  if (!socket.valid()) return socket.error() == -EMFILE ? -ENFILE : socket.error();
  if (call.family == AF_INET || call.family == AF_INET6) {
    error = BindToLoopback(socket.get());
    if (error != 0) return error;
  }
  uint64_t cookie = 0;
  uint32_t size = sizeof cookie;
  error = static_cast<int>(kernel::Call(SYS_getsockopt, socket.get(), SOL_SOCKET, SO_COOKIE, &cookie, &size));
  if (error != 0) return error;
  struct stat status;
  error = static_cast<int>(kernel::Call(SYS_fstat, socket.get(), &status));
  if (error != 0) return error;
  *made = sockets_.Add(call.family, status.st_ino, cookie, std::move(socket));
  return *made == nullptr ? -ENFILE : 0;
}

int SocketBroker::Bind(const SocketCall& call, OwnSocket* socket) {
  if (socket->family == AF_NETLINK) return BindNetlink(call, socket);
  if (socket->state != SocketState::kFresh) return -EINVAL;
  return socket->is_inet() ? BindInet(call, socket) : BindUnix(call, socket);
}

void SocketBroker::KeepFewBound() {
  if (sockets_.Count(SocketState::kBound) <= most_held_per_state_) return;
  ForgetUnusedBound(&sockets_);
  while (sockets_.Count(SocketState::kBound) > most_held_per_state_) {
    sockets_.Remove(sockets_.Oldest(SocketState::kBound));
  }
}

int SocketBroker::BindNetlink(const SocketCall& call, OwnSocket* socket) {
  if (!socket->is_held()) return -EINVAL;
  sockaddr_nl address;
  if (call.address_size < sizeof address) return -EINVAL;
  memcpy(&address, call.address, sizeof address);
  if (address.nl_family != AF_NETLINK) return -EINVAL;
  const long error = kernel::Call(SYS_bind, socket->handle.get(), &address, sizeof address);
  // A descriptor here would keep its netlink port taken.
  if (error == 0) sockets_.LetGo(socket, SocketState::kConnected);
  return static_cast<int>(error);
}

int SocketBroker::Listen(OwnSocket* socket) {
  if (socket->state == SocketState::kListening) return 0;
  if (!socket->is_held()) return -EINVAL;
  if (socket->is_inet()) return ListenInet(socket);
  if (socket->family != AF_UNIX) return -EOPNOTSUPP;
  // It has no name, or got one from the kernel (autobind).
  if (socket->state != SocketState::kBound) return -EINVAL;
  const long error = kernel::Call(SYS_listen, socket->handle.get(), kLongestQueue);
  if (error == 0) sockets_.LetGo(socket, SocketState::kListening);
  return static_cast<int>(error);
}

}  // namespace bashward::broker
