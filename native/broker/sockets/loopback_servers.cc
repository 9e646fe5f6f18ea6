#include "broker/sockets/loopback_servers.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "broker/sockets/proc_net_tcp.h"

namespace bashward::broker {
namespace {

constexpr uint8_t kListen = 10;  // TCP_LISTEN
constexpr uint32_t kListening = 1U << kListen;
constexpr uint32_t kAnyState = UINT32_MAX;
constexpr uint16_t kFamilies[] = {AF_INET, AF_INET6};

// Nobody sends from there: it is found as a listener, or not at all.
Endpoint Nobody(uint16_t family) {
  Endpoint endpoint{};
  endpoint.family = family;
  endpoint.address[family == AF_INET ? 0 : 15] = family == AF_INET ? 127 : 1;
  endpoint.address[3] = family == AF_INET ? 1 : 0;
  return endpoint;
}

}  // namespace

struct LoopbackServers::Search {
  const LoopbackServers* self;
  Endpoint to;
  Endpoint from;
  uint64_t id;
  bool found;
  bool is_foreign;
};

void LoopbackServers::Open() {
  by_diagnosis_ = diagnosis_.Open() && Works();
}

// The kernel says of what it does not know how to find that it is not there.
bool LoopbackServers::Works() {
  InetAddress address{AF_INET, Nobody(AF_INET)};
  const kernel::Descriptor probe(kernel::Call(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int device = kLoopbackDevice;
  WrittenAddress written = Write(address);
  if (!probe.valid() ||
      kernel::Call(SYS_setsockopt, probe.get(), SOL_SOCKET, SO_BINDTOIFINDEX, &device, sizeof device) != 0 ||
      kernel::Call(SYS_bind, probe.get(), written.bytes, written.size) != 0 ||
      kernel::Call(SYS_listen, probe.get(), 1) != 0 ||
      kernel::Call(SYS_getsockname, probe.get(), written.bytes, &written.size) != 0 ||
      ReadInetAddress(written.bytes, written.size, AF_INET, &address) != 0) {
    return true;  // there will be no servers either
  }
  KnownSocket found;
  return diagnosis_.Find(address.endpoint, Nobody(AF_INET), &found) == 0;
}

int LoopbackServers::Find(const Endpoint& to, Server* server) {
  if (!by_diagnosis_) return FindInProc(to, server);
  KnownSocket found;
  const int error = diagnosis_.Find(to, Nobody(to.family), &found);
  if (error != 0) return error;
  *server = {found.state == kListen && own_.HasCookie(found.cookie), found.cookie};
  return 0;
}

// The kernel takes the one with the address before those of all addresses, and those of IPv6 can be meant for
// IPv4, too. One that is another's is enough.
int LoopbackServers::FindInProc(const Endpoint& to, Server* server) {
  Search search{this, to, {}, 0, false, false};
  const int error = ForEachListedSocket(
      [](void* context, const ListedSocket& socket) {
        auto& its = *static_cast<Search*>(context);
        if (socket.state != kListen || socket.local.port != its.to.port) return;
        if (!(socket.local == its.to) && !socket.local.IsUnspecified()) return;
        if (socket.local.family == AF_INET && its.to.family == AF_INET6) return;
        const OwnSocket* const own = its.self->own_.FindInode(socket.inode);
        const bool is_own = own != nullptr && own->state == SocketState::kListening;
        if (!is_own || !its.found) its.id = socket.inode;
        its.is_foreign = its.is_foreign || !is_own;
        its.found = true;
      },
      &search);
  if (error != 0) return error;
  *server = {!search.is_foreign, search.id};
  return search.found ? 0 : -ENOENT;
}

int LoopbackServers::HasForeign(uint16_t port) {
  Search search{this, {}, {}, 0, false, false};
  search.to.port = port;
  if (!by_diagnosis_) {
    const int error = ForEachListedSocket(
        [](void* context, const ListedSocket& socket) {
          auto& its = *static_cast<Search*>(context);
          if (socket.state != kListen || socket.local.port != its.to.port) return;
          its.is_foreign = its.is_foreign || its.self->own_.FindInode(socket.inode) == nullptr;
        },
        &search);
    return error != 0 ? error : search.is_foreign ? 1 : 0;
  }
  for (const uint16_t family : kFamilies) {
    const int error = diagnosis_.ForEach(
        family, kListening, port,
        [](void* context, const KnownSocket& socket) {
          auto& its = *static_cast<Search*>(context);
          its.is_foreign = its.is_foreign || !its.self->own_.HasCookie(socket.cookie);
        },
        &search);
    // Without IPv6 there is nobody to ask.
    if (error != 0 && (family == AF_INET || error != -ENOENT)) return error;
  }
  return search.is_foreign ? 1 : 0;
}

int LoopbackServers::CheckPeer(const Endpoint& server, const Endpoint& client, bool own) {
  if (by_diagnosis_) {
    KnownSocket found;
    const int error = diagnosis_.Find(server, client, &found);
    if (error != 0) return error;
    if (found.state == kListen) return -ENOENT;
    return own && found.device != kLoopbackDevice ? -EPERM : 0;
  }
  Search search{this, server, client, 0, false, false};
  const int error = ForEachListedSocket(
      [](void* context, const ListedSocket& socket) {
        auto& its = *static_cast<Search*>(context);
        its.found = its.found || (socket.local == its.to && socket.remote == its.from);
      },
      &search);
  return error != 0 ? error : search.found ? 0 : -ENOENT;
}

int LoopbackServers::ForgetClosed() {
  for (size_t i = 0; i < own_.size(); ++i) own_[i].lives = own_[i].is_held() || !own_[i].is_inet();
  int error = 0;
  if (by_diagnosis_) {
    for (const uint16_t family : kFamilies) {
      const int result = diagnosis_.ForEach(
          family, kAnyState, 0,
          [](void* context, const KnownSocket& socket) {
            if (socket.inode == 0) return;
            OwnSockets& own = *static_cast<OwnSockets*>(context);
            OwnSocket* const known = own.FindInode(socket.inode);
            if (known != nullptr && known->cookie == socket.cookie) known->lives = true;
          },
          &own_);
      if (result != 0 && (family == AF_INET || result != -ENOENT)) error = result;
    }
  } else {
    error = ForEachListedSocket(
        [](void* context, const ListedSocket& socket) {
          OwnSocket* const known = static_cast<OwnSockets*>(context)->FindInode(socket.inode);
          if (known != nullptr) known->lives = true;
        },
        &own_);
  }
  if (error != 0) return error;
  for (size_t i = 0; i < own_.size(); ++i) {
    if (own_[i].state != SocketState::kNone && !own_[i].lives) own_.Remove(&own_[i]);
  }
  return 0;
}

}  // namespace bashward::broker
