#include "supervisor/control.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <string>

#include "support/control_socket.h"
#include "support/seccomp.h"

namespace bashward::supervisor {
namespace {

using protocol::MessageType;
using test::WithControlSocket;

std::string Encode(MessageType type, const std::string& body) {
  const protocol::MessageHeader header{type, static_cast<uint32_t>(body.size())};
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + body;
}

TEST(ReceiveAll, WaitsForEveryByte) {
  const std::string sent(1024 * 1024, 's');
  WithControlSocket(sent, [&] {
    std::string received(sent.size(), '\0');
    EXPECT_TRUE(ReceiveAll(received.data(), received.size()));
    EXPECT_TRUE(received == sent);
  });
}

TEST(ReceiveAll, SucceedsForNothingAtAll) {
  WithControlSocket("", [] { EXPECT_TRUE(ReceiveAll(nullptr, 0)); });
}

TEST(ReceiveAll, FailsWhenTheHostIsGone) {
  WithControlSocket("", [] {
    char byte = 0;
    EXPECT_FALSE(ReceiveAll(&byte, 1));
  });
}

TEST(ReceiveAll, FailsWhenTheHostGoesInTheMiddle) {
  WithControlSocket("abc", [] {
    char bytes[4];
    EXPECT_FALSE(ReceiveAll(bytes, sizeof bytes));
  });
}

TEST(SendMessage, SendsHeaderAndBody) {
  const std::string sent = WithControlSocket("", [] {
    SendMessage(MessageType::kStarted, "1234", 4);
    SendMessage(MessageType::kEnded, nullptr, 0);
  });
  EXPECT_EQ(sent, Encode(MessageType::kStarted, "1234") + Encode(MessageType::kEnded, ""));
}

TEST(SendMessage, SendsBodiesOfEverySizeWhole) {
  std::string expected;
  for (size_t size = 0; size < 200; ++size) expected += Encode(MessageType::kEnded, std::string(size, 'b'));
  expected += Encode(MessageType::kEnded, std::string(1024 * 1024, 'b'));
  const std::string sent = WithControlSocket("", [] {
    const std::string body(1024 * 1024, 'b');
    for (size_t size = 0; size < 200; ++size) SendMessage(MessageType::kEnded, body.data(), size);
    SendMessage(MessageType::kEnded, body.data(), body.size());
  });
  EXPECT_TRUE(sent == expected) << sent.size() << " bytes of " << expected.size();
}

// The place of sendto(2): the first two find no memory.
long SendWhenMemoryIsBack(const uint64_t* arguments) {
  static int calls = 0;
  if (++calls <= 2) return -ENOBUFS;
  iovec part{reinterpret_cast<void*>(arguments[1]), arguments[2]};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  const ssize_t sent = sendmsg(static_cast<int>(arguments[0]), &message, static_cast<int>(arguments[3]));
  return sent < 0 ? -errno : sent;
}

TEST(SendMessage, WaitsForMemory) {
  const std::string sent = WithControlSocket("", [] {
    test::AnswerSystemCall(SYS_sendto, SendWhenMemoryIsBack);
    SendMessage(MessageType::kStarted, "1234", 4);
  });
  EXPECT_EQ(sent, Encode(MessageType::kStarted, "1234"));
}

// The other side would wait for what is missing.
TEST(SendMessage, EndsTheStreamWhenMemoryDoesNotComeBack) {
  const std::string sent = WithControlSocket(std::string(4, 'u'), [] {
    test::RefuseSystemCall(SYS_sendto, ENOMEM);
    SendMessage(MessageType::kStarted, "1234", 4);
    // What had come before can still be read.
    char bytes[4];
    EXPECT_TRUE(ReceiveAll(bytes, sizeof bytes));
    EXPECT_FALSE(ReceiveAll(bytes, 1));
    EXPECT_EQ(errno, 0);
  });
  EXPECT_EQ(sent, "");
}

// The place of sendmsg(2): the first is interrupted.
long SendAfterAnInterruption(const uint64_t* arguments) {
  static int calls = 0;
  if (++calls == 1) return -EINTR;
  mmsghdr message{*reinterpret_cast<msghdr*>(arguments[1]), 0};
  const int sent = sendmmsg(static_cast<int>(arguments[0]), &message, 1, static_cast<int>(arguments[2]));
  return sent < 0 ? -errno : static_cast<long>(message.msg_len);
}

TEST(SendMessage, SendsADescriptorAfterAnInterruption) {
  const std::string sent = WithControlSocket("", [] {
    // By this the rest would be sent, without the descriptor.
    test::RefuseSystemCall(SYS_sendto, EPERM);
    test::AnswerSystemCall(SYS_sendmsg, SendAfterAnInterruption);
    SendMessage(MessageType::kStarted, "1234", 4, 0);
  });
  EXPECT_EQ(sent, Encode(MessageType::kStarted, "1234"));
}

TEST(SendMessage, SurvivesAHostThatIsGone) {
  WithControlSocket("", [] {
    shutdown(protocol::kControlFd, SHUT_RDWR);
    SendMessage(MessageType::kStarted, "1234", 4);
  });
}

}  // namespace
}  // namespace bashward::supervisor
