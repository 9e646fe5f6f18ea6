// What is concluded from who reads a terminal, and from who does something else.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "supervisor/waiting/judged.h"
#include "support/must_work.h"
#include "sys/process_stat.h"

namespace bashward::supervisor {
namespace {

// In a process group of its own, in the background.
void InBackground(const std::function<void()>& program) {
  if (fork() != 0) return;
  setpgid(0, 0);
  program();
  _exit(1);
}

void Compute() {
  for (volatile int i = 0;;) i = i + 1;
}

TEST(Judge, FindsWhoReadsALine) {
  ExpectVerdict(ReadInput, Verdict::kLine);
}

TEST(Judge, FindsWhoReadsKeys) {
  ExpectVerdict([] { MakeRaw(), ReadInput(); }, Verdict::kKeys);
}

TEST(Judge, FindsWhoReadsWhatIsNotShown) {
  ExpectVerdict([] { HideEcho(), ReadInput(); }, Verdict::kPassword);
}

TEST(Judge, FindsWhoReadsByTheNameOfTheControllingTerminal) {
  ExpectVerdict(
      [] {
        const int fd = open("/dev/tty", O_RDWR);
        const int null = open("/dev/null", O_RDWR);
        for (int i = 0; i < 3; ++i) dup2(null, i);
        char byte = 0;
        while (read(fd, &byte, 1) > 0) {
        }
      },
      Verdict::kLine);
}

TEST(Judge, NamesTheReader) {
  Judging([] { prctl(PR_SET_NAME, "asks"), ReadInput(); },
          [](const TestTerminal& terminal) {
            EXPECT_TRUE(Becomes(terminal, Verdict::kLine));
            const Judgement judgement = Look(terminal);
            EXPECT_STREQ(judgement.name, "asks");
            EXPECT_EQ(judgement.pid, terminal.shell);
            ThreadStat stat{};
            ASSERT_TRUE(ReadThreadStat(terminal.shell, terminal.shell, &stat));
            EXPECT_NE(stat.started, 0U);
            EXPECT_EQ(judgement.started, stat.started);
            EXPECT_EQ(judgement.flags, uint32_t{protocol::kEcho | protocol::kCooked});
          });
}

TEST(Judge, FindsAReaderAmongManyThreads) {
  ExpectVerdict(
      [] {
        for (int i = 0; i < 64; ++i) {
          std::thread([] {
            for (;;) pause();
          }).detach();
        }
        std::thread(ReadInput).join();
      },
      Verdict::kLine);
}

TEST(Judge, FindsAReaderBesideOneThatComputes) {
  ExpectVerdict(
      [] {
        std::thread([] {
          for (volatile int i = 0;;) i = i + 1;
        }).detach();
        ReadInput();
      },
      Verdict::kLine);
}

TEST(Judge, KnowsWhatElseIsWaitedFor) {
  ExpectVerdict([] { nanosleep(&kLong, nullptr); }, Verdict::kSleep);
  ExpectVerdict(
      [] {
        int pipe_ends[2];
        char byte = 0;
        if (pipe(pipe_ends) == 0) read(pipe_ends[0], &byte, 1);
      },
      Verdict::kPipe);
  ExpectVerdict(
      [] {
        const int server = socket(AF_INET, SOCK_STREAM, 0);
        listen(server, 1);
        accept(server, nullptr, nullptr);
      },
      Verdict::kListen);
  ExpectVerdict(Compute, Verdict::kBusy);
}

TEST(Judge, TakesWhoAsksARawTerminalsOtherReaderForARelay) {
  const auto receive = [] {
    int pair[2];
    char byte = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) recv(pair[0], &byte, 1, 0);
  };
  ExpectVerdict(receive, Verdict::kNetwork);
  ExpectVerdict([receive] { MakeRaw(), receive(); }, Verdict::kRelay);
}

TEST(Judge, LooksAtTheForegroundOnly) {
  ExpectVerdict(
      [] {
        if (fork() == 0) {
          setpgid(0, 0);
          signal(SIGTTIN, SIG_IGN);
          // Not of the terminal's session: read(2) waits instead of failing.
          setsid();
          ReadInput();
          for (;;) pause();
        }
        nanosleep(&kLong, nullptr);
      },
      Verdict::kSleep);
}

TEST(Judge, FindsWhoWasStoppedForReadingFromTheBackground) {
  // As bash waits for a job, and as a script of bash goes on whose wait(1) has ended because the job was
  // stopped.
  ExpectVerdict([] { InBackground(ReadInput), waitpid(-1, nullptr, 0); }, Verdict::kStopped);
  ExpectVerdict([] { InBackground(ReadInput), nanosleep(&kLong, nullptr); }, Verdict::kStopped);
}

TEST(Judge, LetsTheForegroundDecideBeforeWhatWasStopped) {
  ExpectVerdict([] { InBackground(ReadInput), Compute(); }, Verdict::kBusy);
  ExpectVerdict(
      [] {
        InBackground(ReadInput);
        int pipe_ends[2];
        char byte = 0;
        if (pipe(pipe_ends) == 0) read(pipe_ends[0], &byte, 1);
      },
      Verdict::kPipe);
  ExpectVerdict([] { InBackground(ReadInput), MakeRaw(), ReadInput(); }, Verdict::kKeys);
}

TEST(Judge, TakesWhatWasStoppedForNothingWhileTheForegroundSleepsUnlessItWantsTheTerminal) {
  ExpectVerdict([] { InBackground([] { raise(SIGSTOP); }), nanosleep(&kLong, nullptr); }, Verdict::kSleep);
  ExpectVerdict([] { InBackground([] { raise(SIGSTOP); }), waitpid(-1, nullptr, 0); }, Verdict::kStopped);
}

TEST(Judge, FindsAForegroundThatWasStopped) {
  ExpectVerdict([] { raise(SIGSTOP); }, Verdict::kStopped);
}

TEST(Judge, FindsWhatAProgramReadsOnBehalfOfOneInTheForeground) {
  ExpectVerdict(
      [] {
        MakeRaw();
        if (fork() == 0) {
          setsid();
          Poll({{0, POLLIN, 0}}, nullptr);
        }
        nanosleep(&kLong, nullptr);
      },
      Verdict::kKeys);
}

TEST(Judge, NamesAnotherReaderOfTheTerminalIfThatIsAsked) {
  const auto steals = [] {
    HideEcho();
    if (fork() == 0) {
      setsid();
      prctl(PR_SET_NAME, "thief");
      for (;;) Poll({{0, POLLIN, 0}}, nullptr);
    }
    ReadInput();
  };
  Judging(steals, [](const TestTerminal& terminal) {
    EXPECT_TRUE(Becomes(terminal, Verdict::kPassword));
    EXPECT_FALSE(Look(terminal).other.looked);
    Judgement judgement{};
    EXPECT_TRUE(test::WaitUntil([&] { return (judgement = Look(terminal, true)).other.pid != 0; }));
    EXPECT_TRUE(judgement.other.looked);
    EXPECT_STREQ(judgement.other.name, "thief");
    EXPECT_NE(judgement.other.pid, judgement.pid);
  });
  const auto alone = [] {
    HideEcho();
    std::thread another([] { ReadInput(); });
    ReadInput();
    another.join();
  };
  Judging(alone, [](const TestTerminal& terminal) {
    EXPECT_TRUE(Becomes(terminal, Verdict::kPassword));
    const Judgement judgement = Look(terminal, true);
    EXPECT_TRUE(judgement.other.looked);
    EXPECT_EQ(judgement.other.pid, 0) << judgement.other.name;
  });
}

TEST(Judge, TellsWhenTheReaderWasStarted) {
  Judging(ReadInput, [](const TestTerminal& terminal) {
    EXPECT_TRUE(Becomes(terminal, Verdict::kLine));
    const Judgement judgement = Look(terminal);
    sys::ProcessStat stat{};
    ASSERT_TRUE(sys::ReadProcessStat(judgement.pid, &stat));
    EXPECT_EQ(judgement.started, stat.start_time);
  });
}

TEST(Judge, TellsWhatIsTypedAndNotRead) {
  Judging([] { nanosleep(&kLong, nullptr); },
          [](const TestTerminal& terminal) {
            ASSERT_EQ(write(terminal.master, "typed\n", 6), 6);
            EXPECT_TRUE(test::WaitUntil([&] { return Look(terminal).unread == 6; }));
          });
}

TEST(Judge, SaysThatItMayNotLook) {
  if (geteuid() != 0) return test::CannotTest("only root can become somebody else");
  Judging(ReadInput, [](const TestTerminal& terminal) {
    EXPECT_TRUE(Becomes(terminal, Verdict::kLine));
    const pid_t stranger = fork();
    if (stranger == 0) {
      constexpr uid_t kNobody = 65534;
      if (setresgid(kNobody, kNobody, kNobody) != 0 || setresuid(kNobody, kNobody, kNobody) != 0) _exit(2);
      _exit(Becomes(terminal, Verdict::kHidden) && Look(terminal).hidden ? 0 : 1);
    }
    int status = 0;
    waitpid(stranger, &status, 0);
    EXPECT_EQ(status, 0);
  });
}

}  // namespace
}  // namespace bashward::supervisor
