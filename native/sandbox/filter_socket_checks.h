// Decisions of the filter about sockets where a broker makes them. Each is a piece of program that ends with
// an answer.
#ifndef BASHWARD_SANDBOX_FILTER_SOCKET_CHECKS_H_
#define BASHWARD_SANDBOX_FILTER_SOCKET_CHECKS_H_

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/bpf_program.h"

namespace bashward::sandbox {

// TCP Fast Open connects as it sends.
template <int kFlags>
constexpr void CheckSending(BpfProgram* program) {
  constexpr uint32_t kFastOpen = 0x20000000;  // MSG_FASTOPEN
  program->LoadArgument(kFlags);
  program->RefuseIfAnySet(kFastOpen, EOPNOTSUPP);
  program->Allow();
}

struct SocketOptions {
  uint32_t level;
  const uint32_t* allowed;
  size_t count;
};

// Of SOL_SOCKET. Not among them: SO_REUSEPORT, with which a socket takes a part of the connections of another
// server; what binds it to another device; filters, marks and priorities.
inline constexpr uint32_t kGeneralOptions[] = {
    2,   // SO_REUSEADDR
    6,   // SO_BROADCAST
    7,   // SO_SNDBUF
    8,   // SO_RCVBUF
    9,   // SO_KEEPALIVE
    10,  // SO_OOBINLINE
    13,  // SO_LINGER
    16,  // SO_PASSCRED
    18,  // SO_RCVLOWAT
    20,  // SO_RCVTIMEO
    21,  // SO_SNDTIMEO
    29,  // SO_TIMESTAMP
    35,  // SO_TIMESTAMPNS
    49,  // SO_INCOMING_CPU
    66,  // SO_RCVTIMEO_NEW
    67,  // SO_SNDTIMEO_NEW
};

// Not among them: options of TCP Fast Open, which connect late, or before the other end has agreed; another
// protocol above TCP; repairing and signing.
inline constexpr uint32_t kTcpOptions[] = {
    1,   // TCP_NODELAY
    2,   // TCP_MAXSEG
    3,   // TCP_CORK
    4,   // TCP_KEEPIDLE
    5,   // TCP_KEEPINTVL
    6,   // TCP_KEEPCNT
    7,   // TCP_SYNCNT
    8,   // TCP_LINGER2
    9,   // TCP_DEFER_ACCEPT
    10,  // TCP_WINDOW_CLAMP
    12,  // TCP_QUICKACK
    18,  // TCP_USER_TIMEOUT
    25,  // TCP_NOTSENT_LOWAT
    36,  // TCP_INQ
};

// Not among them: source routes and other options in packets, addresses that are not this machine's, and
// other interfaces.
inline constexpr uint32_t kIpOptions[] = {
    1,   // IP_TOS
    2,   // IP_TTL
    8,   // IP_PKTINFO
    10,  // IP_MTU_DISCOVER
    11,  // IP_RECVERR
    12,  // IP_RECVTTL
    13,  // IP_RECVTOS
    24,  // IP_BIND_ADDRESS_NO_PORT
};

// Nor what turns a socket into one of IPv4.
inline constexpr uint32_t kIpv6Options[] = {
    16,  // IPV6_UNICAST_HOPS
    23,  // IPV6_MTU_DISCOVER
    25,  // IPV6_RECVERR
    26,  // IPV6_V6ONLY
    49,  // IPV6_RECVPKTINFO
    51,  // IPV6_RECVHOPLIMIT
    62,  // IPV6_DONTFRAG
    66,  // IPV6_RECVTCLASS
    67,  // IPV6_TCLASS
};

inline constexpr SocketOptions kSocketOptions[] = {
    {0, kIpOptions, sizeof kIpOptions / sizeof *kIpOptions},                 // IPPROTO_IP
    {1, kGeneralOptions, sizeof kGeneralOptions / sizeof *kGeneralOptions},  // SOL_SOCKET
    {6, kTcpOptions, sizeof kTcpOptions / sizeof *kTcpOptions},              // IPPROTO_TCP
    {41, kIpv6Options, sizeof kIpv6Options / sizeof *kIpv6Options},          // IPPROTO_IPV6
};

// What is not known to be harmless gets the answer of a kernel that does not know it: programs then go on
// without.
constexpr void CheckSetsockopt(BpfProgram* program) {
  constexpr uint32_t kNetlink = 270;  // SOL_NETLINK
  for (const SocketOptions& options : kSocketOptions) {
    program->LoadArgument(1);
    const size_t section = program->BeginIfEqual(options.level);
    program->LoadArgument(2);
    for (size_t i = 0; i < options.count; ++i) program->AllowIfEqual(options.allowed[i]);
    program->Refuse(ENOPROTOOPT);
    program->End(section);
  }
  program->AllowIfEqual(kNetlink);
  program->Refuse(ENOPROTOOPT);
}

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_FILTER_SOCKET_CHECKS_H_
