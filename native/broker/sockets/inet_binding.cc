// Binding of TCP sockets, and making servers of them.
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "broker/sockets/open_sockets.h"
#include "broker/sockets/socket_broker.h"

namespace bashward::broker {
namespace {

using kernel::Descriptor;
using protocol::Operation;

constexpr uint16_t kFirstUnprivilegedPort = 1024;
// Others can take a port between its finding and its use.
constexpr int kMaxTries = 16;

int ReadOption(int socket, int level, int option, int* value) {
  uint32_t size = sizeof *value;
  return static_cast<int>(kernel::Call(SYS_getsockopt, socket, level, option, value, &size));
}

int ReadPort(int socket, uint16_t family, uint16_t* port) {
  WrittenAddress written{};
  written.size = sizeof written.bytes;
  int error = static_cast<int>(kernel::Call(SYS_getsockname, socket, written.bytes, &written.size));
  InetAddress address;
  if (error == 0) error = ReadInetAddress(written.bytes, written.size, family, &address);
  if (error == 0) *port = address.endpoint.port;
  return error;
}

}  // namespace

int SocketBroker::BindInet(const SocketCall& call, OwnSocket* socket) {
  InetAddress address;
  const int error = ReadInetAddress(call.address, call.address_size, socket->family, &address);
  if (error != 0) return error;
  const Endpoint& endpoint = address.endpoint;
  const EndpointText text = Show(endpoint);
  if (!rules_->loopback) return Deny(Operation::kBind, text.c_str(), -EACCES);
  if (!endpoint.IsLoopback() && !endpoint.IsUnspecified()) {
    return Deny(Operation::kBind, text.c_str(), -EADDRNOTAVAIL);
  }
  if (endpoint.port == 0) return BindToFreePort(address, socket);
  if (endpoint.port < kFirstUnprivilegedPort) return Deny(Operation::kBind, text.c_str(), -EACCES);
  return BindToPort(address, socket);
}

// A client of another's server on the same port can try this address first, and would tell it what it tells
// the other.
int SocketBroker::BindToPort(const InetAddress& address, OwnSocket* socket) {
  const int foreign = servers_.HasForeign(address.endpoint.port);
  if (foreign != 0) return foreign < 0 ? foreign : -EADDRINUSE;
  const int fd = socket->handle.get();
  const WrittenAddress written = Write(address);
  long error = kernel::Call(SYS_bind, fd, written.bytes, written.size);
  if (error == -EADDRINUSE) {
    bool is_held = false;
    for (size_t i = 0; i < sockets_.size(); ++i) {
      const OwnSocket& other = sockets_[i];
      is_held = is_held || (other.state == SocketState::kBound && other.port == address.endpoint.port);
    }
    if (is_held) {
      ForgetUnusedBound(&sockets_);
      error = kernel::Call(SYS_bind, fd, written.bytes, written.size);
    }
  }
  if (error != 0) return static_cast<int>(error);
  socket->state = SocketState::kBound;
  socket->port = address.endpoint.port;
  sockets_.MakeYoungest(socket);
  int device = 0;
  if (ReadOption(fd, SOL_SOCKET, SO_BINDTOIFINDEX, &device) != 0 || device != kLoopbackDevice) {
    sockets_.Remove(socket);
    return -EPERM;
  }
  KeepFewBound();
  return 0;
}

// The port is found with another socket: this one could not be bound a second time.
int SocketBroker::BindToFreePort(InetAddress address, OwnSocket* socket) {
  int error = -EADDRINUSE;
  for (int tries = 0; tries < kMaxTries && error == -EADDRINUSE; ++tries) {
    error = FindFreePort(address, *socket, &address.endpoint.port);
    if (error == 0) error = BindToPort(address, socket);
  }
  return error;
}

int SocketBroker::FindFreePort(const InetAddress& address, const OwnSocket& socket, uint16_t* port) {
  const Descriptor probe(kernel::Call(SYS_socket, socket.family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!probe.valid()) return probe.error() == -EMFILE ? -ENFILE : probe.error();
  int error = BindToLoopback(probe.get());
  if (error != 0) return error;
  int only = 0;
  if (socket.family == AF_INET6 && ReadOption(socket.handle.get(), IPPROTO_IPV6, IPV6_V6ONLY, &only) == 0 &&
      only != 0) {
    kernel::Call(SYS_setsockopt, probe.get(), IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only);
  }
  InetAddress any = address;
  any.endpoint.port = 0;
  const WrittenAddress written = Write(any);
  error = static_cast<int>(kernel::Call(SYS_bind, probe.get(), written.bytes, written.size));
  return error != 0 ? error : ReadPort(probe.get(), socket.family, port);
}

// The queue is as long as there can be: its own clients never find it full, and so need not wait.
int SocketBroker::ListenInet(OwnSocket* socket) {
  if (!rules_->loopback) return Deny(Operation::kBind, "tcp", -EACCES);
  if (socket->state == SocketState::kFresh) {
    InetAddress any{};
    any.family = any.endpoint.family = socket->family;
    const int error = BindToFreePort(any, socket);
    if (error != 0) return error;
  }
  const int foreign = servers_.HasForeign(socket->port);
  if (foreign != 0) return foreign < 0 ? foreign : -EADDRINUSE;
  const long error = kernel::Call(SYS_listen, socket->handle.get(), kLongestQueue);
  if (error == 0) sockets_.LetGo(socket, SocketState::kListening);
  return static_cast<int>(error);
}

}  // namespace bashward::broker
