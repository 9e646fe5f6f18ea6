// A process whose system calls about sockets are answered by the broker's code, as those of a command are.
#ifndef BASHWARD_TEST_BROKER_SOCKETS_SOCKETED_H_
#define BASHWARD_TEST_BROKER_SOCKETS_SOCKETED_H_

#include <gtest/gtest.h>

#include <netinet/in.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "broker/denial_log.h"
#include "broker/notified.h"
#include "broker/sockets/socket_broker.h"
#include "sandbox/writable_roots.h"
#include "support/temporary_directory.h"
#include "support/users.h"
#include "sys/unique_fd.h"

namespace bashward::test {

class Socketed {
 public:
  explicit Socketed(const broker::SocketRules& rules, const std::string& root = "");

  // Runs `body` in a forked process, and answers for it until it has ended, and all that it has started. What
  // it expects fails here, too. The caller must be the only thread of its process.
  void Run(const std::function<void()>& body);

  // Called before each answer, with the number of the call.
  std::function<void(int call)> before_answer;

  // "OPERATION TARGET" of each.
  std::vector<std::string> Denied() const { return TextsOf(*denials_); }
  broker::SocketBroker& broker() { return *broker_; }

 private:
  void AnswerAll(int listener);
  void RetryDue();

  std::string paths_;
  sandbox::WritableRoots roots_;
  broker::SocketRules rules_;
  std::unique_ptr<broker::DenialLog> denials_;
  std::unique_ptr<broker::SocketBroker> broker_;
};

// A workspace, as a user's, which is the working directory. Test bodies run in a forked process of the user.
class SocketTest : public ::testing::TestWithParam<User> {
 protected:
  void SetUp() override;
  void AsUser(const std::function<void()>& body) const;
  // The same with what answers for a process that may have servers.
  void WithServers(const std::function<void(Socketed& socketed)>& body) const;
  // The same in a process that may have servers and Unix sockets.
  void InWorkspace(const std::function<void()>& body) const;

  TemporaryDirectory directory;
  std::string workspace;
};

sockaddr_in Address(const char* address, uint16_t port);
sockaddr_in6 Address6(const char* address, uint16_t port, uint32_t scope = 0);
// A TCP socket of this process; of the broker's, if it is asked.
sys::UniqueFd MakeSocket(int family = AF_INET, int flags = 0);
// 0, or errno.
template <typename Name>
int BindTo(const sys::UniqueFd& socket, const Name& address) {
  return bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
}
template <typename Name>
int ConnectTo(const sys::UniqueFd& socket, const Name& address) {
  return connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
}
// The first from there that no socket of this machine has, on any address, and no other test that runs at the
// same time. It is this process's until it ends.
uint16_t ReservePort(uint16_t from);
uint16_t PortOf(const sys::UniqueFd& socket);
// A server of this process on a free port.
sys::UniqueFd Serve(const char* address = "127.0.0.1", int queue = 8);
sys::UniqueFd Serve6(const char* address);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_BROKER_SOCKETS_SOCKETED_H_
