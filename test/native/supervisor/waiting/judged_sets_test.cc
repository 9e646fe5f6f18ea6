// What is concluded from the descriptors that a program waits for.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "supervisor/waiting/judged.h"
#include "support/file_server.h"
#include "support/must_work.h"
#include "support/own_mounts.h"
#include "sys/unique_fd.h"

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

TEST(JudgedSets, ComesToNoConclusionWhereEpollsAreNestedDeeperThanItLooks) {
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
      Verdict::kUnknown);
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

TEST(JudgedSets, ComesToNoConclusionWhereThereAreMoreEpollsThanItLooksAt) {
  ExpectVerdict(
      [] {
        epoll_event event{};
        event.events = EPOLLIN;
        const int outer = epoll_create1(0);
        for (int i = 0; i < 40; ++i) {
          const int inner = epoll_create1(0);
          epoll_ctl(inner, EPOLL_CTL_ADD, 0, &event);
          event.data.fd = inner;
          epoll_ctl(outer, EPOLL_CTL_ADD, inner, &event);
        }
        for (;;) epoll_wait(outer, &event, 1, -1);
      },
      Verdict::kUnknown);
}

TEST(JudgedSets, ComesToNoConclusionWhereMoreIsPolledThanItLooksAt) {
  ExpectVerdict(
      [] {
        // Only the last one is readable: what is polled first is not asked for input.
        std::vector<pollfd> fds(LookBudget::kDescriptors, {1, 0, 0});
        fds.push_back({0, POLLIN, 0});
        Poll(fds, &kLong);
      },
      Verdict::kUnknown);
}

// As programs do that ask for all descriptors that they could ever have.
void SelectBeyond(int descriptor) {
  dup2(0, descriptor);
  std::vector<char> set(65'536 / 8);
  set[static_cast<size_t>(descriptor) / 8] = static_cast<char>(1 << descriptor % 8);
  for (;;) {
    std::vector<char> asked = set;
    syscall(SYS_pselect6, 65'536, asked.data(), nullptr, nullptr, nullptr, nullptr);
  }
}

TEST(JudgedSets, ReadsASetThatIsLargerThanTheTableOfDescriptors) {
  ExpectVerdict([] { SelectBeyond(200); }, Verdict::kLine);
}

TEST(JudgedSets, ComesToNoConclusionWhereMoreIsSelectedThanItLooksAt) {
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  if (limit.rlim_max <= 2000) return test::CannotTest("not so many descriptors can be opened");
  ExpectVerdict(
      [limit] {
        const rlimit more{2048, limit.rlim_max};
        setrlimit(RLIMIT_NOFILE, &more);
        SelectBeyond(2000);
      },
      Verdict::kUnknown);
}

// ThreadSanitizer does not let a process that was forked from several threads start one of its own.
#ifndef __SANITIZE_THREAD__
// A file that asks for an answer for ever, with the lock of its epoll held.
TEST(JudgedSets, ReadsNoEpollThatIsLocked) {
  test::WithOwnMounts([](const std::string& directory) {
    test::FileServer server;
    server.AddUnreadable("hangs");
    if (!server.Mount(directory)) return test::CannotTest("FUSE cannot be mounted");
    Judging(
        [&] {
          const int epoll = epoll_create1(0);
          epoll_event event{};
          event.events = EPOLLIN;
          std::thread([&] {
            const int hangs = open((directory + "/hangs").c_str(), O_RDONLY);
            epoll_ctl(epoll, EPOLL_CTL_ADD, hangs, &event);
          }).detach();
          for (;;) epoll_wait(epoll, &event, 1, -1);
        },
        [&](const TestTerminal& terminal) {
          EXPECT_TRUE(Becomes(terminal, Verdict::kUnknown));
          umount2(directory.c_str(), MNT_FORCE);  // or that program could not be killed
        });
    server.Stop();
  });
}
#endif  // __SANITIZE_THREAD__

// The process tells by which address: its own mapping of a page that nothing has read yet.
TEST(JudgedSets, ReadsNoMemoryThatIsToBeReadFromAFile) {
  constexpr size_t kSize = 1 << 16;
  const sys::UniqueFd file(memfd_create("polled", 0));
  ASSERT_EQ(ftruncate(file.get(), kSize), 0);
  void* memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  ASSERT_NE(memory, MAP_FAILED);
  const auto address = reinterpret_cast<uint64_t>(memory);
  char byte = 1;
  EXPECT_FALSE(ReadMemory(getpid(), address, &byte, 1));
  *static_cast<volatile char*>(memory) = 'x';
  EXPECT_TRUE(ReadMemory(getpid(), address, &byte, 1));
  EXPECT_EQ(byte, 'x');
  munmap(memory, kSize);
  EXPECT_FALSE(ReadMemory(getpid(), address, &byte, 1));
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
