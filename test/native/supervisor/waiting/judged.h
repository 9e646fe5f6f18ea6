// Programs on a real terminal, and what is concluded from them.
#ifndef BASHWARD_TEST_SUPERVISOR_WAITING_JUDGED_H_
#define BASHWARD_TEST_SUPERVISOR_WAITING_JUDGED_H_

#include <errno.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <vector>

#include "supervisor/terminal/pty.h"
#include "supervisor/waiting/judge.h"
#include "support/forked.h"
#include "support/processes.h"
#include "support/wait.h"

namespace bashward::supervisor {

using protocol::Verdict;

inline constexpr timespec kLong{300, 0};

struct TestTerminal {
  int master;
  pid_t shell;
  JudgedTerminal judged;
};

inline Judgement Look(const TestTerminal& terminal, bool others = false) {
  return Judge(terminal.judged, ForegroundGroup(terminal.master), others);
}

// Runs `program` as the leader of the terminal's session, in a child of a process that judges. It does not
// return.
inline void Judging(const std::function<void()>& program,
                    const std::function<void(const TestTerminal&)>& check) {
  test::InForkedProcess([&] {
    test::BecomeSubreaper();
    Pty pty;
    protocol::Failed failure{};
    ASSERT_TRUE(OpenPty({24, 80}, &pty, &failure)) << "errno " << failure.error;
    const pid_t child = fork();
    if (child == 0) {
      setsid();
      TakeControllingTerminal(pty.slave.get());
      TakeAsStreams(pty.slave.get());
      pty.slave.reset();
      pty.master.reset();
      program();
      _exit(1);
    }
    TestTerminal terminal{pty.master.get(), child, {-1, 0, 0, TtyTarget::Within(0)}};
    ASSERT_TRUE(DescribeTerminal(pty.master.get(), pty.slave.get(), child, &terminal.judged));
    check(terminal);
    test::KillAllChildren();
  });
}

// Whether it comes to that, and stays so for some looks.
inline ::testing::AssertionResult Becomes(const TestTerminal& terminal, Verdict verdict) {
  Judgement last{};
  int times = 0;
  const bool stays = test::WaitUntil(
      [&] {
        last = Look(terminal);
        times = last.verdict == verdict ? times + 1 : 0;
        return times == 5;
      },
      std::chrono::seconds(10));
  if (stays) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "it is " << static_cast<int>(last.verdict) << " of " << last.name;
}

inline void ExpectVerdict(const std::function<void()>& program, Verdict verdict) {
  Judging(program, [verdict](const TestTerminal& terminal) { EXPECT_TRUE(Becomes(terminal, verdict)); });
}

inline void Change(const std::function<void(termios*)>& change) {
  termios settings{};
  tcgetattr(0, &settings);
  change(&settings);
  tcsetattr(0, TCSANOW, &settings);
}
inline void MakeRaw() {
  Change([](termios* settings) { cfmakeraw(settings); });
}
inline void HideEcho() {
  Change([](termios* settings) { settings->c_lflag &= ~static_cast<tcflag_t>(ECHO); });
}

inline void ReadInput() {
  char byte = 0;
  while (read(0, &byte, 1) > 0) {
  }
}

inline void Poll(std::vector<pollfd> fds, const timespec* limit) {
  for (;;) ppoll(fds.data(), fds.size(), limit, nullptr);
}

}  // namespace bashward::supervisor

#endif  // BASHWARD_TEST_SUPERVISOR_WAITING_JUDGED_H_
