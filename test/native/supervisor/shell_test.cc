#include "supervisor/shell.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "support/control_socket.h"
#include "support/host.h"
#include "support/seccomp.h"

namespace bashward::supervisor {
namespace {

// The place of write(2): the first call is interrupted, the second takes one byte.
long WriteInParts(const uint64_t* arguments) {
  static int calls = 0;
  if (++calls == 1) return -EINTR;
  const iovec part{reinterpret_cast<void*>(arguments[1]), calls == 2 ? 1 : arguments[2]};
  const ssize_t written = writev(static_cast<int>(arguments[0]), &part, 1);
  return written < 0 ? -errno : written;
}

// A shell finds in memory all that it is given: the prologue of its session. The shell must not write,
// because the handler that answers write(2) does not survive its execve.
TEST(StartShell, GoesOnWritingAfterAnInterruption) {
  test::Call call("read -r line <&200; [[ $line == 'of the session' ]] && exit 7; exit 8");
  call.prologue = "of the session\n";
  const std::string body = test::ToSpec(call).request;
  const protocol::MessageHeader header{protocol::MessageType::kRequest, static_cast<uint32_t>(body.size())};
  test::WithControlSocket(std::string(reinterpret_cast<const char*>(&header), sizeof header) + body, [] {
    Request request{};
    ASSERT_TRUE(ReceiveRequest(&request));
    ASSERT_EQ(dup2(STDIN_FILENO, protocol::kStateFd), protocol::kStateFd);
    test::AnswerSystemCall(SYS_write, WriteInParts);
    const ShellStart start = StartShell(request, nullptr, nullptr);
    ASSERT_NE(start.pid, 0) << "step " << static_cast<uint32_t>(start.failure.step) << ", errno "
                            << start.failure.error;
    int status = 0;
    ASSERT_EQ(waitpid(start.pid, &status, 0), start.pid);
    EXPECT_TRUE(WIFEXITED(status)) << "wait status " << status;
    EXPECT_EQ(WEXITSTATUS(status), 7);
  });
}

// As a security module may refuse it for a program that is to run with other rights. Only the child has the
// filter.
long GrantTracingButNoExecve(const uint64_t*) {
  test::RefuseSystemCall(SYS_execve, EACCES);
  return 0;
}

TEST(StartShell, StartsItUntracedWhereNothingIsExecutedTraced) {
  const std::string body = test::ToSpec(test::Call("exit 7; exit 8")).request;
  const protocol::MessageHeader header{protocol::MessageType::kRequest, static_cast<uint32_t>(body.size())};
  test::WithControlSocket(std::string(reinterpret_cast<const char*>(&header), sizeof header) + body, [] {
    Request request{};
    ASSERT_TRUE(ReceiveRequest(&request));
    test::AnswerSystemCall(SYS_ptrace, GrantTracingButNoExecve);
    const ShellStart start = StartShell(request, nullptr, nullptr);
    ASSERT_NE(start.pid, 0) << "step " << static_cast<uint32_t>(start.failure.step) << ", errno "
                            << start.failure.error;
    EXPECT_EQ(start.hidden_arguments, 0U);
    int status = 0;
    ASSERT_EQ(waitpid(start.pid, &status, 0), start.pid);
    EXPECT_TRUE(WIFEXITED(status)) << "wait status " << status;
    EXPECT_EQ(WEXITSTATUS(status), 7);
  });
}

}  // namespace
}  // namespace bashward::supervisor
