#include "supervisor/terminal/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "process/terminal_protocol.h"
#include "support/forked.h"
#include "support/own_mounts.h"
#include "support/seccomp.h"

namespace bashward::supervisor {
namespace {

using protocol::Failed;
using protocol::Step;

TEST(Pty, HasTheSizeThatIsAskedFor) {
  Pty pty;
  Failed failure{};
  ASSERT_TRUE(OpenPty({30, 90}, &pty, &failure)) << "errno " << failure.error;
  const WindowSize size = ReadWindowSize(pty.master.get());
  EXPECT_EQ(size.rows, 30);
  EXPECT_EQ(size.columns, 90);
}

TEST(Pty, HasASizeThatProgramsCanCopeWith) {
  Pty pty;
  Failed failure{};
  ASSERT_TRUE(OpenPty({0, 65535}, &pty, &failure)) << "errno " << failure.error;
  WindowSize size = ReadWindowSize(pty.master.get());
  EXPECT_EQ(size.rows, 1);
  EXPECT_EQ(size.columns, protocol::kMaxColumns);
  ASSERT_TRUE(SetWindowSize(pty.master.get(), {65535, 0}));
  size = ReadWindowSize(pty.master.get());
  EXPECT_EQ(size.rows, protocol::kMaxRows);
  EXPECT_EQ(size.columns, 1);
}

TEST(Pty, EchoesAndEditsLinesOfUtf8) {
  Pty pty;
  Failed failure{};
  ASSERT_TRUE(OpenPty({24, 80}, &pty, &failure)) << "errno " << failure.error;
  termios settings{};
  ASSERT_EQ(tcgetattr(pty.slave.get(), &settings), 0);
  EXPECT_NE(settings.c_lflag & ECHO, 0U);
  EXPECT_NE(settings.c_lflag & ICANON, 0U);
  EXPECT_NE(settings.c_iflag & IUTF8, 0U);
}

TEST(Pty, IsNoProgramsToInheritAndNeverBlocks) {
  Pty pty;
  Failed failure{};
  ASSERT_TRUE(OpenPty({24, 80}, &pty, &failure)) << "errno " << failure.error;
  EXPECT_EQ(fcntl(pty.master.get(), F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(fcntl(pty.slave.get(), F_GETFD), FD_CLOEXEC);
  char byte = 0;
  EXPECT_EQ(read(pty.master.get(), &byte, 1), -1);
  EXPECT_EQ(errno, EAGAIN);
}

TEST(Pty, IsFoundWhereOnlyDevptsHasTheMultiplexer) {
  test::WithOwnMounts([](const std::string&) {
    test::MountNew("tmpfs", "/dev");
    test::MakeDirectory("/dev/pts");
    test::MountNew("devpts", "/dev/pts");
    Pty pty;
    Failed failure{};
    EXPECT_TRUE(OpenPty({24, 80}, &pty, &failure)) << "errno " << failure.error;
  });
}

TEST(Pty, NamesTheStepWhereThereIsNoDevpts) {
  test::WithOwnMounts([](const std::string&) {
    test::MountNew("tmpfs", "/dev/pts");
    Pty pty;
    Failed failure{};
    EXPECT_FALSE(OpenPty({24, 80}, &pty, &failure));
    EXPECT_EQ(failure.step, Step::kOpenTerminal);
    EXPECT_EQ(failure.error, ENODEV);
  });
}

TEST(Pty, NamesTheStepWhereThereIsNoDev) {
  test::WithOwnMounts([](const std::string&) {
    test::MountNew("tmpfs", "/dev");
    Pty pty;
    Failed failure{};
    EXPECT_FALSE(OpenPty({24, 80}, &pty, &failure));
    EXPECT_EQ(failure.step, Step::kOpenTerminal);
    EXPECT_EQ(failure.error, ENOENT);
  });
}

TEST(Pty, NamesTheStepWhereTerminalsMayNotBeSet) {
  test::InForkedProcess([] {
    test::AnswerSystemCall(SYS_ioctl, [](const uint64_t*) -> long { return -EPERM; });
    Pty pty;
    Failed failure{};
    EXPECT_FALSE(OpenPty({24, 80}, &pty, &failure));
    EXPECT_EQ(failure.step, Step::kOpenTerminal);
    EXPECT_EQ(failure.error, EPERM);
  });
}

TEST(Pty, IsFoundByItsNumberWhereTheKernelOpensNoPeer) {
  test::InForkedProcess([] {
    test::RefuseSystemCallWith(SYS_ioctl, 1, TIOCGPTPEER, EINVAL);
    Pty pty;
    Failed failure{};
    ASSERT_TRUE(OpenPty({24, 80}, &pty, &failure)) << "errno " << failure.error;
    EXPECT_EQ(fcntl(pty.slave.get(), F_GETFD), FD_CLOEXEC);
    const WindowSize size = ReadWindowSize(pty.slave.get());
    EXPECT_EQ(size.rows, 24);
    EXPECT_EQ(size.columns, 80);
    ASSERT_EQ(write(pty.slave.get(), "x", 1), 1);
    char byte = 0;
    EXPECT_EQ(read(pty.master.get(), &byte, 1), 1);
  });
}

}  // namespace
}  // namespace bashward::supervisor
