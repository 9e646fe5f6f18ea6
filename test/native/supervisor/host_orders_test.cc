#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "supervisor/supervision.h"
#include "support/descriptors.h"
#include "support/forked.h"
#include "support/processes.h"
#include "sys/signals.h"

namespace bashward::supervisor {
namespace {

using protocol::MessageType;

struct KillMessage {
  protocol::MessageHeader header{MessageType::kKill, sizeof(protocol::Kill)};
  protocol::Kill body{10'000, protocol::KillCause::kTimedOut};
};

// Supervises a shell that has ended, or one that would run on, and to which the host has sent `kill`.
protocol::Exited ExitedOf(bool has_ended) {
  test::SocketPair sockets;
  const sys::UniqueFd host(fcntl(sockets.one.get(), F_DUPFD_CLOEXEC, protocol::kMaxInheritedFds));
  EXPECT_EQ(dup2(sockets.other.get(), protocol::kControlFd), protocol::kControlFd);
  const KillMessage kill;
  test::WriteAll(host.get(), std::string(reinterpret_cast<const char*>(&kill), sizeof kill));
  test::BecomeSubreaper();
  sys::SetSignalMask(sys::SignalSet(SIGCHLD) | sys::SignalSet(protocol::kKillJobSignal));
  const pid_t shell = fork();
  if (shell == 0) {
    setsid();
    sys::SetSignalMask(0);
    if (!has_ended) execlp("sleep", "sleep", "300", nullptr);
    _exit(3);
  }
  siginfo_t info{};
  if (has_ended) EXPECT_EQ(waitid(P_PID, static_cast<id_t>(shell), &info, WEXITED | WNOWAIT), 0);
  Request request{};
  Scratch scratch("", 0);
  Supervision(request, ShellStart{shell, {}, 0, 0}, nullptr, &scratch).Run();
  struct {
    protocol::MessageHeader header;
    protocol::Exited exited;
  } sent{};
  EXPECT_EQ(recv(host.get(), &sent, sizeof sent, MSG_DONTWAIT), static_cast<ssize_t>(sizeof sent));
  EXPECT_EQ(sent.header.type, MessageType::kExited);
  return sent.exited;
}

TEST(HostOrders, SaysThatAKillCameAfterTheEndOfTheShell) {
  test::InForkedProcess([] {
    const protocol::Exited exited = ExitedOf(true);
    EXPECT_EQ(exited.after_kill, 0U);
    EXPECT_EQ(WEXITSTATUS(exited.wait_status), 3);
  });
}

TEST(HostOrders, SaysThatAKillCameBeforeTheEndOfTheShell) {
  test::InForkedProcess([] {
    const protocol::Exited exited = ExitedOf(false);
    EXPECT_EQ(exited.after_kill, 1U);
    EXPECT_EQ(WTERMSIG(exited.wait_status), SIGTERM);
  });
}

}  // namespace
}  // namespace bashward::supervisor
