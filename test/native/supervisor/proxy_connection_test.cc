#include "supervisor/proxy_connection.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <thread>

#include "support/descriptors.h"

namespace bashward::supervisor {
namespace {

using protocol::Step;

// A proxy that says what it is told to.
class Proxy {
 public:
  Proxy() : server_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const name = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(server_.get(), name, size), 0);
    EXPECT_EQ(listen(server_.get(), 1), 0);
    EXPECT_EQ(getsockname(server_.get(), name, &size), 0);
    port_ = ntohs(address.sin_port);
  }
  ~Proxy() {
    if (thread_.joinable()) thread_.join();
  }

  uint16_t port() const { return port_; }
  const std::string& received() const { return received_; }

  // Takes one connection, and answers its line.
  void Answer(const std::string& answer) {
    thread_ = std::thread([this, answer] {
      client_.reset(accept4(server_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      char c = 0;
      while (received_.find('\n') == std::string::npos && recv(client_.get(), &c, 1, 0) == 1) received_ += c;
      Say(answer);
    });
  }
  void Wait() { thread_.join(); }
  void Say(const std::string& text) const { test::WriteAll(client_.get(), text); }
  void Close() { client_.reset(); }

 private:
  sys::UniqueFd server_;
  sys::UniqueFd client_;
  uint16_t port_ = 0;
  std::string received_;
  std::thread thread_;
};

class ProxyConnectionTest : public ::testing::Test {
 protected:
  bool Open(uint16_t port) {
    request_.header.proxy_control_port = port;
    request_.proxy_grant = grant_.data();
    request_.proxy_grant_length = grant_.size();
    return connection_.Open(request_, &failure_);
  }
  bool OpenTo(Proxy* proxy, const std::string& answer) {
    proxy->Answer(answer);
    const bool opened = Open(proxy->port());
    proxy->Wait();
    return opened;
  }
  std::string Target(uint32_t i) const { return std::string((*denials_)[i].target, (*denials_)[i].size); }

  std::string grant_ = "GRANT secret token {\"domains\":[\"a.example\"]}\n";
  Request request_{};
  protocol::Failed failure_{};
  ProxyConnection connection_;
  std::unique_ptr<broker::DenialLog> denials_ = std::make_unique<broker::DenialLog>();
};

TEST_F(ProxyConnectionTest, SendsTheGrantAndWaitsForTheProxyToAgree) {
  Proxy proxy;
  EXPECT_TRUE(OpenTo(&proxy, "OK\n"));
  EXPECT_EQ(proxy.received(), grant_);
  EXPECT_TRUE(connection_.Read(denials_.get()));
  EXPECT_EQ(denials_->count(), 0U);
}

TEST_F(ProxyConnectionTest, FailsWhereNobodyListens) {
  const uint16_t port = Proxy().port();
  EXPECT_FALSE(Open(port));
  EXPECT_EQ(failure_.step, Step::kProxy);
  EXPECT_EQ(failure_.error, ECONNREFUSED);
}

TEST_F(ProxyConnectionTest, FailsWhenTheProxySaysSomethingElse) {
  Proxy proxy;
  EXPECT_FALSE(OpenTo(&proxy, "NO\n"));
  EXPECT_EQ(failure_.step, Step::kProxy);
  EXPECT_EQ(failure_.error, EPROTO);
}

TEST_F(ProxyConnectionTest, PassesOnWhatIsRefusedHoweverItComes) {
  Proxy proxy;
  ASSERT_TRUE(OpenTo(&proxy, "OK\nDENIED a.example:443\nDENIED b.exam"));
  EXPECT_TRUE(connection_.Read(denials_.get()));
  ASSERT_EQ(denials_->count(), 1U);
  EXPECT_EQ((*denials_)[0].operation, protocol::Operation::kReachHost);
  EXPECT_EQ(Target(0), "a.example:443");
  proxy.Say("ple:80\nSOMETHING else\n");
  EXPECT_TRUE(connection_.Read(denials_.get()));
  ASSERT_EQ(denials_->count(), 2U);
  EXPECT_EQ(Target(1), "b.example:80");
}

TEST_F(ProxyConnectionTest, CutsLinesThatAreTooLong) {
  Proxy proxy;
  ASSERT_TRUE(OpenTo(&proxy, "OK\nDENIED " + std::string(5000, 'x') + "\nDENIED c:1\n"));
  EXPECT_TRUE(connection_.Read(denials_.get()));
  ASSERT_EQ(denials_->count(), 2U);
  EXPECT_LT(Target(0).size(), 512U);
  EXPECT_EQ(Target(1), "c:1");
}

TEST_F(ProxyConnectionTest, TellsOfAProxyThatHasEnded) {
  Proxy proxy;
  ASSERT_TRUE(OpenTo(&proxy, "OK\n"));
  proxy.Close();
  EXPECT_FALSE(connection_.Read(denials_.get()));
  EXPECT_EQ(connection_.fd(), -1);
  ASSERT_EQ(denials_->count(), 1U);
  EXPECT_EQ(Target(0), "");
}

}  // namespace
}  // namespace bashward::supervisor
