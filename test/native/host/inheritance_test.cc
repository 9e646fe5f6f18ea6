// What a command does not inherit from its host: ignored or blocked signals, descriptors, the process
// group.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <string>

#include "support/forked.h"
#include "support/host.h"
#include "support/seccomp.h"
#include "support/wait.h"
#include "sys/signals.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

namespace bashward::test {
namespace {

std::string OutputOf(Host& host, const std::string& command) {
  return Output(host.Run(Call(command)));
}

// bash itself catches SIGCHLD and may set others: what a program that it starts has is what matters.
constexpr const char* kSignals = "exec grep -E '^Sig(Blk|Ign)' /proc/self/status";
constexpr const char* kNoSignals = "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n";

TEST(Inheritance, LeavesNoSignalIgnoredOrBlocked) {
  InForkedProcess([] {
    for (int number = 1; number <= SIGRTMAX; ++number) {
      if (number != SIGKILL && number != SIGSTOP && number != SIGCHLD) signal(number, SIG_IGN);
    }
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    Host host;
    EXPECT_EQ(OutputOf(host, kSignals), kNoSignals);
    host.ExpectNothingLeft();
  });
}

TEST(Inheritance, LeavesTheHostsHandlersToTheHost) {
  InForkedProcess([] {
    static std::atomic<pid_t> handled_by;
    handled_by = 0;
    struct sigaction action{};
    action.sa_handler = [](int) { handled_by = getpid(); };
    sigaction(SIGUSR1, &action, nullptr);
    Host host;
    EXPECT_EQ(OutputOf(host, kSignals), kNoSignals);
    EXPECT_EQ(handled_by, 0);
    EXPECT_EQ(raise(SIGUSR1), 0);
    EXPECT_EQ(handled_by, getpid());
    host.ExpectNothingLeft();
  });
}

TEST(Inheritance, HandlesTheHostsSignalsOnItsOwnThreads) {
  InForkedProcess([] {
    Host host;
    EXPECT_TRUE(Exited(host.Run(Call(":")), 0));
    static std::atomic<long> handled_on;
    handled_on = 0;
    struct sigaction action{};
    action.sa_handler = [](int) { handled_on = syscall(SYS_gettid); };
    sigaction(SIGUSR1, &action, nullptr);
    ASSERT_EQ(kill(getpid(), SIGUSR1), 0);
    EXPECT_TRUE(WaitUntil([] { return handled_on != 0; }));
    EXPECT_EQ(handled_on, getpid());
    host.ExpectNothingLeft();
  });
}

constexpr const char* kDescriptors = "for fd in /proc/$$/fd/*; do [ -e $fd ] && echo ${fd##*/}; done";

TEST(Inheritance, GivesNoDescriptorOfTheHost) {
  InForkedProcess([] {
    for (int fd = 10; fd < 300; fd += 7) ASSERT_EQ(dup2(STDERR_FILENO, fd), fd);
    Host host;
    EXPECT_EQ(OutputOf(host, kDescriptors), "0\n1\n2\n");
    host.ExpectNothingLeft();
  });
}

TEST(Inheritance, GivesNoDescriptorOfTheHostWhereCloseRangeIsRefused) {
  InForkedProcess([] {
    RefuseSystemCall(SYS_close_range, EPERM);
    for (int fd = 10; fd < 300; fd += 7) ASSERT_EQ(dup2(STDERR_FILENO, fd), fd);
    Host host;
    EXPECT_EQ(OutputOf(host, kDescriptors), "0\n1\n2\n");
    host.ExpectNothingLeft();
  });
}

TEST(Inheritance, StartsNothingWhereDescriptorsCannotBeClosed) {
  InForkedProcess([] {
    RefuseSystemCall(SYS_close_range, EPERM);
    RefuseSystemCall(SYS_getdents64, EACCES);
    Host host;
    EXPECT_TRUE(NotStarted(host.Run(Call("echo never")), protocol::Step::kCloseDescriptors, EACCES));
    host.ExpectNothingLeft();
  });
}

// A daemon that closed its standard descriptors before it loaded the engine.
TEST(Inheritance, WorksInAHostWithoutStandardDescriptors) {
  InForkedProcess([] {
    const int report = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
    for (int fd = 0; fd < 3; ++fd) close(fd);
    Host host;
    Call call("echo out; echo err >&2; read x || echo eof");
    call.separate_streams = true;
    const process::Completion completion = host.Run(call);
    // The engine's own descriptors may lie at 0 to 2 now, so failures are printed through a copy.
    const bool worked =
        Exited(completion, 0) && Output(completion, 0) == "out\neof\n" && Output(completion, 1) == "err\n";
    if (!worked) dprintf(report, "outcome %d\n", static_cast<int>(completion.outcome));
    _exit(worked ? 0 : 1);
  });
}

TEST(Inheritance, KeepsTheHostsGroupSignalsAway) {
  InForkedProcess([] {
    ASSERT_EQ(setpgid(0, 0), 0);
    signal(SIGINT, SIG_IGN);
    Host host;
    Call call("echo ready; sleep 0.2; echo alive");
    call.live = true;
    const uint64_t id = host.Submit(call);
    host.recorder().WaitForLiveText(id, "ready\n");
    // As a terminal does at Ctrl-C: to this process and whatever else is in its group.
    ASSERT_EQ(sys::SignalGroup(getpgrp(), SIGINT), 0);
    EXPECT_EQ(Output(host.Wait(id)), "ready\nalive\n");
    host.ExpectNothingLeft();
  });
}

}  // namespace
}  // namespace bashward::test
