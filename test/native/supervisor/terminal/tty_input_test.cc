#include "supervisor/terminal/tty_input.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <string>

#include "supervisor/terminal/pty.h"
#include "support/forked.h"
#include "support/must_work.h"
#include "support/wait.h"

namespace bashward::supervisor {
namespace {

constexpr size_t kMuch = 60'000;  // more than the kernel keeps of what is typed

class TtyInputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    protocol::Failed failure{};
    ASSERT_TRUE(OpenPty({24, 80}, &pty_, &failure)) << "errno " << failure.error;
    const int flags = fcntl(pty_.slave.get(), F_GETFL);
    ASSERT_EQ(fcntl(pty_.slave.get(), F_SETFL, flags | O_NONBLOCK), 0);
  }

  void MakeRaw(tcflag_t kept = 0) {
    termios settings{};
    ASSERT_EQ(tcgetattr(pty_.slave.get(), &settings), 0);
    cfmakeraw(&settings);
    settings.c_lflag |= kept;
    ASSERT_EQ(tcsetattr(pty_.slave.get(), TCSANOW, &settings), 0);
  }

  static protocol::Taken Type(TtyInput* input, const std::string& bytes) {
    return input->Take(bytes.data(), bytes.size());
  }

  // What a program reads, until that many bytes have come.
  std::string Read(TtyInput* input, size_t size) {
    std::string all;
    test::WaitUntil([&] {
      char part[4096];
      ssize_t count = 0;
      while ((count = read(pty_.slave.get(), part, sizeof part)) > 0) {
        all.append(part, static_cast<size_t>(count));
        input->Drain();
      }
      input->Drain();
      return all.size() >= size;
    });
    return all;
  }

  Pty pty_;
};

TEST_F(TtyInputTest, TypesALine) {
  TtyInput input(pty_.master.get(), pty_.slave.get());
  const protocol::Taken taken = Type(&input, "hello\n");
  EXPECT_EQ(taken.error, 0);
  EXPECT_EQ(taken.accepted, 6U);
  EXPECT_EQ(taken.queued, 0U);
  EXPECT_EQ(Read(&input, 6), "hello\n");
}

TEST_F(TtyInputTest, CountsWhatIsNotRead) {
  TtyInput input(pty_.master.get(), pty_.slave.get());
  Type(&input, "hello\n");
  EXPECT_TRUE(test::WaitUntil([&] { return input.CountUnread() == 6; }));
}

TEST_F(TtyInputTest, RefusesALineThatCookedModeWouldCut) {
  TtyInput input(pty_.master.get(), pty_.slave.get());
  const protocol::Taken taken = Type(&input, std::string(protocol::kMaxCookedLine + 1, 'x') + "\n");
  EXPECT_EQ(taken.error, EMSGSIZE);
  EXPECT_EQ(taken.accepted, 0U);
  EXPECT_EQ(Type(&input, "ok\n").accepted, 3U);
  EXPECT_EQ(Read(&input, 3), "ok\n");
}

TEST_F(TtyInputTest, KeepsTheLongestLineOfCookedModeWhole) {
  TtyInput input(pty_.master.get(), pty_.slave.get());
  const std::string line = std::string(protocol::kMaxCookedLine, 'x') + "\n";
  EXPECT_EQ(Type(&input, line).accepted, line.size());
  EXPECT_EQ(Read(&input, line.size()), line);
}

TEST_F(TtyInputTest, CountsTheBytesOfALineThatComesInParts) {
  TtyInput input(pty_.master.get(), pty_.slave.get());
  EXPECT_EQ(Type(&input, std::string(4000, 'x')).error, 0);
  EXPECT_EQ(Type(&input, std::string(96, 'y')).error, EMSGSIZE);
  EXPECT_EQ(Type(&input, std::string(95, 'y') + "\n").error, 0);
  EXPECT_EQ(Type(&input, std::string(4000, 'z')).error, 0);
}

TEST_F(TtyInputTest, TakesManyShortLinesInCookedMode) {
  TtyInput input(pty_.master.get(), pty_.slave.get());
  std::string lines;
  while (lines.size() < kMuch) lines += "a line\n";
  EXPECT_EQ(Type(&input, lines).accepted, lines.size());
  EXPECT_EQ(Read(&input, lines.size()), lines);
}

TEST_F(TtyInputTest, TakesALongLineInRawMode) {
  MakeRaw();
  TtyInput input(pty_.master.get(), pty_.slave.get());
  const std::string line(kMuch, 'x');
  EXPECT_EQ(Type(&input, line).accepted, line.size());
  EXPECT_EQ(Read(&input, line.size()), line);
}

TEST_F(TtyInputTest, QueuesWhatTheTerminalHasNoRoomFor) {
  MakeRaw();
  TtyInput input(pty_.master.get(), pty_.slave.get());
  std::string all;
  for (char letter = 'a'; letter <= 'e'; ++letter) {
    const std::string part(kMuch, letter);
    EXPECT_EQ(Type(&input, part).accepted, part.size());
    all += part;
  }
  EXPECT_TRUE(input.is_waiting());
  EXPECT_EQ(Read(&input, all.size()), all);
  EXPECT_FALSE(input.is_waiting());
}

TEST_F(TtyInputTest, RefusesWhatItsQueueHasNoRoomForAndLosesNothing) {
  MakeRaw();
  TtyInput input(pty_.master.get(), pty_.slave.get());
  const std::string part(kMuch, 'x');
  size_t accepted = 0;
  protocol::Taken taken{};
  // The queue and what the kernel keeps.
  for (int i = 0; i < 40 && taken.error == 0; ++i) {
    taken = Type(&input, part);
    accepted += taken.accepted;
  }
  EXPECT_EQ(taken.error, ENOBUFS);
  EXPECT_EQ(taken.accepted, 0U);
  EXPECT_LE(taken.queued, TtyInput::kQueueSize);
  EXPECT_EQ(Read(&input, accepted).size(), accepted);
}

TEST_F(TtyInputTest, DropsWhatIsQueuedForAnInterrupt) {
  MakeRaw();
  for (const char* key : {"\x03", "\x1c", "\x1a"}) {
    TtyInput input(pty_.master.get(), pty_.slave.get());
    Type(&input, std::string(kMuch, 'x'));
    const size_t queued = input.queued();
    ASSERT_GT(queued, 0U);
    const protocol::Taken taken = Type(&input, key);
    EXPECT_EQ(taken.dropped, queued);
    EXPECT_LE(taken.queued, 1U);
    EXPECT_EQ(input.dropped(), queued);
    EXPECT_EQ(Type(&input, "y").dropped, 0U) << "told twice";
    ASSERT_EQ(tcflush(pty_.slave.get(), TCIFLUSH), 0);
    ASSERT_EQ(tcflush(pty_.master.get(), TCOFLUSH), 0);
  }
}

// The program does not read, so the line discipline never comes to the key by itself.
TEST_F(TtyInputTest, InterruptsAProgramThatDoesNotRead) {
  test::InForkedProcess([this] {
    ASSERT_GE(setsid(), 0);
    ASSERT_TRUE(TakeControllingTerminal(pty_.slave.get()));
    signal(SIGHUP, SIG_IGN);
    // Tests that are run in the background inherit one that is ignored.
    signal(SIGINT, SIG_DFL);
    const pid_t program = fork();
    if (program == 0) {
      for (;;) pause();
    }
    TtyInput input(pty_.master.get(), pty_.slave.get());
    std::string lines;
    while (lines.size() < kMuch) lines += "a line that nobody reads\n";
    signal(SIGINT, SIG_IGN);
    ASSERT_EQ(Type(&input, lines).accepted, lines.size());
    ASSERT_TRUE(input.is_waiting());
    Type(&input, "\x03");
    int status = 0;
    const bool ended = test::WaitUntil([&] { return waitpid(program, &status, WNOHANG) == program; });
    EXPECT_TRUE(ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    if (!ended) {
      kill(program, SIGKILL);
      waitpid(program, nullptr, 0);
    }
  });
}

TEST_F(TtyInputTest, DropsWhatWasMeantForAnotherForegroundGroup) {
  test::InForkedProcess([this] {
    ASSERT_GE(setsid(), 0);
    ASSERT_TRUE(TakeControllingTerminal(pty_.slave.get()));
    signal(SIGTTOU, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    MakeRaw();
    TtyInput input(pty_.master.get(), pty_.slave.get());
    Type(&input, std::string(kMuch, 'x'));
    const size_t queued = input.queued();
    ASSERT_GT(queued, 0U);
    const pid_t other = fork();
    if (other == 0) {
      for (;;) pause();
    }
    ASSERT_EQ(setpgid(other, other), 0);
    ASSERT_EQ(tcsetpgrp(pty_.slave.get(), other), 0);
    // The kernel hands on what was typed in a thread of its own.
    ASSERT_TRUE(test::WaitUntil([&] { return input.CountUnread() == TtyInput::kAhead; }));
    EXPECT_TRUE(input.Drain());
    EXPECT_FALSE(input.is_waiting());
    EXPECT_EQ(input.CountUnread(), 0U);
    // What the terminal had of it already is dropped, too.
    EXPECT_EQ(Type(&input, "y").dropped, queued + TtyInput::kAhead);
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
  });
}

TEST_F(TtyInputTest, SaysThatTheTerminalIsGone) {
  if (geteuid() != 0) return test::CannotTest("only root can hang up a terminal");
  TtyInput input(pty_.master.get(), pty_.slave.get());
  MakeRaw();
  Type(&input, std::string(kMuch, 'x'));
  ASSERT_TRUE(input.is_waiting());
  constexpr unsigned long kHangUp = 0x5437;  // TIOCVHANGUP
  ASSERT_EQ(ioctl(pty_.slave.get(), kHangUp), 0);
  const protocol::Taken taken = Type(&input, "x");
  EXPECT_EQ(taken.error, EIO);
  EXPECT_EQ(taken.accepted, 0U);
  // What was queued is not kept either.
  EXPECT_TRUE(input.Drain());
  EXPECT_FALSE(input.is_waiting());
  EXPECT_GT(input.dropped(), 0U);
}

}  // namespace
}  // namespace bashward::supervisor
