// Connecting: whose server it is decides, before and after.
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <utility>

#include "broker/notification.h"
#include "broker/sockets/socket_broker.h"
#include "util/text.h"

namespace bashward::broker {
namespace {

using protocol::Operation;

// As long as the kernel tries.
constexpr uint64_t kLongestWaitMs = 127'000;
// Who has asked not to wait gets an error instead: nothing may stay under way behind the broker's back.
constexpr uint64_t kShortestWaitMs = 200;

bool IsNonBlocking(int fd) {
  const long flags = kernel::Call(SYS_fcntl, fd, F_GETFL, 0);
  return flags >= 0 && (flags & O_NONBLOCK) != 0;
}

// Takes a socket back to where it was before it was to be connected.
long Disconnect(int fd) {
  sockaddr nobody{};
  nobody.sa_family = AF_UNSPEC;
  return kernel::Call(SYS_connect, fd, &nobody, sizeof nobody);
}

int TakeError(int fd) {
  int error = 0;
  uint32_t size = sizeof error;
  kernel::Call(SYS_getsockopt, fd, SOL_SOCKET, SO_ERROR, &error, &size);
  return -error;
}

int ReadTcpState(int fd) {
  uint8_t state = 0;  // the first field of the structure
  uint32_t size = sizeof state;
  return kernel::Call(SYS_getsockopt, fd, IPPROTO_TCP, TCP_INFO, &state, &size) == 0 ? state : int{TCP_CLOSE};
}

// With O_NONBLOCK for this call. The flag belongs to the caller's descriptor, too.
template <typename Function>
long WithoutBlocking(int fd, Function function) {
  const long flags = kernel::Call(SYS_fcntl, fd, F_GETFL, 0);
  if (flags < 0 || (flags & O_NONBLOCK) != 0) return function();
  kernel::Call(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
  const long result = function();
  kernel::Call(SYS_fcntl, fd, F_SETFL, flags);
  return result;
}

// Begins to connect, and does not wait, whatever the caller does to O_NONBLOCK meanwhile: sending nothing by
// TCP Fast Open connects, and has a flag of its own for that. Where it is switched off, the descriptor's flag
// has to do.
long BeginToConnect(int fd, const WrittenAddress& to) {
  constexpr int kFlags = MSG_FASTOPEN | MSG_DONTWAIT | MSG_NOSIGNAL;
  const long result = kernel::Call(SYS_sendto, fd, "", 0, kFlags, to.bytes, to.size);
  if (result != -EOPNOTSUPP) return result;
  return WithoutBlocking(fd, [&] { return kernel::Call(SYS_connect, fd, to.bytes, to.size); });
}

bool IsUnspecified(const SocketCall& call) {
  uint16_t family = 0;
  memcpy(&family, call.address, sizeof family);
  return call.address_size >= sizeof family && family == AF_UNSPEC;
}

}  // namespace

int SocketBroker::Connect(const SocketCall& call, OwnSocket* socket, SocketAnswer* answer, uint64_t id,
                          int listener) {
  // A program that asks again whether it is connected is told so.
  if (!socket->is_held()) return IsUnspecified(call) ? -EPERM : -EISCONN;
  const int fd = socket->handle.get();
  if (waiting_.HasInode(socket->inode)) return -EALREADY;
  if (socket->family == AF_NETLINK)
    return static_cast<int>(kernel::Call(SYS_connect, fd, call.address, call.address_size));
  if (socket->is_inet() && IsUnspecified(call)) return static_cast<int>(Disconnect(fd));
  WaitingConnect target;
  int error = ReadTarget(call, socket, &target);
  if (error == 0) error = Try(target, socket);
  if (error != kLater) return error;
  const bool hurries = IsNonBlocking(fd);
  if (hurries && !socket->is_inet()) return -EAGAIN;
  target.id = id;
  target.listener = listener;
  target.inode = socket->inode;
  target.end_ms = ClockMs() + (hurries ? kShortestWaitMs : kLongestWaitMs);
  if (!waiting_.Add(std::move(target))) return -EAGAIN;
  answer->kind = SocketAnswer::Kind::kWait;
  return 0;
}

bool SocketBroker::Retry(WaitingConnect* waiting, int* error) {
  const bool is_there = IsStillThere(waiting->id, waiting->listener);
  OwnSocket* const socket = sockets_.FindInode(waiting->inode);
  *error = !is_there ? -ESRCH : socket == nullptr || !socket->is_held() ? -ECONNABORTED : 0;
  if (*error != 0) return true;
  *error = Try(*waiting, socket);
  if (*error != kLater) return true;
  const uint64_t now = ClockMs();
  *error = -ETIMEDOUT;
  if (now >= waiting->end_ms) return true;
  WaitingConnects::PutOff(waiting, now);
  return false;
}

int SocketBroker::ReadTarget(const SocketCall& call, OwnSocket* socket, WaitingConnect* target) {
  if (socket->is_inet()) return ReadInetTarget(call, *socket, &target->to);
  return ReadUnixTarget(call, &target->file);
}

int SocketBroker::ReadInetTarget(const SocketCall& call, const OwnSocket& socket, InetAddress* to) {
  const int error = ReadInetAddress(call.address, call.address_size, socket.family, to);
  if (error != 0) return error;
  to->TakeLoopbackIfUnspecified();
  if (to->endpoint.IsLoopback()) return 0;
  return Deny(Operation::kConnect, Show(to->endpoint).c_str(), -ENETUNREACH);
}

int SocketBroker::Try(const WaitingConnect& target, OwnSocket* socket) {
  const int error = socket->is_inet() ? TryInet(target.to, socket) : TryUnix(target.file.get(), socket);
  if (error == 0) sockets_.LetGo(socket, SocketState::kConnected);
  return error;
}

int SocketBroker::TryInet(const InetAddress& to, OwnSocket* socket) {
  Server server{};
  int error = servers_.Find(to.endpoint, &server);
  if (error == -ENOENT) return -ECONNREFUSED;
  if (error != 0) return error;
  const bool is_proxy = rules_->proxy_port != 0 && server.id == proxy_id_ &&
                        to.endpoint.port == rules_->proxy_port && to.endpoint.family == AF_INET;
  if (!is_proxy && !(rules_->loopback && server.is_own)) {
    return Deny(Operation::kConnect, Show(to.endpoint).c_str(), -ECONNREFUSED);
  }
  const int fd = socket->handle.get();
  const long begun = BeginToConnect(fd, Write(to));
  const int state = ReadTcpState(fd);
  // The server can have closed it already.
  if (state == TCP_ESTABLISHED || state == TCP_CLOSE_WAIT) {
    error = CheckConnection(to, server, fd);
  } else if (state == TCP_CLOSE) {
    error = TakeError(fd);
    if (error == 0) error = begun < 0 && begun != -EINPROGRESS ? static_cast<int>(begun) : -ECONNREFUSED;
  } else {
    error = kLater;
  }
  if (error == 0) return 0;
  Disconnect(fd);
  TakeError(fd);
  return error == -EPERM ? Deny(Operation::kConnect, Show(to.endpoint).c_str(), -ECONNREFUSED) : error;
}

// 0; -EPERM when it has come to another's server; kLater when its other end is not there.
int SocketBroker::CheckConnection(const InetAddress& to, const Server& server, int fd) {
  WrittenAddress written{};
  written.size = sizeof written.bytes;
  InetAddress own;
  int error = static_cast<int>(kernel::Call(SYS_getsockname, fd, written.bytes, &written.size));
  if (error == 0) error = ReadInetAddress(written.bytes, written.size, to.family, &own);
  if (error == 0) error = servers_.CheckPeer(to.endpoint, own.endpoint, server.is_own);
  if (error == -ENOENT) return ReadTcpState(fd) == TCP_CLOSE ? -ECONNRESET : kLater;
  if (error != 0) return error;
  Server now{};
  error = servers_.Find(to.endpoint, &now);
  // A server may take one connection and close.
  if (error == -ENOENT) return 0;
  if (error == 0 && now.id != server.id) return -EPERM;
  return error;
}

int SocketBroker::TryUnix(int file, OwnSocket* socket) {
  struct {
    uint16_t family = AF_UNIX;
    char path[106] = {};
  } to;
  const auto path = util::ProcPath() << "/proc/self/fd/" << file;
  memcpy(to.path, path.c_str(), path.size() + 1);
  const int fd = socket->handle.get();
  const auto size = static_cast<uint32_t>(sizeof to.family + path.size() + 1);
  const long error = WithoutBlocking(fd, [&] { return kernel::Call(SYS_connect, fd, &to, size); });
  return error == -EAGAIN ? kLater : static_cast<int>(error);
}

}  // namespace bashward::broker
