// Answers system calls about sockets: it makes them, binds and connects them in the caller's place, or
// refuses.
//
// TCP sockets are bound to the loopback device when they are made, which nobody without a capability can
// undo: whatever else happens, they leave this machine in neither direction. They are connected to servers of
// the same command only, and to its proxy. Unix sockets get names beneath the writable roots, and are
// connected to those names only.
#ifndef BASHWARD_BROKER_SOCKETS_SOCKET_BROKER_H_
#define BASHWARD_BROKER_SOCKETS_SOCKET_BROKER_H_

#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

#include "broker/denial_log.h"
#include "broker/kernel.h"
#include "broker/sockets/bound_names.h"
#include "broker/sockets/inet_address.h"
#include "broker/sockets/loopback_servers.h"
#include "broker/sockets/name_binder.h"
#include "broker/sockets/own_sockets.h"
#include "broker/sockets/socket_call.h"
#include "broker/sockets/waiting_connects.h"
#include "sandbox/writable_roots.h"

namespace bashward::broker {

struct SocketRules {
  bool loopback = false;
  bool unix_sockets = false;
  uint16_t proxy_port = 0;  // on 127.0.0.1; set to 0 when the proxy has ended; 0: none
};

// What is to be done about a notification.
struct SocketAnswer {
  enum class Kind { kReturn, kInstall, kWait };

  Kind kind;
  int error;          // to return: 0 or -errno
  OwnSocket* socket;  // to install
  bool close_on_exec;
};

// For one thread.
class SocketBroker {
 public:
  void Begin(const SocketRules* rules, const sandbox::WritableRoots* roots, DenialLog* denials);

  SocketAnswer Answer(const seccomp_notif& notification, int listener);
  // The socket could not be given to the caller.
  void Withdraw(OwnSocket* socket) { sockets_.Remove(socket); }

  // Connections that wait until there is room for them at the server.
  WaitingConnects& waiting() { return waiting_; }
  // Tries one of them again. False: it waits on.
  bool Retry(WaitingConnect* waiting, int* error);

  LoopbackServers& servers() { return servers_; }

 private:
  // Of a connection that is not there yet: it is tried again.
  static constexpr int kLater = 1;
  // The kernel cuts it to net.core.somaxconn.
  static constexpr int kLongestQueue = INT32_MAX;

  int Make(const SocketCall& call, OwnSocket** made);
  int CheckKind(const SocketCall& call);
  int CheckInetKind(const SocketCall& call);
  int MakeRoomFor(const SocketCall& call);
  int BindToLoopback(int socket);

  int Bind(const SocketCall& call, OwnSocket* socket);
  int BindInet(const SocketCall& call, OwnSocket* socket);
  int BindToPort(const InetAddress& address, OwnSocket* socket);
  int BindToFreePort(InetAddress address, OwnSocket* socket);
  int FindFreePort(const InetAddress& address, const OwnSocket& socket, uint16_t* port);
  int BindUnix(const SocketCall& call, OwnSocket* socket);
  int BindName(const SocketCall& call, int base, int directory, const char* name, OwnSocket* socket);
  bool IsBoundTo(const OwnSocket& socket, const kernel::Status& status);
  void KeepFewBound();
  int BindNetlink(const SocketCall& call, OwnSocket* socket);
  int Listen(OwnSocket* socket);
  int ListenInet(OwnSocket* socket);

  int Connect(const SocketCall& call, OwnSocket* socket, SocketAnswer* answer, uint64_t id, int listener);
  int ReadTarget(const SocketCall& call, OwnSocket* socket, WaitingConnect* target);
  int ReadInetTarget(const SocketCall& call, const OwnSocket& socket, InetAddress* to);
  int ReadUnixTarget(const SocketCall& call, kernel::Descriptor* file);
  // 0, kLater, or -errno.
  int Try(const WaitingConnect& target, OwnSocket* socket);
  int TryInet(const InetAddress& to, OwnSocket* socket);
  int CheckConnection(const InetAddress& to, const Server& server, int fd);
  int TryUnix(int file, OwnSocket* socket);

  int Deny(protocol::Operation operation, const char* text, int error);

  const SocketRules* rules_ = nullptr;
  uint64_t proxy_id_ = 0;  // of its socket, as Server has it
  const sandbox::WritableRoots* roots_ = nullptr;
  DenialLog* denials_ = nullptr;
  size_t most_held_per_state_ = 0;
  OwnSockets sockets_;
  LoopbackServers servers_{&sockets_};
  BoundNames names_;
  NameBinder binder_;
  WaitingConnects waiting_;
};

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_SOCKET_BROKER_H_
