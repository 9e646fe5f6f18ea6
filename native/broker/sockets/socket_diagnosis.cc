#include "broker/sockets/socket_diagnosis.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

namespace bashward::broker {
namespace {

constexpr uint32_t kAllStates = UINT32_MAX;

struct InetRequest {
  nlmsghdr header;
  inet_diag_req_v2 body;
};

struct UnixRequest {
  nlmsghdr header;
  unix_diag_req body;
};

uint16_t InNetworkOrder(uint16_t number) {
  return static_cast<uint16_t>(number << 8 | number >> 8);
}

void PutEndpoint(const Endpoint& endpoint, __be32* address, __be16* port) {
  memcpy(address, endpoint.address, sizeof endpoint.address);
  *port = InNetworkOrder(endpoint.port);
}

KnownSocket ToKnown(const inet_diag_msg& message) {
  const uint64_t upper = message.id.idiag_cookie[1];
  return {upper << 32 | message.id.idiag_cookie[0], message.idiag_inode, message.id.idiag_if,
          message.idiag_state};
}

InetRequest MakeRequest(uint16_t family, uint32_t states, uint16_t flags) {
  InetRequest request{};
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = static_cast<uint16_t>(NLM_F_REQUEST | flags);
  request.body.sdiag_family = static_cast<uint8_t>(family);
  request.body.sdiag_protocol = IPPROTO_TCP;
  request.body.idiag_states = states;
  request.body.id.idiag_cookie[0] = request.body.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return request;
}

}  // namespace

bool SocketDiagnosis::Open() {
  netlink_ =
      kernel::Descriptor(kernel::Call(SYS_socket, AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  return netlink_.valid();
}

int SocketDiagnosis::Ask(const void* request, size_t size) {
  filled_ = position_ = 0;
  nlmsghdr header;
  memcpy(&header, request, sizeof header);
  header.nlmsg_seq = ++sequence_;
  alignas(8) char message[128];
  memcpy(message, request, size);
  memcpy(message, &header, sizeof header);
  const long sent = kernel::Call(SYS_sendto, netlink_.get(), message, size, 0, nullptr, 0);
  return sent < 0 ? static_cast<int>(sent) : 0;
}

int SocketDiagnosis::Receive(const char** body, size_t* size) {
  for (;;) {
    if (position_ + sizeof(nlmsghdr) > filled_) {
      // The kernel has answered before the request returned; of a long answer, before it was read so far.
      const long count =
          kernel::Call(SYS_recvfrom, netlink_.get(), buffer_, sizeof buffer_, MSG_DONTWAIT, nullptr, nullptr);
      if (count == -EINTR) continue;
      if (count <= 0) return count == 0 ? -EPIPE : static_cast<int>(count);
      filled_ = static_cast<size_t>(count);
      position_ = 0;
      continue;
    }
    nlmsghdr header;
    memcpy(&header, buffer_ + position_, sizeof header);
    if (header.nlmsg_len < sizeof header || position_ + header.nlmsg_len > filled_) return -EPROTO;
    *body = buffer_ + position_ + sizeof header;
    *size = header.nlmsg_len - sizeof header;
    position_ += NLMSG_ALIGN(header.nlmsg_len);
    // The rest of an answer that nobody has read to its end.
    if (header.nlmsg_seq != sequence_) continue;
    if (header.nlmsg_type != NLMSG_ERROR) return header.nlmsg_type;
    int error = 0;
    if (*size >= sizeof error) memcpy(&error, *body, sizeof error);
    return error < 0 ? error : -EPROTO;
  }
}

int SocketDiagnosis::AskOnce(const void* request, size_t size, const char** body, size_t* body_size) {
  const int error = Ask(request, size);
  if (error != 0) return error;
  const int type = Receive(body, body_size);
  return type < 0 ? type : 0;
}

int SocketDiagnosis::Find(const Endpoint& local, const Endpoint& remote, KnownSocket* found) {
  InetRequest request = MakeRequest(local.family, kAllStates, 0);
  PutEndpoint(local, request.body.id.idiag_src, &request.body.id.idiag_sport);
  PutEndpoint(remote, request.body.id.idiag_dst, &request.body.id.idiag_dport);
  request.body.id.idiag_if = kLoopbackDevice;
  const char* body = nullptr;
  size_t size = 0;
  const int error = AskOnce(&request, sizeof request, &body, &size);
  if (error != 0) return error;
  inet_diag_msg message;
  if (size < sizeof message) return -EPROTO;
  memcpy(&message, body, sizeof message);
  *found = ToKnown(message);
  return 0;
}

int SocketDiagnosis::ForEach(uint16_t family, uint32_t states, uint16_t port, Visit visit, void* context) {
  InetRequest request = MakeRequest(family, states, NLM_F_DUMP);
  request.body.id.idiag_sport = InNetworkOrder(port);
  const int error = Ask(&request, sizeof request);
  if (error != 0) return error;
  for (;;) {
    const char* body = nullptr;
    size_t size = 0;
    const int type = Receive(&body, &size);
    if (type < 0) return type;
    if (type == NLMSG_DONE) return 0;
    inet_diag_msg message;
    if (size < sizeof message) return -EPROTO;
    memcpy(&message, body, sizeof message);
    visit(context, ToKnown(message));
  }
}

int SocketDiagnosis::FindFile(uint32_t socket_inode, uint64_t cookie, BoundFile* file) {
  UnixRequest request{};
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  request.body.sdiag_family = AF_UNIX;
  request.body.udiag_states = kAllStates;
  request.body.udiag_ino = socket_inode;
  request.body.udiag_show = UDIAG_SHOW_VFS;
  request.body.udiag_cookie[0] = static_cast<uint32_t>(cookie);
  request.body.udiag_cookie[1] = static_cast<uint32_t>(cookie >> 32);
  const char* body = nullptr;
  size_t size = 0;
  const int error = AskOnce(&request, sizeof request, &body, &size);
  if (error != 0) return error;
  for (size_t at = sizeof(unix_diag_msg); at + sizeof(rtattr) <= size;) {
    rtattr attribute;
    memcpy(&attribute, body + at, sizeof attribute);
    if (attribute.rta_len < sizeof attribute || at + attribute.rta_len > size) return -EPROTO;
    unix_diag_vfs bound;
    if (attribute.rta_type == UNIX_DIAG_VFS && attribute.rta_len >= RTA_LENGTH(sizeof bound)) {
      memcpy(&bound, body + at + RTA_LENGTH(0), sizeof bound);
      *file = {bound.udiag_vfs_ino, bound.udiag_vfs_dev};
      return 0;
    }
    at += RTA_ALIGN(attribute.rta_len);
  }
  return -ENODATA;
}

}  // namespace bashward::broker
