#include "support/control_socket.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "process/control_protocol.h"
#include "support/descriptors.h"
#include "support/forked.h"

namespace bashward::test {

std::string WithControlSocket(const std::string& incoming, const std::function<void()>& body) {
  SocketPair sockets;
  const pid_t pid = Fork([&] {
    EXPECT_EQ(dup2(sockets.other.get(), protocol::kControlFd), protocol::kControlFd);
    if (sockets.other.get() != protocol::kControlFd) sockets.other.reset();
    if (sockets.one.get() != protocol::kControlFd) sockets.one.reset();
    body();
  });
  sockets.other.reset();
  // It may refuse a message before it has read all of it: `body` judges that.
  size_t sent = 0;
  while (sent < incoming.size()) {
    const ssize_t count =
        send(sockets.one.get(), incoming.data() + sent, incoming.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    sent += static_cast<size_t>(count);
  }
  shutdown(sockets.one.get(), SHUT_WR);
  std::string outgoing = ReadUpTo(sockets.one.get(), std::string::npos);
  Join(pid);
  return outgoing;
}

}  // namespace bashward::test
