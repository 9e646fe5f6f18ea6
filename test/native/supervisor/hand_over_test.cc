// Handing a command over, as its supervisor sees it: whatever comes between Prepare and Commit leaves no job.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "process/request_encoding.h"
#include "supervisor/supervision.h"
#include "support/descriptors.h"
#include "support/forked.h"
#include "support/processes.h"
#include "support/seccomp.h"
#include "support/temporary_directory.h"
#include "sys/signals.h"

namespace bashward::supervisor {
namespace {

using protocol::MessageType;
using protocol::Step;

class HandOverTest : public ::testing::Test {
 protected:
  std::string Directory() const { return directory_.File("job"); }
  std::string File(const char* name) const { return test::ReadFile(Directory() + "/" + name); }
  bool HasDirectory() const { return access(Directory().c_str(), F_OK) == 0; }

  std::string Plan() const { return process::EncodeAdoption(Directory(), "{\"version\":1,", 1'000'000); }
  std::string Prepare(uint64_t remaining_ms = 50'000) const {
    return Message(MessageType::kPrepare, process::EncodeHandOver({60'000, remaining_ms}, Plan()));
  }
  std::string Release() const { return Message(MessageType::kRelease, Plan()); }
  static std::string Withdraw() { return Message(MessageType::kWithdraw, ""); }
  static std::string Commit() {
    const protocol::Commit commit{4, 9, 5};
    return Message(MessageType::kCommit, std::string(reinterpret_cast<const char*>(&commit), sizeof commit));
  }
  static std::string Kill() {
    const protocol::Kill kill{0};
    return Message(MessageType::kKill, std::string(reinterpret_cast<const char*>(&kill), sizeof kill));
  }

  // Supervises a shell that sleeps so many seconds, whose host has sent `messages`; with `stays` it does not
  // end after them. `check` gets the host's end of the socket.
  void Supervise(
      const std::string& messages, bool stays, const std::function<void(int host)>& check,
      const std::function<void()>& before = [] {}, const char* seconds = "300") {
    test::InForkedProcess([&] {
      test::SocketPair sockets;
      sys::UniqueFd host(fcntl(sockets.one.get(), F_DUPFD_CLOEXEC, protocol::kMaxInheritedFds));
      sockets.one.reset();
      ASSERT_EQ(dup2(sockets.other.get(), protocol::kControlFd), protocol::kControlFd);
      if (sockets.other.get() != protocol::kControlFd) sockets.other.reset();
      int output[2];
      ASSERT_EQ(pipe2(output, O_CLOEXEC | O_NONBLOCK), 0);
      const sys::UniqueFd writer(fcntl(output[1], F_DUPFD_CLOEXEC, protocol::kMaxInheritedFds));
      ASSERT_EQ(dup2(output[0], protocol::kFirstOutputFd), protocol::kFirstOutputFd);
      test::WriteAll(host.get(), messages);
      if (!stays) shutdown(host.get(), SHUT_WR);

      test::BecomeSubreaper();
      sys::SetSignalMask(sys::SignalSet(SIGCHLD) | sys::SignalSet(protocol::kKillJobSignal));
      const pid_t shell = fork();
      if (shell == 0) {
        setsid();
        sys::SetSignalMask(0);
        execlp("sleep", "sleep", seconds, nullptr);
        _exit(127);
      }
      before();
      Request request{};
      Scratch scratch("", 0);
      Supervision(request, ShellStart{shell, {}, 0, 0}, nullptr, &scratch).Run();
      check(host.get());
    });
  }

  static protocol::MessageHeader ReceiveHeader(int host) {
    protocol::MessageHeader header{};
    EXPECT_EQ(recv(host, &header, sizeof header, MSG_DONTWAIT), static_cast<ssize_t>(sizeof header));
    return header;
  }
  static protocol::HandOverAnswer Receive(int host, MessageType type) {
    EXPECT_EQ(ReceiveHeader(host).type, type);
    protocol::HandOverAnswer answer{};
    EXPECT_EQ(recv(host, &answer, sizeof answer, MSG_DONTWAIT), static_cast<ssize_t>(sizeof answer));
    return answer;
  }

  const test::TemporaryDirectory directory_;

 private:
  static std::string Message(MessageType type, const std::string& body) {
    const protocol::MessageHeader header{type, static_cast<uint32_t>(body.size())};
    return std::string(reinterpret_cast<const char*>(&header), sizeof header) + body;
  }
};

TEST_F(HandOverTest, LeavesNothingWhenTheHostEndsBeforeTheCommit) {
  Supervise(Prepare(), false, [this](int host) {
    EXPECT_EQ(Receive(host, MessageType::kPrepared).step, Step::kNone);
    EXPECT_FALSE(HasDirectory());
  });
}

TEST_F(HandOverTest, LeavesNothingOfACommandThatIsKilledBeforeTheCommit) {
  Supervise(Prepare() + Kill() + Commit(), true, [this](int host) {
    EXPECT_EQ(Receive(host, MessageType::kPrepared).step, Step::kNone);
    EXPECT_EQ(ReceiveHeader(host).type, MessageType::kExited);
    EXPECT_FALSE(HasDirectory());
  });
}

TEST_F(HandOverTest, LeavesNothingAfterAWithdrawal) {
  Supervise(Prepare() + Withdraw() + Commit() + Kill(), true, [this](int host) {
    EXPECT_EQ(Receive(host, MessageType::kPrepared).step, Step::kNone);
    EXPECT_EQ(ReceiveHeader(host).type, MessageType::kExited);
    EXPECT_FALSE(HasDirectory());
  });
}

TEST_F(HandOverTest, LeavesNoTimeLimitToAnotherJobAfterAWithdrawal) {
  Supervise(
      Prepare(1) + Withdraw() + Release(), true,
      [this](int) {
        const std::string end = File("exit.json");
        EXPECT_NE(end.find("\"status\":\"completed\""), std::string::npos) << end;
      },
      [] {}, "0.3");
}

TEST_F(HandOverTest, HasTheTimeLimitOfTheCommandFromTheCommitOn) {
  Supervise(Prepare(1) + Commit(), true, [this](int) {
    EXPECT_NE(File("exit.json").find("\"status\":\"timed_out\""), std::string::npos);
    EXPECT_NE(File("output").find("[background process timed out after 60s]"), std::string::npos);
  });
}

TEST_F(HandOverTest, TellsWhyTheFilesCannotBeMade) {
  ASSERT_EQ(symlink("/dev/null", Directory().c_str()), 0);
  Supervise(Prepare() + Commit() + Kill(), true, [](int host) {
    const protocol::HandOverAnswer answer = Receive(host, MessageType::kPrepared);
    EXPECT_EQ(answer.step, Step::kMkdir);
    EXPECT_EQ(answer.error, EEXIST);
    EXPECT_EQ(ReceiveHeader(host).type, MessageType::kExited);
  });
}

TEST_F(HandOverTest, TellsWhyTheJobCannotBePublished) {
  Supervise(
      Prepare() + Commit() + Kill(), true,
      [this](int host) {
        EXPECT_EQ(Receive(host, MessageType::kPrepared).step, Step::kNone);
        const protocol::HandOverAnswer answer = Receive(host, MessageType::kCommitted);
        EXPECT_EQ(answer.step, Step::kWriteRecord);
        EXPECT_EQ(answer.error, EIO);
        EXPECT_FALSE(HasDirectory());
      },
      [] {
#ifdef SYS_rename
        test::AnswerSystemCall(SYS_rename, [](const uint64_t*) -> long { return -EIO; });
#else
        test::AnswerSystemCall(SYS_renameat, [](const uint64_t*) -> long { return -EIO; });
#endif
      });
}

TEST_F(HandOverTest, IsAJobOfWhichAKillIsTheEnd) {
  Supervise(Prepare() + Commit() + Kill(), true, [this](int host) {
    EXPECT_EQ(Receive(host, MessageType::kPrepared).step, Step::kNone);
    EXPECT_EQ(Receive(host, MessageType::kCommitted).step, Step::kNone);
    EXPECT_NE(File("job.json"), "");
    const std::string end = File("exit.json");
    EXPECT_NE(end.find("\"status\":\"killed\""), std::string::npos) << end;
    EXPECT_NE(end.find("\"outputBytes\":9,\"droppedBytes\":5,"), std::string::npos) << end;
  });
}

}  // namespace
}  // namespace bashward::supervisor
