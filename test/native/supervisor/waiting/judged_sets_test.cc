// What is concluded from the descriptors that a program waits for.
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <thread>
#include <vector>

#include "supervisor/waiting/judged.h"

namespace bashward::supervisor {
namespace {

TEST(JudgedSets, FindsWhoPollsWithoutEnd) {
  ExpectVerdict([] { Poll({{0, POLLIN, 0}}, nullptr); }, Verdict::kLine);
}

TEST(JudgedSets, FindsWhoPollsForATime) {
  ExpectVerdict([] { Poll({{0, POLLIN, 0}}, &kLong); }, Verdict::kWatching);
}

TEST(JudgedSets, TakesNoPollForRoomToWriteForAWait) {
  ExpectVerdict([] { Poll({{1, 0, 0}}, &kLong); }, Verdict::kSleep);
}

TEST(JudgedSets, FindsWhoSelects) {
  ExpectVerdict(
      [] {
        for (;;) {
          fd_set set;
          FD_ZERO(&set);
          FD_SET(0, &set);
          select(1, &set, nullptr, nullptr, nullptr);
        }
      },
      Verdict::kLine);
}

TEST(JudgedSets, FindsWhoWaitsAtAnEpollWithinAnother) {
  ExpectVerdict(
      [] {
        const int inner = epoll_create1(0);
        const int outer = epoll_create1(0);
        epoll_event event{};
        event.events = EPOLLIN;
        epoll_ctl(inner, EPOLL_CTL_ADD, 0, &event);
        epoll_ctl(outer, EPOLL_CTL_ADD, inner, &event);
        for (;;) epoll_wait(outer, &event, 1, -1);
      },
      Verdict::kLine);
}

TEST(JudgedSets, EndsWhereEpollsAreNestedDeeperThanItLooks) {
  ExpectVerdict(
      [] {
        epoll_event event{};
        event.events = EPOLLIN;
        // The kernel allows five.
        int inner = 0;
        for (int depth = 0; depth < 5; ++depth) {
          const int outer = epoll_create1(0);
          if (epoll_ctl(outer, EPOLL_CTL_ADD, inner, &event) != 0) break;
          inner = outer;
        }
        for (;;) epoll_wait(inner, &event, 1, -1);
      },
      Verdict::kOther);
}

TEST(JudgedSets, TakesAPairWithItselfForNothing) {
  ExpectVerdict(
      [] {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return;
        Poll({{0, POLLIN, 0}, {pair[0], POLLIN, 0}}, nullptr);
      },
      Verdict::kLine);
}

TEST(JudgedSets, TakesWhoPassesKeysOnForARelay) {
  int pair[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  ExpectVerdict([&] { Poll({{0, POLLIN, 0}, {pair[0], POLLIN, 0}}, nullptr); }, Verdict::kRelay);
  close(pair[0]);
  close(pair[1]);
}

TEST(JudgedSets, TakesAServerWithKeysForARelay) {
  ExpectVerdict(
      [] {
        const int server = socket(AF_INET, SOCK_STREAM, 0);
        listen(server, 1);
        Poll({{0, POLLIN, 0}, {server, POLLIN, 0}}, nullptr);
      },
      Verdict::kRelay);
}

TEST(JudgedSets, LooksIntoATerminalWithin) {
  const auto within = [](const std::function<void()>& program) {
    return [program] {
      MakeRaw();
      int master = -1;
      if (forkpty(&master, nullptr, nullptr, nullptr) == 0) program();
      Poll({{0, POLLIN, 0}, {master, POLLIN, 0}}, nullptr);
    };
  };
  ExpectVerdict(within(ReadInput), Verdict::kLine);
  ExpectVerdict(within([] { HideEcho(), ReadInput(); }), Verdict::kPassword);
  ExpectVerdict(within([] { nanosleep(&kLong, nullptr); }), Verdict::kSleep);
}

TEST(JudgedSets, ComesToNoConclusionBeyondItsBudget) {
  ExpectVerdict(
      [] {
        std::vector<pollfd> fds;
        for (size_t i = 0; i < 600; ++i) fds.push_back({0, POLLIN, 0});
        std::thread([fds] { Poll(fds, nullptr); }).detach();
        Poll(fds, nullptr);
      },
      Verdict::kUnknown);
}

}  // namespace
}  // namespace bashward::supervisor
