// Which addresses a TCP socket of the broker's gets, and which servers there are.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "broker/sockets/socketed.h"

namespace bashward::test {
namespace {

class SocketBindingTest : public SocketTest {};
INSTANTIATE_TEST_SUITE_P(Users, SocketBindingTest, ::testing::ValuesIn(Users()),
                         [](const auto& user) { return NameOf(user.param); });

bool HasIpv6() {
  const sys::UniqueFd made = MakeSocket(AF_INET6);
  return made.valid() && BindTo(made, Address6("::1", 0)) == 0;
}

TEST_P(SocketBindingTest, TakesLoopbackAndAllAddresses) {
  InWorkspace([] {
    for (const char* address : {"127.0.0.1", "127.1.2.3", "0.0.0.0"}) {
      EXPECT_NE(PortOf(Serve(address)), 0) << address;
    }
    if (!HasIpv6()) return;
    for (const char* address : {"::1", "::", "::ffff:127.0.0.1", "::ffff:0.0.0.0"}) {
      EXPECT_NE(PortOf(Serve6(address)), 0) << address;
    }
  });
}

TEST_P(SocketBindingTest, RefusesOtherAddressesAndPrivilegedPorts) {
  WithServers([](Socketed& socketed) {
    socketed.Run([] {
      EXPECT_EQ(BindTo(MakeSocket(), Address("10.1.2.3", 3000)), EADDRNOTAVAIL);
      EXPECT_EQ(BindTo(MakeSocket(), Address("127.0.0.1", 80)), EACCES);
      EXPECT_EQ(BindTo(MakeSocket(AF_INET6), Address6("::ffff:10.1.2.3", 3000)), EADDRNOTAVAIL);
      EXPECT_EQ(BindTo(MakeSocket(AF_INET6), Address6("fe80::1", 3000, 1)), EADDRNOTAVAIL);
    });
    const std::vector<std::string> denied{"bind 10.1.2.3:3000", "bind 127.0.0.1:80", "bind [fe80::1]:3000"};
    EXPECT_EQ(socketed.Denied(), denied);
  });
}

TEST_P(SocketBindingTest, StaysOnLoopbackWhateverScopeAnAddressHas) {
  InWorkspace([] {
    if (!HasIpv6()) return;
    for (const uint32_t scope : {1U, 2U, 3U}) {
      const sys::UniqueFd made = MakeSocket(AF_INET6);
      BindTo(made, Address6("::1", 0, scope));
      BindTo(made, Address6("fe80::1", 0, scope));
      char device[16] = {};
      socklen_t size = sizeof device;
      EXPECT_EQ(getsockopt(made.get(), SOL_SOCKET, SO_BINDTODEVICE, device, &size), 0);
      EXPECT_STREQ(device, "lo");
    }
  });
}

TEST_P(SocketBindingTest, LeavesThePortsOfOthersInEitherFamily) {
  WithServers([](Socketed& socketed) {
    const sys::UniqueFd host = Serve();
    const uint16_t port = PortOf(host);
    socketed.Run([port] {
      EXPECT_EQ(BindTo(MakeSocket(), Address("127.0.0.1", port)), EADDRINUSE);
      EXPECT_EQ(BindTo(MakeSocket(), Address("127.0.0.2", port)), EADDRINUSE);
      if (HasIpv6()) {
        EXPECT_EQ(BindTo(MakeSocket(AF_INET6), Address6("::1", port)), EADDRINUSE);
      }
    });
  });
}

TEST_P(SocketBindingTest, DoesNotServeWhereAnotherBeganToMeanwhile) {
  WithServers([](Socketed& socketed) {
    sys::UniqueFd host;
    const uint16_t port = ReservePort(20'000);
    socketed.before_answer = [&](int call) {
      if (call != SYS_listen) return;
      host = MakeSocket();
      EXPECT_EQ(BindTo(host, Address("127.0.0.2", port)), 0);
      EXPECT_EQ(listen(host.get(), 1), 0);
    };
    socketed.Run([port] {
      const sys::UniqueFd made = MakeSocket();
      ASSERT_EQ(BindTo(made, Address("127.0.0.1", port)), 0);
      EXPECT_EQ(listen(made.get(), 1), -1);
      EXPECT_EQ(errno, EADDRINUSE);
    });
  });
}

TEST_P(SocketBindingTest, FindsFreePortsAsItsProgramsDo) {
  InWorkspace([] {
    uint16_t port = 0;
    {
      const sys::UniqueFd finder = MakeSocket();
      ASSERT_EQ(BindTo(finder, Address("127.0.0.1", 0)), 0);
      port = PortOf(finder);
    }
    const sys::UniqueFd server = MakeSocket();
    EXPECT_EQ(BindTo(server, Address("127.0.0.1", port)), 0);
    EXPECT_EQ(listen(server.get(), 1), 0);
  });
}

TEST_P(SocketBindingTest, LeavesAPortWithItsServer) {
  InWorkspace([] {
    uint16_t port = PortOf(Serve());
    const sys::UniqueFd again = MakeSocket();
    EXPECT_EQ(BindTo(again, Address("127.0.0.1", port)), 0);
    const sys::UniqueFd other = MakeSocket();
    EXPECT_EQ(BindTo(other, Address("127.0.0.1", port)), EADDRINUSE);
  });
}

TEST_P(SocketBindingTest, ServesWithoutAnAddress) {
  InWorkspace([] {
    const sys::UniqueFd server = MakeSocket();
    ASSERT_EQ(listen(server.get(), 1), 0);
    EXPECT_EQ(listen(server.get(), 2), 0);
    EXPECT_EQ(ConnectTo(MakeSocket(), Address("127.0.0.1", PortOf(server))), 0);
  });
}

TEST_P(SocketBindingTest, RefusesSocketsThatItHasNotMade) {
  WithServers([](Socketed& socketed) {
    const sys::UniqueFd host = MakeSocket();
    ASSERT_EQ(BindTo(host, Address("127.0.0.1", 0)), 0);
    const int number = host.get();
    socketed.Run([number] {
      EXPECT_EQ(listen(number, 1), -1);
      EXPECT_EQ(errno, EPERM);
      EXPECT_EQ(listen(STDIN_FILENO, 1), -1);
      EXPECT_EQ(listen(999, 1), -1);
      EXPECT_EQ(errno, EBADF);
    });
  });
}

}  // namespace
}  // namespace bashward::test
