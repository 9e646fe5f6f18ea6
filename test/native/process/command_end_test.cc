#include <errno.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "process/command_fixture.h"
#include "support/forked.h"
#include "support/must_work.h"
#include "support/seccomp.h"
#include "support/wait.h"

namespace bashward::process {
namespace {

using test::Call;

template <typename Message>
void Write(const std::string& path, const Message& message) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(&message), sizeof message);
}

class CommandEndTest : public ::testing::Test {
 protected:
  Call WithSupervisor(const std::string& script) const {
    Call call(":");
    call.supervisor = MakeSupervisorThatHasNothingLeftToDo(directory_, script);
    return call;
  }
  // What a script has written there with a newline.
  pid_t Pid() const {
    const std::string file = directory_.File("pid");
    EXPECT_TRUE(test::WaitUntil([&] { return test::ReadFile(file).find('\n') != std::string::npos; }));
    return static_cast<pid_t>(strtol(test::ReadFile(file).c_str(), nullptr, 10));
  }
  std::string WritePid() const { return "echo $$ >'" + directory_.File("pid") + "'"; }
  // The script waits here until EndScript(). It starts nothing meanwhile, so there is no signal that a
  // tracer would have to pass on.
  std::string AwaitEnd() const { return "read -r line <'" + fifo_ + "'"; }
  void EndScript() const { std::ofstream(fifo_) << "end\n"; }

  void SetUp() override { ASSERT_EQ(mkfifo(fifo_.c_str(), 0600), 0); }

  const test::TemporaryDirectory directory_;
  const std::string fifo_ = directory_.File("fifo");
};

TEST_F(CommandEndTest, WakesASupervisorThatWasStoppedAfterItsLastMessage) {
  test::InForkedProcess([&] {
    CommandOnLoop command(WithSupervisor("kill -STOP $$"));
    EXPECT_TRUE(test::Exited(command.Result(), 0));
    command.ExpectGone();
  });
}

TEST_F(CommandEndTest, WaitsForASupervisorThatStillRuns) {
  test::InForkedProcess([&] {
    CommandOnLoop command(WithSupervisor(AwaitEnd()));
    EXPECT_TRUE(test::Exited(command.Result(), 0));
    // Past the moment at which it is taken for stopped, too.
    const uint64_t looked_at = command.loop().timers().next();
    test::RunUntil(command.loop(), [&] { return command.loop().timers().next() > looked_at; });
    EXPECT_EQ(command.gone(), 0);
    EndScript();
    command.ExpectGone();
  });
}

// As after a suspension of the machine: the supervisor has ended, and the time has come to look at it.
TEST_F(CommandEndTest, IsOverOnceWhenTheEndAndADeadlineComeTogether) {
  test::InForkedProcess([&] {
    CommandOnLoop command(WithSupervisor(WritePid()));
    EXPECT_TRUE(test::Exited(command.Result(), 0));
    EXPECT_TRUE(test::WaitUntil([&] { return !test::IsRunning(Pid()); }));
    EXPECT_TRUE(test::WaitUntil([&] { return command.loop().timers().next() <= MonotonicNs(); }));
    command.loop().RunOnce();
    EXPECT_EQ(command.gone(), 1);
    EXPECT_TRUE(test::HasNoChildren());
  });
}

// It has ended, but its parent may reap it only after the tracer has: until then its descriptor reports the
// end without pause.
TEST_F(CommandEndTest, DoesNotSpinOnASupervisorThatATracerHolds) {
  const pid_t host = test::Fork([&] {
    CommandOnLoop command(WithSupervisor(WritePid() + "; " + AwaitEnd()));
    EXPECT_TRUE(test::Exited(command.Result(), 0));
    EXPECT_TRUE(test::WaitUntil([&] { return !test::IsRunning(Pid()); }));
    bool over = false;
    Timer timer(command.loop().timers(), [&over] { over = true; });
    timer.SetIn(500 * kNsPerMs);
    int rounds = 0;
    for (; !over; ++rounds) command.loop().RunOnce();
    EXPECT_LT(rounds, 100);
    std::ofstream(directory_.File("looked")) << "now";
    command.ExpectGone();
  });
  const bool traced = ptrace(PTRACE_SEIZE, Pid(), nullptr, nullptr) == 0;
  EndScript();
  if (traced) {
    EXPECT_TRUE(test::WaitUntil([&] { return !test::ReadFile(directory_.File("looked")).empty(); }));
    EXPECT_EQ(waitpid(Pid(), nullptr, __WALL), Pid());
  }
  test::Join(host);
  if (!traced) test::CannotTest("a process may not be traced");
}

// The place of pread(2): the first call is interrupted.
long ReadAfterAnInterruption(const uint64_t* arguments) {
  static int calls = 0;
  if (++calls == 1) return -EINTR;
  const iovec part{reinterpret_cast<void*>(arguments[1]), arguments[2]};
  const ssize_t count = preadv(static_cast<int>(arguments[0]), &part, 1, static_cast<off_t>(arguments[3]));
  return count < 0 ? -errno : count;
}

// From then on the supervisor reads: with two at it, each would get a part.
TEST_F(CommandEndTest, ReadsNothingAfterItHasReleasedSurvivors) {
  const test::TemporaryDirectory directory;
  const struct {
    protocol::MessageHeader header{protocol::MessageType::kExited, sizeof(protocol::Exited)};
    protocol::Exited exited{0, 1, 0, 0, 0, 0, 0, 0};
  } exited;
  const struct {
    protocol::MessageHeader header{protocol::MessageType::kEnded, sizeof(protocol::Ended)};
    protocol::Ended ended{0, 1, 0, 0};
  } ended;
  Write(directory.File("exited"), exited);
  Write(directory.File("ended"), ended);
  Call call("");
  const size_t request = sizeof(protocol::MessageHeader) + test::ToSpec(call).request.size();
  call.supervisor = directory.Script(
      "#!/bin/sh\ncd '" + directory.path() + "'; \nhead -c " + std::to_string(request) +
      " <&3 >/dev/null; printf early; cat exited >&3\nhead -c " +
      std::to_string(sizeof(protocol::MessageHeader)) + " <&3 >/dev/null; printf late; cat ended >&3\n");
  test::InForkedProcess([&] {
    CommandOnLoop command(call);
    EXPECT_EQ(test::Output(command.Result()), "early");
    EXPECT_TRUE(command.Result().adopted);
    command.ExpectGone();
  });
}

// The time limit passed before the host had heard of the end.
TEST_F(CommandEndTest, IsOneByItselfWhenTheSupervisorSaysThatTheKillCameLater) {
  const test::TemporaryDirectory directory;
  const struct {
    protocol::MessageHeader header{protocol::MessageType::kExited, sizeof(protocol::Exited)};
    protocol::Exited exited{0x300, 0, 0, 0, 0, 0, 0, 0};
  } exited;
  Write(directory.File("exited"), exited);
  Call call("");
  call.timeout_ms = 1;
  const size_t request = sizeof(protocol::MessageHeader) + test::ToSpec(call).request.size();
  const size_t kill = sizeof(protocol::MessageHeader) + sizeof(protocol::Kill);
  call.supervisor = directory.Script("#!/bin/sh\ncd '" + directory.path() + "'; head -c " +
                                     std::to_string(request + kill) + " <&3 >/dev/null; cat exited >&3\n");
  test::InForkedProcess([&] {
    CommandOnLoop command(call);
    EXPECT_TRUE(test::Exited(command.Result(), 3));
    command.ExpectGone();
  });
}

TEST_F(CommandEndTest, ReadsTheStateOfASessionAfterAnInterruption) {
  test::InForkedProcess([&] {
    Call call("echo state >&201; echo ready; read -r line <\"$FIFO\"; exit 0");
    call.environment = {"FIFO=" + fifo_};
    call.prologue = ":";
    call.live = true;
    CommandOnLoop command(call);
    test::RunUntil(command.loop(), [&] { return command.shown() == "ready\n"; });
    // Only now: starting programs load themselves by this call, and after execve no handler answers it.
    test::AnswerSystemCall(SYS_pread64, ReadAfterAnInterruption);
    EndScript();
    EXPECT_TRUE(test::Exited(command.Result(), 0));
    EXPECT_EQ(command.Result().state, "state\n");
    command.ExpectGone();
  });
}

}  // namespace
}  // namespace bashward::process
