#include "process/control_channel.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/descriptors.h"
#include "support/forked.h"
#include "support/loop.h"
#include "support/seccomp.h"
#include "support/temporary_directory.h"

namespace bashward::process {
namespace {

using protocol::MessageHeader;
using protocol::MessageType;
using test::RunUntil;
using test::RunWhatIsReady;

std::string Encode(MessageType type, const std::string& body) {
  const MessageHeader header{type, static_cast<uint32_t>(body.size())};
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + body;
}

// The host's channel, and the supervisor's end of it as a bare socket.
class ControlChannelTest : public ::testing::Test {
 protected:
  struct Message {
    MessageType type;
    std::string body;
  };

  void SetUp() override {
    ASSERT_EQ(loop_.Open(), 0);
    test::SocketPair sockets;
    peer_ = std::move(sockets.other);
    ASSERT_EQ(channel_.Open(std::move(sockets.one)), 0);
  }

  EventLoop loop_;
  sys::UniqueFd peer_;
  std::vector<Message> messages_;
  int ends_ = 0;
  bool close_after_message_ = false;
  ControlChannel channel_{loop_, [this](const MessageHeader* header, const char* body) {
                            if (header == nullptr) {
                              ++ends_;
                              channel_.Close();
                              return;
                            }
                            messages_.push_back({header->type, std::string(body, header->size)});
                            if (close_after_message_) channel_.Close();
                          }};
};

TEST_F(ControlChannelTest, DeliversAMessage) {
  test::WriteAll(peer_.get(), Encode(MessageType::kStarted, "body"));
  RunUntil(loop_, [&] { return !messages_.empty(); });
  EXPECT_EQ(messages_[0].type, MessageType::kStarted);
  EXPECT_EQ(messages_[0].body, "body");
  EXPECT_EQ(ends_, 0);
}

TEST_F(ControlChannelTest, TakesADescriptorThatComesWithAMessage) {
  const test::Pipe pipe;
  test::SendWithDescriptor(peer_.get(), Encode(MessageType::kStarted, "body"), pipe.write_end.get());
  RunUntil(loop_, [&] { return !messages_.empty(); });
  const sys::UniqueFd received = channel_.TakeDescriptor();
  ASSERT_TRUE(received.valid());
  EXPECT_EQ(fcntl(received.get(), F_GETFD), FD_CLOEXEC);
  test::WriteAll(received.get(), "x");
  EXPECT_EQ(test::ReadUpTo(pipe.read_end.get(), 1), "x");
  EXPECT_FALSE(channel_.TakeDescriptor().valid());
}

TEST_F(ControlChannelTest, TakesForAFileOnlyWhatIsOne) {
  const test::TemporaryDirectory directory;
  const sys::UniqueFd file(open(directory.File("file").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  const test::Pipe pipe;
  test::SendWithDescriptor(peer_.get(), Encode(MessageType::kMarked, ""), file.get());
  RunUntil(loop_, [&] { return messages_.size() == 1; });
  EXPECT_TRUE(channel_.TakeFile().valid());
  EXPECT_FALSE(channel_.TakeFile().valid());
  // Read at once: the second one's descriptor is there when the first one, which has none, is delivered.
  test::WriteAll(peer_.get(), Encode(MessageType::kMarked, ""));
  test::SendWithDescriptor(peer_.get(), Encode(MessageType::kStarted, "body"), pipe.write_end.get());
  RunUntil(loop_, [&] { return messages_.size() == 3; });
  EXPECT_FALSE(channel_.TakeFile().valid());
  EXPECT_TRUE(channel_.TakeDescriptor().valid());
}

TEST_F(ControlChannelTest, KeepsNoDescriptorThatNobodyTakes) {
  const test::Pipe pipe;
  const std::vector<int> with_pipe = test::OpenDescriptors();
  for (int i = 0; i < 3; ++i) {
    test::SendWithDescriptor(peer_.get(), Encode(MessageType::kStarted, ""), pipe.write_end.get());
  }
  RunUntil(loop_, [&] { return messages_.size() == 3; });
  channel_.Close();
  EXPECT_EQ(test::OpenDescriptors().size(), with_pipe.size() - 1);  // its own
}

// A timer that is due comes after all that lies there.
TEST_F(ControlChannelTest, DeliversWhatLiesBehindADescriptorInTheSameRound) {
  const test::Pipe pipe;
  for (int i = 0; i < 3; ++i) {
    test::SendWithDescriptor(peer_.get(), Encode(MessageType::kStarted, ""), pipe.write_end.get());
  }
  test::WriteAll(peer_.get(), Encode(MessageType::kExited, "end"));
  loop_.RunOnce();
  ASSERT_EQ(messages_.size(), 4U);
  EXPECT_EQ(messages_[3].body, "end");
}

TEST_F(ControlChannelTest, DeliversAMessageWithoutABody) {
  test::WriteAll(peer_.get(), Encode(MessageType::kEnded, ""));
  RunUntil(loop_, [&] { return !messages_.empty(); });
  EXPECT_EQ(messages_[0].body, "");
}

TEST_F(ControlChannelTest, PutsAMessageTogetherThatComesByteByByte) {
  const std::string bytes = Encode(MessageType::kExited, "0123456789") + Encode(MessageType::kEnded, "x");
  for (size_t i = 0; i < bytes.size(); ++i) {
    test::WriteAll(peer_.get(), bytes.substr(i, 1));
    RunWhatIsReady(loop_);
    const size_t first = sizeof(MessageHeader) + 10;
    EXPECT_EQ(messages_.size(), i + 1 == bytes.size() ? 2U : i + 1 >= first ? 1U : 0U) << "after byte " << i;
  }
  EXPECT_EQ(messages_[0].body, "0123456789");
  EXPECT_EQ(messages_[1].body, "x");
}

TEST_F(ControlChannelTest, DeliversSeveralMessagesOfOneRead) {
  test::WriteAll(peer_.get(), Encode(MessageType::kStarted, "a") + Encode(MessageType::kExited, "b") +
                                  Encode(MessageType::kEnded, "c"));
  RunUntil(loop_, [&] { return messages_.size() == 3; });
  EXPECT_EQ(messages_[0].body + messages_[1].body + messages_[2].body, "abc");
}

TEST_F(ControlChannelTest, DeliversTheLargestMessageOfASupervisor) {
  const std::string body(sizeof(protocol::Ended) + protocol::kMaxSurvivors * sizeof(protocol::Survivor), 's');
  std::thread writer([&] { test::WriteAll(peer_.get(), Encode(MessageType::kEnded, body)); });
  RunUntil(loop_, [&] { return !messages_.empty(); });
  writer.join();
  EXPECT_EQ(messages_[0].body, body);
}

TEST_F(ControlChannelTest, TakesAHeaderThatIsTooLargeForTheEnd) {
  const MessageHeader header{
      MessageType::kEnded,
      sizeof(protocol::Ended) + protocol::kMaxSurvivors * sizeof(protocol::Survivor) + 1};
  test::WriteAll(peer_.get(), std::string(reinterpret_cast<const char*>(&header), sizeof header));
  RunUntil(loop_, [&] { return ends_ != 0; });
  EXPECT_TRUE(messages_.empty());
  EXPECT_EQ(ends_, 1);
}

TEST_F(ControlChannelTest, DeliversWhatCameBeforeAHeaderThatIsTooLarge) {
  const MessageHeader header{MessageType::kEnded, ~uint32_t{0}};
  test::WriteAll(peer_.get(), Encode(MessageType::kStarted, "good") +
                                  std::string(reinterpret_cast<const char*>(&header), sizeof header));
  RunUntil(loop_, [&] { return ends_ != 0; });
  ASSERT_EQ(messages_.size(), 1U);
  EXPECT_EQ(messages_[0].body, "good");
}

TEST_F(ControlChannelTest, ReportsThatThePeerIsGone) {
  peer_.reset();
  RunUntil(loop_, [&] { return ends_ != 0; });
  EXPECT_EQ(ends_, 1);
  EXPECT_FALSE(channel_.is_open());
}

TEST_F(ControlChannelTest, DeliversTheLastMessageOfAPeerThatIsGone) {
  test::WriteAll(peer_.get(), Encode(MessageType::kEnded, "last"));
  peer_.reset();
  RunUntil(loop_, [&] { return ends_ != 0; });
  ASSERT_EQ(messages_.size(), 1U);
  EXPECT_EQ(messages_[0].body, "last");
}

TEST_F(ControlChannelTest, DropsAMessageThatThePeerDidNotFinish) {
  test::WriteAll(peer_.get(), Encode(MessageType::kEnded, "cut off").substr(0, 10));
  peer_.reset();
  RunUntil(loop_, [&] { return ends_ != 0; });
  EXPECT_TRUE(messages_.empty());
}

// The socket is then reset and not just at its end.
TEST_F(ControlChannelTest, DeliversTheLastMessageOfAPeerThatDidNotReadEverything) {
  channel_.Send(MessageType::kRequest, "unread", 6);
  test::WriteAll(peer_.get(), Encode(MessageType::kFailed, "last"));
  peer_.reset();
  RunUntil(loop_, [&] { return ends_ != 0; });
  ASSERT_EQ(messages_.size(), 1U);
  EXPECT_EQ(messages_[0].body, "last");
  EXPECT_EQ(ends_, 1);
}

TEST_F(ControlChannelTest, DeliversNothingOnceTheCallbackHasClosedIt) {
  close_after_message_ = true;
  test::WriteAll(peer_.get(), Encode(MessageType::kStarted, "a") + Encode(MessageType::kExited, "b"));
  peer_.reset();
  RunUntil(loop_, [&] { return !messages_.empty(); });
  RunWhatIsReady(loop_);
  EXPECT_EQ(messages_.size(), 1U);
  EXPECT_EQ(ends_, 0);
}

TEST_F(ControlChannelTest, SendsHeaderAndBody) {
  channel_.Send(MessageType::kKill, "grace", 5);
  channel_.Send(MessageType::kRelease, nullptr, 0);
  const std::string expected = Encode(MessageType::kKill, "grace") + Encode(MessageType::kRelease, "");
  EXPECT_EQ(test::ReadUpTo(peer_.get(), expected.size()), expected);
}

TEST_F(ControlChannelTest, SendsAMebibyteToASlowReaderWithoutBlocking) {
  const std::string body(1024 * 1024, 'r');
  channel_.Send(MessageType::kRequest, body.data(), body.size());
  channel_.Send(MessageType::kKill, "after", 5);
  const std::string expected = Encode(MessageType::kRequest, body) + Encode(MessageType::kKill, "after");
  std::string received;
  std::thread reader([&] {
    while (received.size() < expected.size()) {
      const std::string piece =
          test::ReadUpTo(peer_.get(), std::min<size_t>(1000, expected.size() - received.size()));
      if (piece.empty()) break;
      received += piece;
    }
    // The loop has nothing else to wake it.
    test::WriteAll(peer_.get(), Encode(MessageType::kEnded, ""));
  });
  RunUntil(loop_, [&] { return !messages_.empty(); });
  reader.join();
  EXPECT_TRUE(received == expected) << received.size() << " bytes of " << expected.size();
}

TEST_F(ControlChannelTest, ReceivesWhileItIsStillSending) {
  const std::string body(4 * 1024 * 1024, 'r');
  channel_.Send(MessageType::kRequest, body.data(), body.size());
  test::WriteAll(peer_.get(), Encode(MessageType::kFailed, "early"));
  RunUntil(loop_, [&] { return !messages_.empty(); });
  EXPECT_EQ(messages_[0].body, "early");
}

TEST_F(ControlChannelTest, ReportsAPeerThatGoesWhileItIsStillSending) {
  const std::string body(4 * 1024 * 1024, 'r');
  channel_.Send(MessageType::kRequest, body.data(), body.size());
  peer_.reset();
  RunUntil(loop_, [&] { return ends_ != 0; });
  EXPECT_EQ(ends_, 1);
}

TEST_F(ControlChannelTest, SurvivesSendingToAPeerThatIsGone) {
  peer_.reset();
  channel_.Send(MessageType::kKill, "nobody", 6);
  channel_.Send(MessageType::kKill, "nobody", 6);
  EXPECT_EQ(ends_, 0) << "shown as the end of the stream, not while sending";
  RunUntil(loop_, [&] { return ends_ != 0; });
}

TEST_F(ControlChannelTest, SendsNothingOnceClosed) {
  channel_.Close();
  channel_.Send(MessageType::kKill, "late", 4);
  EXPECT_EQ(test::ReadUpTo(peer_.get(), 1), "");
  EXPECT_FALSE(channel_.is_open());
}

// The place of recvmsg(2): the first two find no memory.
long ReceiveWhenMemoryIsBack(const uint64_t* arguments) {
  static int calls = 0;
  if (++calls <= 2) return -ENOMEM;
  auto* message = reinterpret_cast<msghdr*>(arguments[1]);
  message->msg_controllen = 0;
  const ssize_t received = recv(static_cast<int>(arguments[0]), message->msg_iov[0].iov_base,
                                message->msg_iov[0].iov_len, static_cast<int>(arguments[2]));
  return received < 0 ? -errno : received;
}

TEST_F(ControlChannelTest, TakesAShortageOfMemoryForNoEnd) {
  test::InForkedProcess([this] {
    test::AnswerSystemCall(SYS_recvmsg, ReceiveWhenMemoryIsBack);
    test::WriteAll(peer_.get(), Encode(MessageType::kStarted, "body"));
    RunUntil(loop_, [&] { return !messages_.empty() || ends_ != 0; });
    ASSERT_EQ(messages_.size(), 1U);
    EXPECT_EQ(messages_[0].body, "body");
    EXPECT_EQ(ends_, 0);
  });
}

// There is no memory for a message: otherwise both sides would wait for it.
TEST_F(ControlChannelTest, AMessageThatCannotBeSentEndsTheStream) {
  test::InForkedProcess([this] {
    test::RefuseSystemCall(SYS_sendto, ENOBUFS);
    EXPECT_EQ(channel_.Send(MessageType::kKill, "", 0), ENOBUFS);
    RunUntil(loop_, [this] { return ends_ == 1; });
    EXPECT_EQ(ends_, 1);
    char byte = 0;
    EXPECT_EQ(read(peer_.get(), &byte, sizeof byte), 0);
  });
}

}  // namespace
}  // namespace bashward::process
