// What the filter says of sockets where a broker makes them.
#include "sandbox/filter_socket_checks.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <initializer_list>

#include "support/filter_program.h"

namespace bashward::sandbox {
namespace {

using test::kAllowed;
using test::kAsksBroker;

constexpr uint64_t kUpperHalf = 0x1234'5678'0000'0000;

int Judge(long number, std::initializer_list<uint64_t> arguments) {
  return test::BrokeredFilter().Judge(static_cast<uint32_t>(number), arguments);
}

int SetOption(uint64_t level, uint64_t option) {
  return Judge(SYS_setsockopt, {3, level, option, 0, 4});
}

TEST(BrokeredSockets, AreMadeBoundAndConnectedByTheBroker) {
  for (const long number : {SYS_socket, SYS_bind, SYS_listen, SYS_connect}) {
    EXPECT_EQ(Judge(number, {}), kAsksBroker) << number;
    EXPECT_EQ(Judge(number, {AF_NETLINK, SOCK_RAW, 12}), kAsksBroker) << number;
  }
}

TEST(BrokeredSockets, AcceptByThemselves) {
  EXPECT_EQ(Judge(SYS_accept, {3}), kAllowed);
  EXPECT_EQ(Judge(SYS_accept4, {3}), kAllowed);
}

TEST(BrokeredSockets, NeverConnectAsTheySend) {
  constexpr uint64_t kFastOpen = MSG_FASTOPEN;
  for (const uint64_t flags : {kFastOpen, kFastOpen | MSG_DONTWAIT, kUpperHalf | kFastOpen}) {
    EXPECT_EQ(Judge(SYS_sendto, {3, 0, 1, flags}), EOPNOTSUPP);
    EXPECT_EQ(Judge(SYS_sendmsg, {3, 0, flags}), EOPNOTSUPP);
    EXPECT_EQ(Judge(SYS_sendmmsg, {3, 0, 1, flags}), EOPNOTSUPP);
  }
  EXPECT_EQ(Judge(SYS_sendto, {3, 0, 1, MSG_NOSIGNAL}), kAllowed);
  EXPECT_EQ(Judge(SYS_sendmsg, {3, 0, MSG_NOSIGNAL}), kAllowed);
  EXPECT_EQ(Judge(SYS_sendmmsg, {3, 0, 1, MSG_NOSIGNAL}), kAllowed);
}

TEST(CheckSetsockopt, AllowsWhatServersAndClientsUse) {
  for (const uint64_t option :
       {SO_REUSEADDR, SO_KEEPALIVE, SO_LINGER, SO_SNDBUF, SO_RCVBUF, SO_RCVTIMEO, SO_SNDTIMEO}) {
    EXPECT_EQ(SetOption(SOL_SOCKET, option), kAllowed) << option;
  }
  for (const uint64_t option : {TCP_NODELAY, TCP_CORK, TCP_KEEPIDLE, TCP_QUICKACK, TCP_USER_TIMEOUT}) {
    EXPECT_EQ(SetOption(IPPROTO_TCP, option), kAllowed) << option;
  }
  EXPECT_EQ(SetOption(IPPROTO_IPV6, IPV6_V6ONLY), kAllowed);
  EXPECT_EQ(SetOption(IPPROTO_IP, IP_TOS), kAllowed);
  EXPECT_EQ(SetOption(kUpperHalf | SOL_SOCKET, kUpperHalf | SO_REUSEADDR), kAllowed);
}

TEST(CheckSetsockopt, RefusesWhatLeadsElsewhere) {
  constexpr uint64_t kBindToDevice = 25;
  constexpr uint64_t kBindToIndex = 62;
  constexpr uint64_t kMark = 36;
  for (const uint64_t option : {uint64_t{SO_REUSEPORT}, kBindToDevice, kBindToIndex, kMark}) {
    EXPECT_EQ(SetOption(SOL_SOCKET, option), ENOPROTOOPT) << option;
  }
  constexpr uint64_t kUpperProtocol = 31;
  constexpr uint64_t kConnectLate = 30;
  constexpr uint64_t kWithoutCookie = 34;
  for (const uint64_t option : {uint64_t{TCP_FASTOPEN}, kConnectLate, kWithoutCookie, kUpperProtocol,
                                uint64_t{TCP_REPAIR}, uint64_t{TCP_MD5SIG}}) {
    EXPECT_EQ(SetOption(IPPROTO_TCP, option), ENOPROTOOPT) << option;
  }
  EXPECT_EQ(SetOption(IPPROTO_IP, IP_OPTIONS), ENOPROTOOPT);
  EXPECT_EQ(SetOption(IPPROTO_IP, IP_TRANSPARENT), ENOPROTOOPT);
  EXPECT_EQ(SetOption(IPPROTO_IPV6, IPV6_ADDRFORM), ENOPROTOOPT);
  EXPECT_EQ(SetOption(IPPROTO_IPV6, IPV6_PKTINFO), ENOPROTOOPT);
}

TEST(CheckSetsockopt, RefusesLevelsThatItDoesNotKnow) {
  for (const uint64_t level : {2, 17, 132, 263, 279, 284}) {
    for (uint64_t option = 0; option < 80; ++option)
      EXPECT_EQ(SetOption(level, option), ENOPROTOOPT) << level;
  }
}

TEST(CheckSetsockopt, IsNotThereInRestrictedMode) {
  EXPECT_EQ(test::CompleteFilter().Judge(SYS_setsockopt, {3, SOL_SOCKET, SO_REUSEPORT}), kAllowed);
}

}  // namespace
}  // namespace bashward::sandbox
