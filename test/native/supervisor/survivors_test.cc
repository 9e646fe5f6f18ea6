#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "supervisor/supervision.h"
#include "support/descriptors.h"
#include "support/forked.h"
#include "support/processes.h"
#include "support/seccomp.h"
#include "sys/signals.h"

namespace bashward::supervisor {
namespace {

using protocol::MessageType;

// A shell that has ended and has left a child behind.
pid_t StartShellThatLeavesAChild() {
  const pid_t shell = fork();
  if (shell == 0) {
    setsid();
    if (fork() == 0) {
      sys::SetSignalMask(0);
      execlp("sleep", "sleep", "300", nullptr);
    }
    _exit(0);
  }
  siginfo_t info{};
  EXPECT_EQ(waitid(P_PID, static_cast<id_t>(shell), &info, WEXITED | WNOWAIT), 0);
  return shell;
}

// The place of openat(2): no descriptor is left once no child is.
long OpenWhileThereAreChildren(const uint64_t* arguments) {
  return test::HasNoChildren() ? -EMFILE : test::OpenFile(arguments);
}

// /proc shows none either, but earlier that would have meant something else.
TEST(Survivors, AreNoneOnceEverythingHasEnded) {
  test::InForkedProcess([] {
    test::SocketPair sockets;
    const sys::UniqueFd host(fcntl(sockets.one.get(), F_DUPFD_CLOEXEC, protocol::kMaxInheritedFds));
    ASSERT_EQ(dup2(sockets.other.get(), protocol::kControlFd), protocol::kControlFd);
    const struct {
      protocol::MessageHeader header{MessageType::kKill, sizeof(protocol::Kill)};
      protocol::Kill body{10'000};
    } kill;
    test::WriteAll(host.get(), std::string(reinterpret_cast<const char*>(&kill), sizeof kill));

    test::BecomeSubreaper();
    sys::SetSignalMask(sys::SignalSet(SIGCHLD) | sys::SignalSet(protocol::kKillJobSignal));
    const pid_t shell = StartShellThatLeavesAChild();
    test::AnswerSystemCall(SYS_openat, OpenWhileThereAreChildren);
    Request request{};
    Scratch scratch("", 0);
    Supervision(request, ShellStart{shell, {}, 0, 0}, nullptr, &scratch).Run();

    struct {
      protocol::MessageHeader exited_header;
      protocol::Exited exited;
      protocol::MessageHeader ended_header;
      protocol::Ended ended;
    } sent{};
    ASSERT_EQ(recv(host.get(), &sent, sizeof sent, MSG_DONTWAIT), static_cast<ssize_t>(sizeof sent));
    EXPECT_EQ(sent.exited_header.type, MessageType::kExited);
    EXPECT_EQ(sent.exited.children_left, 1U);
    EXPECT_EQ(sent.ended_header.type, MessageType::kEnded);
    EXPECT_EQ(sent.ended.count, 0U);
  });
}

}  // namespace
}  // namespace bashward::supervisor
