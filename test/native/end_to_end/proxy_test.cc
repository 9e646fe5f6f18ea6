// Whole commands with a proxy: what they may reach there is granted for as long as they last.
#include <errno.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sandbox/landlock.h"
#include "support/host.h"
#include "support/must_work.h"
#include "support/processes.h"
#include "support/scripted_proxy.h"
#include "support/temporary_directory.h"
#include "support/wait.h"

namespace bashward::test {
namespace {

using process::Completion;
using protocol::Step;

constexpr int kOldestAbi = 2;

class ProxiedTest : public CommandTest {
 protected:
  void TearDown() override {
    EXPECT_TRUE(ReapAllChildren());
    CommandTest::TearDown();
  }

  static bool IsPossible() {
    if (sandbox::LandlockAbi() >= kOldestAbi) return true;
    CannotTest("the kernel's Landlock is too old");
    return false;
  }

  Call Proxied(const ScriptedProxy& proxy, const std::string& command) const {
    Call call(command);
    call.flags = protocol::kConfined;
    call.directory = root_;
    call.roots = {root_};
    call.proxy_port = call.proxy_control_port = proxy.port();
    call.proxy_grant = grant_;
    return call;
  }
  // One that lasts until End().
  Call Lasting(const ScriptedProxy& proxy) const {
    return Proxied(proxy, "while [ ! -e go ]; do sleep 0.01; done");
  }
  void End() const { std::ofstream(root_ + "/go"); }

  const TemporaryDirectory directory_;
  const std::string& root_ = directory_.path();
  const std::string grant_ = "GRANT secret token {\"domains\":[\"a.example\"]}\n";
};

TEST_F(ProxiedTest, AsksForItsGrantBeforeItStarts) {
  if (!IsPossible()) return;
  ScriptedProxy proxy;
  proxy.Answer("OK\n");
  const Completion completion = host_.Run(Proxied(proxy, "echo started"));
  proxy.Wait();
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_EQ(Output(completion), "started\n");
  EXPECT_EQ(proxy.received(), grant_);
  EXPECT_TRUE(completion.sandbox.denials.empty());
}

TEST_F(ProxiedTest, DoesNotStartWithoutItsGrant) {
  if (!IsPossible()) return;
  ScriptedProxy proxy;
  proxy.Answer("NO\n");
  const Completion completion = host_.Run(Proxied(proxy, "echo >started"));
  proxy.Wait();
  EXPECT_TRUE(NotStarted(completion, Step::kProxy, EPROTO));
  EXPECT_TRUE(std::filesystem::is_empty(root_));
}

TEST_F(ProxiedTest, HoldsItsGrantUntilItEnds) {
  if (!IsPossible()) return;
  ScriptedProxy proxy;
  proxy.Answer("OK\n");
  const uint64_t id = host_.Submit(Lasting(proxy));
  proxy.Wait();
  EXPECT_TRUE(proxy.IsHeld());
  End();
  EXPECT_TRUE(Exited(host_.Wait(id), 0));
  EXPECT_TRUE(WaitUntil([&] { return !proxy.IsHeld(); }));
}

TEST_F(ProxiedTest, LeavesItsGrantToWhatItLeavesRunning) {
  if (!IsPossible()) return;
  ScriptedProxy proxy;
  proxy.Answer("OK\n");
  Call call = Lasting(proxy);
  call.command = "(" + call.command + ") &";
  call.head_limit = 0;
  const Completion completion = host_.Run(call);
  proxy.Wait();
  EXPECT_TRUE(Exited(completion, 0));
  EXPECT_FALSE(completion.survivors.empty());
  EXPECT_TRUE(proxy.IsHeld());
  End();
  EXPECT_TRUE(WaitUntil([&] { return !proxy.IsHeld(); }));
}

TEST_F(ProxiedTest, IsToldWhatTheProxyRefused) {
  if (!IsPossible()) return;
  ScriptedProxy proxy;
  proxy.Answer("OK\n");
  const uint64_t id = host_.Submit(Lasting(proxy));
  proxy.Wait();
  proxy.Say("DENIED b.example:443\nDENIED b.example:443\nDENIED c.example:80\n");
  End();
  const Completion completion = host_.Wait(id);
  EXPECT_TRUE(Exited(completion, 0));
  ASSERT_EQ(completion.sandbox.denials.size(), 2U);
  EXPECT_EQ(completion.sandbox.denials[0].operation, protocol::Operation::kReachHost);
  EXPECT_EQ(completion.sandbox.denials[0].target, "b.example:443");
  EXPECT_EQ(completion.sandbox.denials[1].target, "c.example:80");
}

TEST_F(ProxiedTest, IsToldThatItsProxyHasEnded) {
  if (!IsPossible()) return;
  ScriptedProxy proxy;
  proxy.Answer("OK\n");
  const uint64_t id = host_.Submit(Lasting(proxy));
  proxy.Wait();
  proxy.Close();
  End();
  const Completion completion = host_.Wait(id);
  EXPECT_TRUE(Exited(completion, 0));
  ASSERT_EQ(completion.sandbox.denials.size(), 1U);
  EXPECT_EQ(completion.sandbox.denials[0].operation, protocol::Operation::kReachHost);
  EXPECT_EQ(completion.sandbox.denials[0].target, "");
}

}  // namespace
}  // namespace bashward::test
