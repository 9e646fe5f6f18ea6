// The kernel's TCP sockets as /proc/net/tcp and tcp6 list them: for kernels without sock_diag(7).
#ifndef BASHWARD_BROKER_SOCKETS_PROC_NET_TCP_H_
#define BASHWARD_BROKER_SOCKETS_PROC_NET_TCP_H_

#include <stdint.h>

#include "broker/sockets/inet_address.h"

namespace bashward::broker {

struct ListedSocket {
  Endpoint local;
  Endpoint remote;
  uint8_t state;   // TCP_*
  uint64_t inode;  // 0: no process has it any more
};

// Calls `visit` for each. 0 or -errno.
using VisitListed = void (*)(void* context, const ListedSocket& socket);
int ForEachListedSocket(VisitListed visit, void* context);

// One line of such a file, without its end. False for what is none.
bool ParseListedSocket(const char* line, uint16_t family, ListedSocket* socket);

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_PROC_NET_TCP_H_
