// Looks in a thread of its own: that they go on, whatever one of them comes to.
#include "supervisor/waiting/prober.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>

#include "supervisor/waiting/judged.h"
#include "supervisor/waiting/waited_call.h"
#include "support/file_server.h"
#include "support/must_work.h"
#include "support/own_mounts.h"
#include "sys/clock.h"

namespace bashward::supervisor {
namespace {

// Of a process that never gives it back, as its thread uses it to the end.
struct Asked {
  Pty pty;
  Prober* prober;
  pid_t shell;
};

Asked* Ask(const std::function<void()>& program) {
  static Asked asked;
  test::BecomeSubreaper();
  protocol::Failed failure{};
  if (!OpenPty({24, 80}, &asked.pty, &failure)) return nullptr;
  asked.shell = fork();
  if (asked.shell == 0) {
    setsid();
    TakeControllingTerminal(asked.pty.slave.get());
    TakeAsStreams(asked.pty.slave.get());
    program();
    _exit(1);
  }
  asked.prober = new Prober(asked.pty.master.get(), asked.pty.slave.get());
  return &asked;
}

// Asks until that is the answer.
::testing::AssertionResult Becomes(Asked* asked, Verdict verdict) {
  Judgement last{};
  const bool becomes = test::WaitUntil([&] {
    asked->prober->Ask(asked->shell);
    return asked->prober->TakeAnswer(&last) && last.verdict == verdict;
  });
  if (becomes) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "it is " << static_cast<int>(last.verdict) << " of " << last.name;
}

bool HangsInALook(Asked* asked) {
  return test::WaitUntil([&] {
    Judgement answer{};
    asked->prober->Ask(asked->shell);
    asked->prober->TakeAnswer(&answer);
    return asked->prober->IsBlind(sys::NowMs());
  });
}

// An execve(2) that waits for a file system to close a file: nobody can look into such a process.
void ExecuteForEver(const std::string& file) {
  if (open(file.c_str(), O_RDONLY | O_CLOEXEC) >= 0) execl("/bin/true", "true", nullptr);
}

void WithFileThatHangs(const std::function<void(const std::string& file, test::FileServer*)>& body) {
  test::WithOwnMounts([&](const std::string& directory) {
    test::BecomeSubreaper();
    test::FileServer server;
    server.AddUnreadable("hangs");
    if (!server.Mount(directory)) return test::CannotTest("FUSE cannot be mounted");
    body(directory + "/hangs", &server);
    server.Stop();
    test::KillAllChildren();
  });
}

TEST(Prober, LooksAgainAndAgain) {
  test::InForkedProcess([] {
    Asked* const asked = Ask(ReadInput);
    ASSERT_NE(asked, nullptr);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(Becomes(asked, Verdict::kLine));
    EXPECT_FALSE(asked->prober->IsBlind(sys::NowMs()));
    test::KillAllChildren();
  });
}

TEST(Prober, GoesOnWhenALookComesBack) {
  WithFileThatHangs([](const std::string& file, test::FileServer* server) {
    Asked* const asked = Ask([&] { ExecuteForEver(file); });
    ASSERT_NE(asked, nullptr);
    ASSERT_TRUE(HangsInALook(asked));
    // Nothing is to be done before it does.
    EXPECT_EQ(asked->prober->NextDeadlineMs(sys::NowMs()), ~uint64_t{0});
    server->Stop();
    EXPECT_TRUE(test::WaitUntil([&] {
      Judgement answer{};
      return asked->prober->TakeAnswer(&answer);
    }));
    EXPECT_FALSE(asked->prober->IsBlind(sys::NowMs()));
    EXPECT_TRUE(asked->prober->Ask(asked->shell));
  });
}

TEST(Prober, TriesAgainLaterWhatCannotBeBegun) {
  test::InForkedProcess([] {
    Asked* const asked = Ask(ReadInput);
    ASSERT_NE(asked, nullptr);
    rlimit limit{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const rlimit none{0, limit.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    EXPECT_FALSE(asked->prober->Ask(asked->shell));
    const uint64_t now = sys::NowMs();
    EXPECT_TRUE(asked->prober->IsBlind(now));
    EXPECT_GT(asked->prober->NextDeadlineMs(now), now);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
    EXPECT_TRUE(Becomes(asked, Verdict::kLine));
    EXPECT_FALSE(asked->prober->IsBlind(sys::NowMs()));
    test::KillAllChildren();
  });
}

TEST(Prober, DoesNotLookWhereProcIsThatOfAnotherNamespace) {
  test::InForkedProcess([] {
    constexpr int kCannot = 77;
    const pid_t maker = fork();
    if (maker == 0) {
      const int flags = geteuid() == 0 ? CLONE_NEWPID : CLONE_NEWPID | CLONE_NEWUSER;
      if (unshare(flags) != 0) _exit(kCannot);
      const pid_t first = fork();
      if (first == 0) {
        Asked* const asked = Ask(ReadInput);
        const bool refuses = asked != nullptr && !asked->prober->Ask(asked->shell) &&
                             asked->prober->IsBlind(sys::NowMs()) && !asked->prober->is_asked();
        _exit(refuses ? 0 : 1);
      }
      int status = -1;
      _exit(waitpid(first, &status, 0) == first && status == 0 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(maker, &status, 0), maker);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kCannot) {
      return test::CannotTest("no PID namespace can be made");
    }
    EXPECT_EQ(status, 0);
  });
}

// ThreadSanitizer makes no threads in what was forked by a process with several, as one with a FileServer is.
#ifndef __SANITIZE_THREAD__

// An epoll whose lock another process holds, which asks a file that does not answer.
void WaitAtALockedEpoll(const std::string& file) {
  const int epoll = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  if (fork() == 0) {
    // Not before the other one waits.
    test::WaitUntil([] {
      const SystemCallLine line = ReadSystemCall(getppid(), getppid());
      return line.kind == SystemCallLine::Kind::kCall && CallOf(line.number) == WaitedCall::kEpoll;
    });
    epoll_ctl(epoll, EPOLL_CTL_ADD, open(file.c_str(), O_RDONLY), &event);
    _exit(0);
  }
  for (;;) epoll_wait(epoll, &event, 1, -1);
}

// In a process of its own, with the end of a pipe. It ends while a look hangs.
pid_t EndInALook(const std::function<void()>& program, sys::UniqueFd* pipe) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  pipe->reset(ends[0]);
  const pid_t pid = fork();
  if (pid == 0) {
    Asked* const asked = Ask([&] {
      close(ends[1]);
      program();
    });
    _exit(asked != nullptr && HangsInALook(asked) ? 0 : 1);
  }
  close(ends[1]);
  return pid;
}

bool IsAtItsEnd(int pipe) {
  char byte = 0;
  pollfd entry{pipe, POLLIN, 0};
  return poll(&entry, 1, 30'000) == 1 && read(pipe, &byte, 1) == 0;
}

char StateOf(pid_t pid) {
  ThreadStat stat{};
  return ReadThreadStat(pid, pid, &stat) ? stat.state : '\0';
}

TEST(Prober, HoldsUpNoEndWhileAProgramIsExecuted) {
  WithFileThatHangs([](const std::string& file, test::FileServer*) {
    sys::UniqueFd pipe;
    const pid_t pid = EndInALook([&] { ExecuteForEver(file); }, &pipe);
    int status = -1;
    EXPECT_TRUE(test::WaitUntil([&] { return waitpid(pid, &status, WNOHANG) == pid; }));
    EXPECT_EQ(status, 0);
  });
}

TEST(Prober, LeavesOnlyAZombieWhereNothingEndsALook) {
  WithFileThatHangs([](const std::string& file, test::FileServer* server) {
    sys::UniqueFd pipe;
    const pid_t pid = EndInALook([&] { WaitAtALockedEpoll(file); }, &pipe);
    EXPECT_TRUE(IsAtItsEnd(pipe.get()));
    EXPECT_TRUE(test::WaitUntil([&] { return StateOf(pid) == 'Z'; }));
    int status = -1;
    EXPECT_EQ(waitpid(pid, &status, WNOHANG), 0);
    server->Stop();
    EXPECT_TRUE(test::WaitUntil([&] { return waitpid(pid, &status, WNOHANG) == pid; }));
    EXPECT_EQ(status, 0);
  });
}

#endif  // __SANITIZE_THREAD__

}  // namespace
}  // namespace bashward::supervisor
