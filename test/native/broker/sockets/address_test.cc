// Addresses as they are read, written and shown; and lines of /proc/net/tcp.
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "broker/sockets/inet_address.h"
#include "broker/sockets/proc_net_tcp.h"
#include "broker/sockets/socketed.h"

namespace bashward::broker {
namespace {

template <typename Name>
int Read(const Name& name, uint16_t family, InetAddress* address, size_t size = sizeof(Name)) {
  return ReadInetAddress(reinterpret_cast<const uint8_t*>(&name), size, family, address);
}

std::string Shown6(const char* text) {
  InetAddress address;
  EXPECT_EQ(Read(test::Address6(text, 80), AF_INET6, &address), 0);
  return Show(address.endpoint).c_str();
}

TEST(InetAddress, IsShownAsPeopleWriteIt) {
  InetAddress address;
  ASSERT_EQ(Read(test::Address("127.0.0.1", 5432), AF_INET, &address), 0);
  EXPECT_STREQ(Show(address.endpoint).c_str(), "127.0.0.1:5432");
  EXPECT_EQ(Shown6("::1"), "[::1]:80");
  EXPECT_EQ(Shown6("::"), "[::]:80");
  EXPECT_EQ(Shown6("fe80::1:0:0:2"), "[fe80::1:0:0:2]:80");
  EXPECT_EQ(Shown6("1:2:3:4:5:6:7:8"), "[1:2:3:4:5:6:7:8]:80");
  EXPECT_EQ(Shown6("2001:db8::"), "[2001:db8::]:80");
  EXPECT_EQ(Shown6("::ffff:10.0.0.1"), "10.0.0.1:80");
}

TEST(InetAddress, IsWrittenWithoutScopeAndFlow) {
  sockaddr_in6 given = test::Address6("::1", 80, 7);
  given.sin6_flowinfo = htonl(9);
  InetAddress address;
  ASSERT_EQ(Read(given, AF_INET6, &address), 0);
  const WrittenAddress written = Write(address);
  const sockaddr_in6 expected = test::Address6("::1", 80);
  ASSERT_EQ(written.size, sizeof expected);
  EXPECT_EQ(memcmp(written.bytes, &expected, sizeof expected), 0);
}

TEST(InetAddress, KeepsTheFormOfItsSocket) {
  InetAddress address;
  ASSERT_EQ(Read(test::Address6("::ffff:0.0.0.0", 80), AF_INET6, &address), 0);
  EXPECT_EQ(address.endpoint.family, AF_INET);
  address.TakeLoopbackIfUnspecified();
  const sockaddr_in6 expected = test::Address6("::ffff:127.0.0.1", 80);
  EXPECT_EQ(memcmp(Write(address).bytes, &expected, sizeof expected), 0);
}

TEST(InetAddress, IsRefusedAsTheKernelDoes) {
  InetAddress address;
  EXPECT_EQ(Read(test::Address("127.0.0.1", 1), AF_INET, &address, 15), -EINVAL);
  EXPECT_EQ(Read(test::Address6("::1", 1), AF_INET6, &address, 23), -EINVAL);
  EXPECT_EQ(Read(test::Address6("::1", 1), AF_INET6, &address, 24), 0);
  EXPECT_EQ(Read(test::Address6("::1", 1), AF_INET, &address), -EAFNOSUPPORT);
}

TEST(ParseListedSocket, ReadsBothFamilies) {
  ListedSocket socket;
  ASSERT_TRUE(
      ParseListedSocket("   0: 0100007F:1F90 0200007F:0050 0A 00000000:00000000 00:00000000 00000000 "
                        " 1000        0 12345 1 0000000000000000 100 0 0 10 0",
                        AF_INET, &socket));
  EXPECT_STREQ(Show(socket.local).c_str(), "127.0.0.1:8080");
  EXPECT_STREQ(Show(socket.remote).c_str(), "127.0.0.2:80");
  EXPECT_EQ(socket.state, 10);
  EXPECT_EQ(socket.inode, 12345U);
  ASSERT_TRUE(
      ParseListedSocket("  11: 00000000000000000000000001000000:1F90 "
                        "0000000000000000FFFF00000100007F:0050 01 00000000:00000000 00:00000000 "
                        "00000000  1000        0 7 1",
                        AF_INET6, &socket));
  EXPECT_STREQ(Show(socket.local).c_str(), "[::1]:8080");
  EXPECT_STREQ(Show(socket.remote).c_str(), "127.0.0.1:80");
}

TEST(ParseListedSocket, RefusesOtherLines) {
  ListedSocket socket;
  for (const char* line : {"", "  sl  local_address rem_address   st", "0: 0100007F:1F90", "0: zz"}) {
    EXPECT_FALSE(ParseListedSocket(line, AF_INET, &socket)) << line;
  }
}

}  // namespace
}  // namespace bashward::broker
