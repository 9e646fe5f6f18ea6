// Whose servers there are on loopback: the command's own ones, which the broker has made, or others'.
#ifndef BASHWARD_BROKER_SOCKETS_LOOPBACK_SERVERS_H_
#define BASHWARD_BROKER_SOCKETS_LOOPBACK_SERVERS_H_

#include <stdint.h>

#include "broker/sockets/inet_address.h"
#include "broker/sockets/own_sockets.h"
#include "broker/sockets/socket_diagnosis.h"

namespace bashward::broker {

struct Server {
  bool is_own;
  uint64_t id;  // its cookie, or its inode
};

class LoopbackServers {
 public:
  explicit LoopbackServers(OwnSockets* own) : own_(*own) {}

  // Finds out how the kernel can be asked. Once, before anything else.
  void Open();
  // For tests: as if the kernel had no sock_diag(7).
  void UseProc() { by_diagnosis_ = false; }

  // The one that a connection to there would come to. 0, -ENOENT, or another -errno.
  int Find(const Endpoint& to, Server* server);
  // Whether somebody else's server is on this port, on any address. 1, 0, or -errno.
  int HasForeign(uint16_t port);
  // Whether a connection has its other end, and on a socket that is bound to loopback if it is `own`.
  // 0, -ENOENT, -EPERM, or another -errno.
  int CheckPeer(const Endpoint& server, const Endpoint& client, bool own);
  // Forgets those of the command's that no process has any more. 0 or -errno.
  int ForgetClosed();

  SocketDiagnosis& diagnosis() { return diagnosis_; }

 private:
  struct Search;

  int FindInProc(const Endpoint& to, Server* server);
  bool Works();

  OwnSockets& own_;
  SocketDiagnosis diagnosis_;
  bool by_diagnosis_ = true;
};

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_LOOPBACK_SERVERS_H_
