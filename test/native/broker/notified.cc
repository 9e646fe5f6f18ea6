#include "broker/notified.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "support/descriptors.h"
#include "support/forked.h"
#include "sys/unique_fd.h"

namespace bashward::test {
namespace {

// The listener, or -1 with errno.
int InstallFilter(const std::vector<uint32_t>& calls) {
  std::vector<sock_filter> filter{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const uint32_t number : calls) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return static_cast<int>(
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
}

sys::UniqueFd ReceiveDescriptor(int socket) {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 || CMSG_FIRSTHDR(&message) == nullptr) return {};
  int fd = -1;
  memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
  return sys::UniqueFd(fd);
}

const char* NameOf(protocol::Operation operation) {
  static constexpr const char* kNames[] = {"mode",     "owner",   "times", "set",    "remove",
                                           "truncate", "connect", "bind",  "socket", "reach"};
  return kNames[static_cast<int>(operation)];
}

}  // namespace

void RunNotified(const std::vector<uint32_t>& calls, const std::function<void()>& body,
                 const std::function<void(int listener)>& answer) {
  SocketPair sockets;
  const pid_t pid = Fork([&] {
    {
      const sys::UniqueFd listener(InstallFilter(calls));
      ASSERT_TRUE(listener.valid()) << strerror(errno);
      SendWithDescriptor(sockets.other.get(), "l", listener.get());
    }
    sockets.one.reset();
    sockets.other.reset();
    body();
  });
  sockets.other.reset();
  const sys::UniqueFd listener = ReceiveDescriptor(sockets.one.get());
  EXPECT_TRUE(listener.valid());
  if (listener.valid()) answer(listener.get());
  Join(pid);
}

std::vector<std::string> TextsOf(const broker::DenialLog& denials) {
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < denials.count(); ++i) {
    const broker::Denial& denial = denials[i];
    texts.push_back(std::string(NameOf(denial.operation)) + " " + std::string(denial.target, denial.size));
  }
  return texts;
}

}  // namespace bashward::test
