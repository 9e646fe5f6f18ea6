// To whom a TCP socket of the broker's is connected.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "broker/sockets/socketed.h"

namespace bashward::test {
namespace {

class ConnectingTest : public SocketTest {};
INSTANTIATE_TEST_SUITE_P(Users, ConnectingTest, ::testing::ValuesIn(Users()),
                         [](const auto& user) { return NameOf(user.param); });

TEST_P(ConnectingTest, ReachesItsOwnServersByEveryAddressOfLoopback) {
  InWorkspace([] {
    const sys::UniqueFd server = Serve("0.0.0.0");
    for (const char* address : {"127.0.0.1", "127.1.2.3", "0.0.0.0"}) {
      EXPECT_EQ(ConnectTo(MakeSocket(), Address(address, PortOf(server))), 0) << address;
    }
    const sys::UniqueFd any = MakeSocket(AF_INET6);
    if (!any.valid() || BindTo(any, Address6("::", 0)) != 0) return;
    ASSERT_EQ(listen(any.get(), 8), 0);
    for (const char* address : {"::1", "::", "::ffff:127.0.0.1"}) {
      EXPECT_EQ(ConnectTo(MakeSocket(AF_INET6), Address6(address, PortOf(any))), 0) << address;
    }
    EXPECT_EQ(ConnectTo(MakeSocket(), Address("127.0.0.1", PortOf(any))), 0);
  });
}

TEST_P(ConnectingTest, CarriesWhatIsSent) {
  InWorkspace([] {
    const sys::UniqueFd server = Serve();
    const sys::UniqueFd client = MakeSocket();
    ASSERT_EQ(ConnectTo(client, Address("127.0.0.1", PortOf(server))), 0);
    const sys::UniqueFd accepted(accept(server.get(), nullptr, nullptr));
    ASSERT_EQ(send(client.get(), "x", 1, 0), 1);
    char byte = 0;
    EXPECT_EQ(recv(accepted.get(), &byte, 1, 0), 1);
    EXPECT_EQ(byte, 'x');
  });
}

TEST_P(ConnectingTest, ConnectsAtOnceWithoutBlocking) {
  InWorkspace([] {
    const sys::UniqueFd server = Serve();
    const sys::UniqueFd client = MakeSocket(AF_INET, SOCK_NONBLOCK);
    EXPECT_EQ(ConnectTo(client, Address("127.0.0.1", PortOf(server))), 0);
    EXPECT_NE(fcntl(client.get(), F_GETFL) & O_NONBLOCK, 0);
    EXPECT_EQ(ConnectTo(client, Address("127.0.0.1", PortOf(server))), EISCONN);
  });
}

TEST_P(ConnectingTest, RefusesTheServersOfOthersByName) {
  WithServers([](Socketed& socketed) {
    const sys::UniqueFd host = Serve("0.0.0.0");
    const uint16_t port = PortOf(host);
    socketed.Run([port] {
      for (const char* address : {"127.0.0.1", "127.9.9.9", "0.0.0.0"}) {
        EXPECT_EQ(ConnectTo(MakeSocket(), Address(address, port)), ECONNREFUSED) << address;
      }
      EXPECT_EQ(ConnectTo(MakeSocket(AF_INET6), Address6("::ffff:127.0.0.1", port)), ECONNREFUSED);
      EXPECT_EQ(ConnectTo(MakeSocket(), Address("10.1.2.3", port)), ENETUNREACH);
    });
    const std::string end = ":" + std::to_string(port);
    const std::vector<std::string> denied{"connect 127.0.0.1" + end, "connect 127.9.9.9" + end,
                                          "connect 10.1.2.3" + end};
    EXPECT_EQ(socketed.Denied(), denied);
    pollfd waiting{host.get(), POLLIN, 0};
    EXPECT_EQ(poll(&waiting, 1, 0), 0) << "somebody has connected";
  });
}

TEST_P(ConnectingTest, RefusesAPortThatAnotherHasTakenOver) {
  WithServers([](Socketed& socketed) {
    sys::UniqueFd host;
    const uint16_t port = ReservePort(30'000);
    int connects = 0;
    socketed.before_answer = [&](int call) {
      if (call != SYS_connect || ++connects != 2) return;
      host = MakeSocket();
      EXPECT_EQ(BindTo(host, Address("127.0.0.1", port)), 0);
      EXPECT_EQ(listen(host.get(), 1), 0);
    };
    socketed.Run([port] {
      {
        const sys::UniqueFd server = MakeSocket();
        const int on = 1;
        setsockopt(server.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        ASSERT_EQ(BindTo(server, Address("127.0.0.1", port)), 0);
        ASSERT_EQ(listen(server.get(), 1), 0);
        const sys::UniqueFd client = MakeSocket();
        const linger at_once{1, 0};
        setsockopt(client.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        EXPECT_EQ(ConnectTo(client, Address("127.0.0.1", port)), 0);
      }
      EXPECT_EQ(ConnectTo(MakeSocket(), Address("127.0.0.1", port)), ECONNREFUSED);
    });
    EXPECT_EQ(socketed.Denied().size(), 1U);
  });
}

TEST_P(ConnectingTest, RefusesWhereNobodyListensWithoutADenial) {
  WithServers([](Socketed& socketed) {
    socketed.Run([] {
      const uint16_t port = PortOf(Serve());
      const sys::UniqueFd client = MakeSocket();
      EXPECT_EQ(ConnectTo(client, Address("127.0.0.1", port)), ECONNREFUSED);
      const sys::UniqueFd server = Serve();
      EXPECT_EQ(ConnectTo(client, Address("127.0.0.1", PortOf(server))), 0) << "it can be tried again";
    });
    EXPECT_EQ(socketed.Denied(), std::vector<std::string>{});
  });
}

TEST_P(ConnectingTest, ReachesTheProxyAndNothingElseWithoutLoopback) {
  AsUser([this] {
    const sys::UniqueFd proxy = Serve();
    broker::SocketRules rules;
    rules.proxy_port = PortOf(proxy);
    Socketed(rules, workspace).Run([&] {
      EXPECT_EQ(ConnectTo(MakeSocket(), Address("127.0.0.1", rules.proxy_port)), 0);
      EXPECT_EQ(BindTo(MakeSocket(), Address("127.0.0.1", 0)), EACCES);
      EXPECT_EQ(listen(MakeSocket().get(), 1), -1);
    });
  });
}

TEST_P(ConnectingTest, RefusesWhoHasTakenThePortOfTheProxy) {
  AsUser([this] {
    sys::UniqueFd proxy = Serve();
    broker::SocketRules rules;
    rules.proxy_port = PortOf(proxy);
    Socketed socketed(rules, workspace);
    proxy = sys::UniqueFd();
    proxy = MakeSocket();
    ASSERT_EQ(BindTo(proxy, Address("127.0.0.1", rules.proxy_port)), 0);
    ASSERT_EQ(listen(proxy.get(), 1), 0);
    socketed.Run(
        [&] { EXPECT_EQ(ConnectTo(MakeSocket(), Address("127.0.0.1", rules.proxy_port)), ECONNREFUSED); });
  });
}

TEST_P(ConnectingTest, DecidesTheSameFromProc) {
  WithServers([](Socketed& socketed) {
    const sys::UniqueFd host = Serve();
    const uint16_t port = PortOf(host);
    socketed.broker().servers().UseProc();
    socketed.Run([port] {
      const sys::UniqueFd server = Serve();
      EXPECT_EQ(ConnectTo(MakeSocket(), Address("127.0.0.1", PortOf(server))), 0);
      EXPECT_EQ(ConnectTo(MakeSocket(), Address("127.0.0.1", port)), ECONNREFUSED);
      EXPECT_EQ(BindTo(MakeSocket(), Address("127.0.0.2", port)), EADDRINUSE);
      const uint16_t closed = PortOf(Serve());
      EXPECT_EQ(ConnectTo(MakeSocket(), Address("127.0.0.1", closed)), ECONNREFUSED);
    });
  });
}

// Its address changes while it is looked at: what is judged is what is used. test/workspace/network has more
// rounds of it; under a sanitizer and with one thread that never waits a round takes milliseconds.
TEST_P(ConnectingTest, NeverReachesAnotherByAChangedAddress) {
  WithServers([](Socketed& socketed) {
    const sys::UniqueFd host = Serve("127.0.0.1", 4096);
    const uint16_t port = PortOf(host);
    socketed.Run([port] {
      const sys::UniqueFd server = Serve("127.0.0.1", 4096);
      fcntl(server.get(), F_SETFL, O_NONBLOCK);
      const sockaddr_in own = Address("127.0.0.1", PortOf(server));
      const sockaddr_in other = Address("127.0.0.1", port);
      sockaddr_in address = own;
      std::atomic<bool> stop = false;
      std::thread swapper([&] {
        while (!stop.load(std::memory_order_relaxed)) {
          __atomic_store_n(&address.sin_port, own.sin_port, __ATOMIC_RELAXED);
          __atomic_store_n(&address.sin_port, other.sin_port, __ATOMIC_RELAXED);
        }
      });
      int connected = 0;
      int refused = 0;
      const auto is_decided = [&] { return connected > 100 && refused > 100; };
      // On a busy machine one of the two can be rare.
      for (int i = 0; i < 1000 || (i < 20'000 && !is_decided()); ++i) {
        const sys::UniqueFd client = MakeSocket();
        const auto* const name = reinterpret_cast<const sockaddr*>(&address);
        (connect(client.get(), name, sizeof address) == 0 ? connected : refused) += 1;
        const sys::UniqueFd accepted(accept4(server.get(), nullptr, nullptr, SOCK_CLOEXEC));
      }
      stop = true;
      swapper.join();
      EXPECT_GT(connected, 100);
      EXPECT_GT(refused, 100);
    });
    pollfd waiting{host.get(), POLLIN, 0};
    EXPECT_EQ(poll(&waiting, 1, 0), 0) << "somebody has connected";
  });
}

}  // namespace
}  // namespace bashward::test
