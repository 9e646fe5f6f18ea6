#include "support/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace bashward::test {

std::vector<int> OpenDescriptors() {
  // Not by /proc/self/fd: reading that opens a descriptor itself.
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const int end = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 4096));
  std::vector<int> open;
  for (int fd = 0; fd < end; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) open.push_back(fd);
  }
  return open;
}

DescriptorLimit::DescriptorLimit() {
  EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &before_), 0);
  // The limit is on numbers: without gaps, each further descriptor costs one.
  const int highest = OpenDescriptors().back();
  for (;;) {
    const int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    if (fd > highest) {
      close(fd);
      break;
    }
  }
  first_free_ = static_cast<rlim_t>(highest) + 1;
}

void DescriptorLimit::Set(rlim_t soft) const {
  const rlimit limit{soft, before_.rlim_max};
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

Pipe::Pipe() {
  int fds[2] = {-1, -1};
  EXPECT_EQ(pipe2(fds, O_CLOEXEC), 0);
  read_end.reset(fds[0]);
  write_end.reset(fds[1]);
}

SocketPair::SocketPair() {
  int fds[2] = {-1, -1};
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
  one.reset(fds[0]);
  other.reset(fds[1]);
}

void WriteAll(int fd, const std::string& bytes) {
  size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t count = write(fd, bytes.data() + written, bytes.size() - written);
    if (count < 0 && errno == EINTR) continue;
    ASSERT_GT(count, 0) << "write: errno " << errno;
    written += static_cast<size_t>(count);
  }
}

void SendWithDescriptor(int socket, const std::string& bytes, int descriptor) {
  iovec part{const_cast<char*>(bytes.data()), bytes.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  ASSERT_EQ(sendmsg(socket, &message, MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
}

std::string ReadUpTo(int fd, size_t size) {
  std::string bytes;
  char buffer[4096];
  while (bytes.size() < size) {
    const ssize_t count = read(fd, buffer, std::min(sizeof buffer, size - bytes.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    bytes.append(buffer, static_cast<size_t>(count));
  }
  return bytes;
}

}  // namespace bashward::test
