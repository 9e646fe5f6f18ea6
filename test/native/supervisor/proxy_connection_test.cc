#include "supervisor/proxy_connection.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>
#include <string>

#include "support/scripted_proxy.h"

namespace bashward::supervisor {
namespace {

using protocol::Step;
using test::ScriptedProxy;

class ProxyConnectionTest : public ::testing::Test {
 protected:
  bool Open(uint16_t port) {
    request_.header.proxy_control_port = port;
    request_.proxy_grant = grant_.data();
    request_.proxy_grant_length = grant_.size();
    return connection_.Open(request_, &failure_);
  }
  bool OpenTo(ScriptedProxy* proxy, const std::string& answer) {
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
  ScriptedProxy proxy;
  EXPECT_TRUE(OpenTo(&proxy, "OK\n"));
  EXPECT_EQ(proxy.received(), grant_);
  EXPECT_TRUE(connection_.Read(denials_.get()));
  EXPECT_EQ(denials_->count(), 0U);
}

TEST_F(ProxyConnectionTest, FailsWhereNobodyListens) {
  const uint16_t port = ScriptedProxy().port();
  EXPECT_FALSE(Open(port));
  EXPECT_EQ(failure_.step, Step::kProxy);
  EXPECT_EQ(failure_.error, ECONNREFUSED);
}

TEST_F(ProxyConnectionTest, FailsWhenTheProxySaysSomethingElse) {
  ScriptedProxy proxy;
  EXPECT_FALSE(OpenTo(&proxy, "NO\n"));
  EXPECT_EQ(failure_.step, Step::kProxy);
  EXPECT_EQ(failure_.error, EPROTO);
}

TEST_F(ProxyConnectionTest, PassesOnWhatIsRefusedHoweverItComes) {
  ScriptedProxy proxy;
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
  ScriptedProxy proxy;
  ASSERT_TRUE(OpenTo(&proxy, "OK\nDENIED " + std::string(5000, 'x') + "\nDENIED c:1\n"));
  EXPECT_TRUE(connection_.Read(denials_.get()));
  ASSERT_EQ(denials_->count(), 2U);
  EXPECT_LT(Target(0).size(), 512U);
  EXPECT_EQ(Target(1), "c:1");
}

TEST_F(ProxyConnectionTest, TellsOfAProxyThatHasEnded) {
  ScriptedProxy proxy;
  ASSERT_TRUE(OpenTo(&proxy, "OK\n"));
  proxy.Close();
  EXPECT_FALSE(connection_.Read(denials_.get()));
  EXPECT_EQ(connection_.fd(), -1);
  ASSERT_EQ(denials_->count(), 1U);
  EXPECT_EQ(Target(0), "");
}

}  // namespace
}  // namespace bashward::supervisor
