#include "broker/sockets/socketed.h"

#include <arpa/inet.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "broker/notification.h"
#include "support/forked.h"
#include "support/wait.h"

namespace bashward::test {

using broker::SocketAnswer;

Socketed::Socketed(const broker::SocketRules& rules, const std::string& root)
    : paths_(root + '\0'),
      rules_(rules),
      denials_(std::make_unique<broker::DenialLog>()),
      broker_(std::make_unique<broker::SocketBroker>()) {
  EXPECT_TRUE(roots_.Open(paths_.c_str(), root.empty() ? 0 : 1));
  broker_->Begin(&rules_, &roots_, denials_.get());
}

void Socketed::Run(const std::function<void()>& body) {
  RunNotified({SYS_socket, SYS_bind, SYS_listen, SYS_connect}, body,
              [this](int listener) { AnswerAll(listener); });
}

void Socketed::RetryDue() {
  while (broker::WaitingConnect* const waiting = broker_->waiting().Due(broker::ClockMs())) {
    int error = 0;
    if (!broker_->Retry(waiting, &error)) continue;
    broker::SendAnswer(error, waiting->id, waiting->listener);
    broker::WaitingConnects::Remove(waiting);
  }
}

void Socketed::AnswerAll(int listener) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    pollfd ready{listener, POLLIN, 0};
    const int count = poll(&ready, 1, broker_->waiting().NextMs() == UINT64_MAX ? 1000 : 1);
    RetryDue();
    if (count <= 0) continue;
    if ((ready.revents & POLLIN) == 0) return;
    seccomp_notif notification{};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notification) != 0) continue;
    if (before_answer) before_answer(notification.data.nr);
    errno = 0;
    const SocketAnswer answer = broker_->Answer(notification, listener);
    EXPECT_EQ(errno, 0) << "errno is the main thread's";
    if (answer.kind == SocketAnswer::Kind::kReturn)
      broker::SendAnswer(answer.error, notification.id, listener);
    if (answer.kind != SocketAnswer::Kind::kInstall) continue;
    seccomp_notif_addfd add{};
    add.id = notification.id;
    add.flags = SECCOMP_ADDFD_FLAG_SEND;
    add.srcfd = static_cast<uint32_t>(answer.socket->handle.get());
    add.newfd_flags = answer.close_on_exec ? O_CLOEXEC : 0;
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add) >= 0) continue;
    const int error = errno;
    broker_->Withdraw(answer.socket);
    broker::SendAnswer(-error, notification.id, listener);
  }
  ADD_FAILURE() << "the caller did not end";
}

void SocketTest::SetUp() {
  workspace = directory.File("ws");
  ASSERT_EQ(chmod(directory.path().c_str(), 0755), 0);
  ASSERT_EQ(mkdir(workspace.c_str(), 0755), 0);
  GiveTo(GetParam(), workspace);
}

void SocketTest::AsUser(const std::function<void()>& body) const {
  InForkedProcess([&] {
    Become(GetParam());
    // Another user's by now, whom nobody may look into.
    ASSERT_EQ(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), 0);
    ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ASSERT_EQ(chdir(workspace.c_str()), 0);
    umask(022);
    body();
  });
}

void SocketTest::WithServers(const std::function<void(Socketed& socketed)>& body) const {
  AsUser([&] {
    broker::SocketRules rules;
    rules.loopback = true;
    Socketed socketed(rules, workspace);
    body(socketed);
  });
}

void SocketTest::InWorkspace(const std::function<void()>& body) const {
  AsUser([&] {
    broker::SocketRules rules;
    rules.loopback = rules.unix_sockets = true;
    Socketed(rules, workspace).Run(body);
  });
}

sockaddr_in Address(const char* address, uint16_t port) {
  sockaddr_in written{};
  written.sin_family = AF_INET;
  written.sin_port = htons(port);
  EXPECT_EQ(inet_pton(AF_INET, address, &written.sin_addr), 1);
  return written;
}

sockaddr_in6 Address6(const char* address, uint16_t port, uint32_t scope) {
  sockaddr_in6 written{};
  written.sin6_family = AF_INET6;
  written.sin6_port = htons(port);
  written.sin6_scope_id = scope;
  EXPECT_EQ(inet_pton(AF_INET6, address, &written.sin6_addr), 1);
  return written;
}

sys::UniqueFd MakeSocket(int family, int flags) {
  return sys::UniqueFd(socket(family, SOCK_STREAM | flags, 0));
}

namespace {

// A name that only one process of the machine can have, and that is free again when it has ended.
bool TakeName(const std::string& name) {
  static std::vector<sys::UniqueFd> taken;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // The first byte stays zero: the name is not that of a file.
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  sys::UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0) return false;
  taken.push_back(std::move(socket));
  return true;
}

}  // namespace

uint16_t ReservePort(uint16_t from) {
  constexpr int kTries = 2'000;
  for (uint16_t port = from; port < from + kTries; ++port) {
    if (!TakeName("bashward-test-port-" + std::to_string(port))) continue;
    if (BindTo(MakeSocket(), Address("0.0.0.0", port)) == 0) return port;
  }
  ADD_FAILURE() << "no free port from " << from;
  return 0;
}

uint16_t PortOf(const sys::UniqueFd& socket) {
  sockaddr_in6 address{};
  socklen_t size = sizeof address;
  EXPECT_EQ(getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  return ntohs(address.sin6_port);
}

sys::UniqueFd Serve(const char* address, int queue) {
  sys::UniqueFd server = MakeSocket();
  EXPECT_EQ(BindTo(server, Address(address, 0)), 0);
  EXPECT_EQ(listen(server.get(), queue), 0);
  return server;
}

sys::UniqueFd Serve6(const char* address) {
  sys::UniqueFd server = MakeSocket(AF_INET6);
  EXPECT_EQ(BindTo(server, Address6(address, 0)), 0);
  EXPECT_EQ(listen(server.get(), 8), 0);
  return server;
}

}  // namespace bashward::test
