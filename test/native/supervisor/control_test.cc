#include "supervisor/control.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <string>

#include "support/control_socket.h"

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

TEST(SendMessage, SurvivesAHostThatIsGone) {
  WithControlSocket("", [] {
    shutdown(protocol::kControlFd, SHUT_RDWR);
    SendMessage(MessageType::kStarted, "1234", 4);
  });
}

}  // namespace
}  // namespace bashward::supervisor
