// Connections that found no room in the queue of their server. The kernel would go on trying for minutes, and
// reach whoever has the port by then: so the broker gives up each try at once, and makes a new one, with a
// new look at whose server it is.
#ifndef BASHWARD_BROKER_SOCKETS_WAITING_CONNECTS_H_
#define BASHWARD_BROKER_SOCKETS_WAITING_CONNECTS_H_

#include <stddef.h>
#include <stdint.h>

#include "broker/kernel.h"
#include "broker/sockets/inet_address.h"

namespace bashward::broker {

struct WaitingConnect {
  uint64_t id = 0;  // of the notification; 0: the entry is free
  int listener = -1;
  uint64_t inode = 0;  // of the socket
  InetAddress to;
  kernel::Descriptor file;  // of a Unix socket, in place of an address
  uint64_t next_ms = 0;
  uint64_t delay_ms = 0;
  uint64_t end_ms = 0;
};

class WaitingConnects {
 public:
  // False when there is no room.
  bool Add(WaitingConnect connect);
  bool HasInode(uint64_t inode) const;
  // The first that is to be tried now; null for none.
  WaitingConnect* Due(uint64_t now_ms);
  // It stays, and is tried later.
  static void PutOff(WaitingConnect* connect, uint64_t now_ms);
  static void Remove(WaitingConnect* connect) { *connect = WaitingConnect(); }
  // UINT64_MAX for never.
  uint64_t NextMs() const;

 private:
  static constexpr size_t kCapacity = 256;

  WaitingConnect entries_[kCapacity];
  size_t size_ = 0;
};

// Of the monotonic clock.
uint64_t ClockMs();

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_WAITING_CONNECTS_H_
