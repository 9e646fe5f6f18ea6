// Which sockets the broker makes, and what they cannot do.
#include <fcntl.h>
#include <linux/netlink.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "broker/sockets/socketed.h"

namespace bashward::test {
namespace {

class SocketMakingTest : public SocketTest {};
INSTANTIATE_TEST_SUITE_P(Users, SocketMakingTest, ::testing::ValuesIn(Users()),
                         [](const auto& user) { return NameOf(user.param); });

int Make(int family, int type, int protocol = 0) {
  const sys::UniqueFd made(socket(family, type, protocol));
  return made.valid() ? 0 : errno;
}

TEST_P(SocketMakingTest, BindsTcpSocketsToLoopbackForGood) {
  InWorkspace([] {
    for (const int family : {AF_INET, AF_INET6}) {
      const sys::UniqueFd made = MakeSocket(family);
      if (family == AF_INET6 && !made.valid()) continue;
      char device[16] = {};
      socklen_t size = sizeof device;
      EXPECT_EQ(getsockopt(made.get(), SOL_SOCKET, SO_BINDTODEVICE, device, &size), 0);
      EXPECT_STREQ(device, "lo");
      if (geteuid() == 0) continue;  // who has CAP_NET_RAW, as no command has
      EXPECT_EQ(setsockopt(made.get(), SOL_SOCKET, SO_BINDTODEVICE, "", 0), -1);
    }
  });
}

TEST_P(SocketMakingTest, GivesTheFlagsThatWereAskedFor) {
  InWorkspace([] {
    const sys::UniqueFd plain = MakeSocket();
    EXPECT_EQ(fcntl(plain.get(), F_GETFD), 0);
    EXPECT_EQ(fcntl(plain.get(), F_GETFL) & O_NONBLOCK, 0);
    const sys::UniqueFd flagged = MakeSocket(AF_INET, SOCK_CLOEXEC | SOCK_NONBLOCK);
    EXPECT_EQ(fcntl(flagged.get(), F_GETFD), FD_CLOEXEC);
    EXPECT_EQ(fcntl(flagged.get(), F_GETFL) & O_NONBLOCK, O_NONBLOCK);
  });
}

TEST_P(SocketMakingTest, RefusesWhatLeavesTheMachineAndDatagrams) {
  InWorkspace([] {
    EXPECT_EQ(Make(AF_INET, SOCK_DGRAM), EPERM);
    EXPECT_EQ(Make(AF_INET6, SOCK_DGRAM), EPERM);
    EXPECT_EQ(Make(AF_INET, SOCK_RAW, IPPROTO_ICMP), EPERM);
    EXPECT_EQ(Make(AF_UNIX, SOCK_DGRAM), EPERM);
    EXPECT_EQ(Make(AF_PACKET, SOCK_RAW), EPERM);
    EXPECT_EQ(Make(AF_VSOCK, SOCK_STREAM), EPERM);
    EXPECT_EQ(Make(AF_ALG, SOCK_SEQPACKET), EPERM);
    EXPECT_EQ(Make(AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT), EPERM);
  });
}

TEST_P(SocketMakingTest, LetsOtherProtocolsFallBackOnTcp) {
  constexpr int kMptcp = 262;
  constexpr int kSctp = 132;
  InWorkspace([] {
    EXPECT_EQ(Make(AF_INET, SOCK_STREAM, kMptcp), EPROTONOSUPPORT);
    EXPECT_EQ(Make(AF_INET6, SOCK_STREAM, kMptcp), EPROTONOSUPPORT);
    EXPECT_EQ(Make(AF_INET, SOCK_STREAM, kSctp), EPROTONOSUPPORT);
    EXPECT_EQ(Make(AF_INET, SOCK_SEQPACKET, kSctp), EPROTONOSUPPORT);
    EXPECT_EQ(Make(43 /* AF_SMC */, SOCK_STREAM), EPROTONOSUPPORT);
  });
}

TEST_P(SocketMakingTest, MakesTheKernelsRoutingTablesReadable) {
  InWorkspace([] {
    const sys::UniqueFd made(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    ASSERT_TRUE(made.valid());
    sockaddr_nl address{};
    address.nl_family = AF_NETLINK;
    EXPECT_EQ(BindTo(made, address), 0);
  });
}

TEST_P(SocketMakingTest, NeedsAPolicyForEachKind) {
  AsUser([] {
    Socketed none({});
    none.Run([] {
      EXPECT_EQ(Make(AF_INET, SOCK_STREAM), EPERM);
      EXPECT_EQ(Make(AF_UNIX, SOCK_STREAM), EPERM);
    });
    EXPECT_EQ(none.Denied(), std::vector<std::string>{"socket tcp"});
  });
}

TEST_P(SocketMakingTest, SaysSoWhenTheCallersDescriptorsAreUsedUp) {
  InWorkspace([] {
    const rlimit limit{3, 3};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    EXPECT_EQ(Make(AF_INET, SOCK_STREAM), EMFILE);
  });
}

TEST_P(SocketMakingTest, ForgetsSocketsThatWereClosedUnused) {
  InWorkspace([] {
    for (int i = 0; i < 3000; ++i) ASSERT_EQ(Make(AF_INET, SOCK_STREAM), 0) << i;
    const sys::UniqueFd server = Serve();
    EXPECT_EQ(ConnectTo(MakeSocket(), Address("127.0.0.1", PortOf(server))), 0);
  });
}

TEST_P(SocketMakingTest, StopsAtAThousandThatLive) {
  InWorkspace([] {
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    if (limit.rlim_max < 2100) return;
    const sys::UniqueFd server = Serve();
    std::vector<sys::UniqueFd> clients;
    int error = 0;
    while (error == 0 && clients.size() < 1100) {
      sys::UniqueFd client = MakeSocket();
      error = client.valid() ? ConnectTo(client, Address("127.0.0.1", PortOf(server))) : errno;
      if (error == 0) clients.push_back(std::move(client));
    }
    EXPECT_EQ(error, ENFILE);
    EXPECT_EQ(clients.size(), 1023U);
    clients.resize(1000);
    EXPECT_EQ(Make(AF_INET, SOCK_STREAM), 0);
  });
}

}  // namespace
}  // namespace bashward::test
