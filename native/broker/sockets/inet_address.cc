#include "broker/sockets/inet_address.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

namespace bashward::broker {
namespace {

// struct sockaddr_in and sockaddr_in6: family, port in network order, then the address; of IPv6 after a flow.
constexpr size_t kSize4 = 16;
constexpr size_t kSmallest6 = 24;  // SIN6_LEN_RFC2133
constexpr size_t kSize6 = 28;
constexpr size_t kAddress4 = 4;
constexpr size_t kAddress6 = 8;
constexpr size_t kBytes4 = 4;
constexpr size_t kBytes6 = 16;
constexpr size_t kMappedPrefix = 12;
constexpr uint8_t kLoopbackNet = 127;

size_t LengthOf(uint16_t family) {
  return family == AF_INET ? kBytes4 : kBytes6;
}

bool AreZero(const uint8_t* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (bytes[i] != 0) return false;
  }
  return true;
}

bool IsMapped(const uint8_t* address) {
  return AreZero(address, 10) && address[10] == 0xff && address[11] == 0xff;
}

constexpr uint8_t kLoopback4[] = {127, 0, 0, 1};

void ShowHex(uint32_t number, EndpointText* text) {
  char digits[5] = {};
  int count = 0;
  for (int shift = 12; shift >= 0; shift -= 4) {
    const uint32_t digit = (number >> shift) & 0xf;
    if (count > 0 || digit > 0 || shift == 0) digits[count++] = "0123456789abcdef"[digit];
  }
  *text << digits;
}

// The longest run of zero groups is left out (RFC 5952).
void Show6(const uint8_t* address, EndpointText* text) {
  constexpr int kGroups = 8;
  uint32_t groups[kGroups];
  for (int i = 0; i < kGroups; ++i) groups[i] = address[2 * i] * 256U + address[2 * i + 1];
  int first = kGroups;
  int length = 1;
  for (int i = 0; i < kGroups; ++i) {
    int end = i;
    while (end < kGroups && groups[end] == 0) ++end;
    if (end - i > length) {
      first = i;
      length = end - i;
    }
  }
  for (int i = 0; i < kGroups; ++i) {
    if (i == first) {
      *text << "::";
      i += length - 1;
      continue;
    }
    if (i > 0 && i != first + length) *text << ":";
    ShowHex(groups[i], text);
  }
}

}  // namespace

bool Endpoint::IsLoopback() const {
  if (family == AF_INET) return address[0] == kLoopbackNet;
  return AreZero(address, kBytes6 - 1) && address[kBytes6 - 1] == 1;
}

bool Endpoint::IsUnspecified() const {
  return AreZero(address, LengthOf(family));
}

bool Endpoint::operator==(const Endpoint& other) const {
  if (family != other.family || port != other.port) return false;
  for (size_t i = 0; i < LengthOf(family); ++i) {
    if (address[i] != other.address[i]) return false;
  }
  return true;
}

void InetAddress::TakeLoopbackIfUnspecified() {
  if (!endpoint.IsUnspecified()) return;
  if (endpoint.family == AF_INET) {
    memcpy(endpoint.address, kLoopback4, sizeof kLoopback4);
  } else {
    endpoint.address[kBytes6 - 1] = 1;
  }
}

int ReadInetAddress(const uint8_t* bytes, size_t size, uint16_t family, InetAddress* address) {
  uint16_t given = 0;
  if (size < sizeof given) return -EINVAL;
  memcpy(&given, bytes, sizeof given);
  memset(address, 0, sizeof *address);
  address->family = family;
  Endpoint& endpoint = address->endpoint;
  if (size < (family == AF_INET ? kSize4 : kSmallest6)) return -EINVAL;
  endpoint.port = static_cast<uint16_t>(bytes[2] * 256 + bytes[3]);
  const uint8_t* const at = bytes + (family == AF_INET ? kAddress4 : kAddress6);
  // Old programs leave the family of the address of all interfaces out.
  const bool is_old = given == AF_UNSPEC && family == AF_INET && AreZero(at, kBytes4);
  if (given != family && !is_old) return -EAFNOSUPPORT;
  if (family == AF_INET || IsMapped(at)) {
    endpoint.family = AF_INET;
    memcpy(endpoint.address, family == AF_INET ? at : at + kMappedPrefix, kBytes4);
  } else {
    endpoint.family = AF_INET6;
    memcpy(endpoint.address, at, kBytes6);
  }
  return 0;
}

WrittenAddress Write(const InetAddress& address) {
  WrittenAddress written{};
  const Endpoint& endpoint = address.endpoint;
  memcpy(written.bytes, &address.family, sizeof address.family);
  written.bytes[2] = static_cast<uint8_t>(endpoint.port >> 8);
  written.bytes[3] = static_cast<uint8_t>(endpoint.port & 0xff);
  written.size = address.family == AF_INET ? kSize4 : kSize6;
  if (address.family == AF_INET) {
    memcpy(written.bytes + kAddress4, endpoint.address, kBytes4);
  } else if (endpoint.family == AF_INET) {
    written.bytes[kAddress6 + 10] = written.bytes[kAddress6 + 11] = 0xff;
    memcpy(written.bytes + kAddress6 + kMappedPrefix, endpoint.address, kBytes4);
  } else {
    memcpy(written.bytes + kAddress6, endpoint.address, kBytes6);
  }
  return written;
}

EndpointText Show(const Endpoint& endpoint) {
  EndpointText text;
  if (endpoint.family == AF_INET) {
    for (size_t i = 0; i < kBytes4; ++i) text << (i == 0 ? "" : ".") << static_cast<int>(endpoint.address[i]);
  } else {
    text << "[";
    Show6(endpoint.address, &text);
    text << "]";
  }
  text << ":" << static_cast<int>(endpoint.port);
  return text;
}

}  // namespace bashward::broker
