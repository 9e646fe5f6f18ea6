// Internet addresses as callers give them, and what they mean here. Only loopback has a meaning; what else an
// address says (a scope, a flow) is left out of the one that the broker uses: binding to an address with a
// scope would take a socket off the loopback device.
#ifndef BASHWARD_BROKER_SOCKETS_INET_ADDRESS_H_
#define BASHWARD_BROKER_SOCKETS_INET_ADDRESS_H_

#include <stddef.h>
#include <stdint.h>

#include "util/text.h"

namespace bashward::broker {

// Where a packet goes to or comes from. An IPv4 address that is written as one of IPv6 is one of IPv4.
struct Endpoint {
  uint16_t family;  // AF_INET, AF_INET6
  uint8_t address[16];
  uint16_t port;

  bool IsLoopback() const;
  bool IsUnspecified() const;
  bool operator==(const Endpoint& other) const;
};

struct InetAddress {
  uint16_t family;  // of the socket, and so the form in which it is written
  Endpoint endpoint;

  // 127.0.0.1 or ::1 in place of an address that says none: the kernel would take the socket's own one, which
  // can be any.
  void TakeLoopbackIfUnspecified();
};

// As large as the largest.
struct WrittenAddress {
  alignas(8) uint8_t bytes[28];
  uint32_t size;
};

// Of a socket of `family`: 0 or what the kernel would say of such an address, as -errno.
int ReadInetAddress(const uint8_t* bytes, size_t size, uint16_t family, InetAddress* address);
WrittenAddress Write(const InetAddress& address);
// "127.0.0.1:80", "[::1]:80"
using EndpointText = util::Text<64>;
EndpointText Show(const Endpoint& endpoint);

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_INET_ADDRESS_H_
