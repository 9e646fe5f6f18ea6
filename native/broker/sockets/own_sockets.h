// The sockets that the broker has made for its command.
//
// A system call names a socket by a descriptor, which can mean another one a moment later. So the broker acts
// on its own descriptor of what it has made, and finds that by its inode. It holds it until the socket has
// become a server's or is connected: from then on only its names are kept, or a port would stay taken after
// its program has closed it.
#ifndef BASHWARD_BROKER_SOCKETS_OWN_SOCKETS_H_
#define BASHWARD_BROKER_SOCKETS_OWN_SOCKETS_H_

#include <stddef.h>
#include <stdint.h>

#include "broker/kernel.h"

namespace bashward::broker {

enum class SocketState : uint8_t {
  kNone,       // the entry is free
  kFresh,      // held
  kBound,      // held
  kListening,  // not held
  kConnected,  // not held
};

struct OwnSocket {
  SocketState state = SocketState::kNone;
  bool lives = false;  // a mark for whoever looks for those that are closed
  uint16_t family = 0;
  uint16_t port = 0;  // once bound; of INET
  uint64_t inode = 0;
  uint64_t cookie = 0;
  uint64_t age = 0;           // the higher, the younger
  kernel::Descriptor handle;  // while it is held

  bool is_inet() const;
  bool is_held() const { return state == SocketState::kFresh || state == SocketState::kBound; }
};

class OwnSockets {
 public:
  // TCP sockets at a time. With more, a command could take all ports of the machine on loopback.
  static constexpr size_t kMostInet = 1024;

  // Null when there is no room.
  OwnSocket* Add(uint16_t family, uint64_t inode, uint64_t cookie, kernel::Descriptor handle);
  OwnSocket* FindInode(uint64_t inode);
  bool HasCookie(uint64_t cookie) const;
  // Closes the descriptor; what the socket is known by stays.
  void LetGo(OwnSocket* socket, SocketState state);
  void Remove(OwnSocket* socket);
  void MakeYoungest(OwnSocket* socket) { socket->age = ++ages_; }
  // Of those that are held in this state; null for none.
  OwnSocket* Oldest(SocketState state);

  size_t CountInet() const;
  size_t Count(SocketState state) const;

  // For loops: some of the entries are free.
  size_t size() const { return size_; }
  OwnSocket& operator[](size_t i) { return entries_[i]; }

 private:
  // The others are held for a while only.
  static constexpr size_t kCapacity = kMostInet + 512;

  OwnSocket entries_[kCapacity];
  size_t size_ = 0;
  uint64_t ages_ = 0;
};

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_OWN_SOCKETS_H_
