#include "support/scripted_proxy.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>

#include "support/descriptors.h"

namespace bashward::test {

ScriptedProxy::ScriptedProxy() : server_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
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

ScriptedProxy::~ScriptedProxy() {
  if (!thread_.joinable()) return;
  // It may be waiting for somebody who has not come.
  shutdown(server_.get(), SHUT_RDWR);
  thread_.join();
}

void ScriptedProxy::Answer(const std::string& answer) {
  thread_ = std::thread([this, answer] {
    client_.reset(accept4(server_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client_.valid()) return;
    char c = 0;
    while (received_.find('\n') == std::string::npos && recv(client_.get(), &c, 1, 0) == 1) received_ += c;
    Say(answer);
  });
}

void ScriptedProxy::Say(const std::string& text) const {
  WriteAll(client_.get(), text);
}

bool ScriptedProxy::IsHeld() const {
  char c = 0;
  return recv(client_.get(), &c, 1, MSG_DONTWAIT) == -1 && errno == EAGAIN;
}

}  // namespace bashward::test
