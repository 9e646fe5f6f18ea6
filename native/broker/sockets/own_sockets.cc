#include "broker/sockets/own_sockets.h"

#include <sys/socket.h>

#include <utility>

namespace bashward::broker {

bool OwnSocket::is_inet() const {
  return family == AF_INET || family == AF_INET6;
}

OwnSocket* OwnSockets::Add(uint16_t family, uint64_t inode, uint64_t cookie, kernel::Descriptor handle) {
  OwnSocket* free = nullptr;
  for (size_t i = 0; i < size_; ++i) {
    if (entries_[i].state == SocketState::kNone) {
      free = &entries_[i];
      break;
    }
    // Of these only a second call would want to know.
    const bool is_dispensable = !entries_[i].is_held() && !entries_[i].is_inet();
    if (is_dispensable && (free == nullptr || entries_[i].age < free->age)) free = &entries_[i];
  }
  if ((free == nullptr || free->state != SocketState::kNone) && size_ < kCapacity) free = &entries_[size_++];
  if (free == nullptr) return nullptr;
  free->state = SocketState::kFresh;
  free->family = family;
  free->port = 0;
  free->inode = inode;
  free->cookie = cookie;
  free->age = ++ages_;
  free->handle = std::move(handle);
  return free;
}

// An inode can have got its number anew, so the youngest.
OwnSocket* OwnSockets::FindInode(uint64_t inode) {
  OwnSocket* found = nullptr;
  for (size_t i = 0; i < size_; ++i) {
    OwnSocket& entry = entries_[i];
    if (entry.state == SocketState::kNone || entry.inode != inode) continue;
    if (found == nullptr || entry.age > found->age) found = &entry;
  }
  return found;
}

bool OwnSockets::HasCookie(uint64_t cookie) const {
  for (size_t i = 0; i < size_; ++i) {
    if (entries_[i].state != SocketState::kNone && entries_[i].cookie == cookie) return true;
  }
  return false;
}

void OwnSockets::LetGo(OwnSocket* socket, SocketState state) {
  socket->state = state;
  socket->handle = kernel::Descriptor();
}

void OwnSockets::Remove(OwnSocket* socket) {
  LetGo(socket, SocketState::kNone);
}

OwnSocket* OwnSockets::Oldest(SocketState state) {
  OwnSocket* oldest = nullptr;
  for (size_t i = 0; i < size_; ++i) {
    OwnSocket& entry = entries_[i];
    if (entry.state == state && (oldest == nullptr || entry.age < oldest->age)) oldest = &entry;
  }
  return oldest;
}

size_t OwnSockets::CountInet() const {
  size_t count = 0;
  for (size_t i = 0; i < size_; ++i) {
    count += entries_[i].state != SocketState::kNone && entries_[i].is_inet() ? 1 : 0;
  }
  return count;
}

size_t OwnSockets::Count(SocketState state) const {
  size_t count = 0;
  for (size_t i = 0; i < size_; ++i) count += entries_[i].state == state ? 1 : 0;
  return count;
}

}  // namespace bashward::broker
