#include "supervisor/terminal/tty_clients.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "support/temporary_directory.h"
#include "support/tty_client.h"
#include "support/wait.h"
#include "sys/clock.h"

namespace bashward::supervisor {
namespace {

using protocol::Failed;
using protocol::Step;
using protocol::TerminalMessage;
using test::TtyClient;

class TtyClientsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Failed failure{};
    ASSERT_TRUE(clients_.Listen(directory_.path().c_str(), &failure)) << "errno " << failure.error;
  }
  void TearDown() override { clients_.Close(); }

  // Serves whoever has something to say, until nobody has.
  void Serve() {
    for (;;) {
      pollfd polled[TtyClients::kMaxPolled];
      const size_t count = clients_.FillPolled(polled);
      if (poll(polled, count, 0) <= 0) return;
      clients_.Serve(polled, {[](void* test, const TtyMessage& message) {
                                return static_cast<TtyClientsTest*>(test)->Take(message);
                              },
                              this});
    }
  }

  // Greeted and served.
  std::unique_ptr<TtyClient> Connect() {
    auto client = std::make_unique<TtyClient>(directory_.path());
    Serve();
    EXPECT_TRUE(client->ReceivesHello());
    return client;
  }

  bool Answers(TtyClient* client, const std::string& text) {
    client->Send(TerminalMessage::kInput, text);
    Serve();
    return !taken_.empty() && taken_.back() == text;
  }

  const test::TemporaryDirectory directory_;
  TtyClients clients_;
  std::vector<std::string> taken_;
  size_t answer_size_ = 0;
  bool accepts_ = true;

 private:
  bool Take(const TtyMessage& message) {
    taken_.emplace_back(message.body, message.size);
    if (answer_size_ > 0) {
      const std::string answer(answer_size_, 'a');
      clients_.Send(message.client, TerminalMessage::kState, answer.data(), answer.size());
    }
    return accepts_;
  }
};

TEST_F(TtyClientsTest, TakesAllWhoWaitAtOnce) {
  std::vector<std::unique_ptr<TtyClient>> waiting;
  for (size_t i = 0; i < TtyClients::kMaxClients; ++i) {
    waiting.push_back(std::make_unique<TtyClient>(directory_.path()));
  }
  pollfd polled[TtyClients::kMaxPolled];
  const size_t count = clients_.FillPolled(polled);
  ASSERT_EQ(poll(polled, count, 0), 1);
  clients_.Serve(polled, {[](void*, const TtyMessage&) { return false; }, nullptr});
  for (const auto& client : waiting) EXPECT_TRUE(client->ReceivesHello());
}

TEST_F(TtyClientsTest, ListensForItsUserAlone) {
  struct stat status{};
  ASSERT_EQ(stat(directory_.File("tty").c_str(), &status), 0);
  EXPECT_TRUE(S_ISSOCK(status.st_mode));
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(TtyClientsTest, RemovesItsSocket) {
  clients_.Close();
  EXPECT_NE(access(directory_.File("tty").c_str(), F_OK), 0);
}

TEST_F(TtyClientsTest, TakesWholeMessages) {
  const auto client = Connect();
  EXPECT_TRUE(Answers(client.get(), "one"));
  EXPECT_TRUE(Answers(client.get(), std::string(protocol::kMaxTerminalBody, 'x')));
}

TEST_F(TtyClientsTest, PutsTogetherWhatComesInParts) {
  const auto client = Connect();
  const std::string frames =
      test::TtyFrame(TerminalMessage::kInput, "one") + test::TtyFrame(TerminalMessage::kInput, "two");
  for (const char byte : frames) {
    client->SendBytes(std::string(1, byte));
    Serve();
  }
  EXPECT_EQ(taken_, (std::vector<std::string>{"one", "two"}));
}

TEST_F(TtyClientsTest, EndsAConnectionWithAFrameThatIsTooLarge) {
  const auto client = Connect();
  const auto other = Connect();
  client->SendBytes(
      test::BytesOf(protocol::TerminalHeader{TerminalMessage::kInput, protocol::kMaxTerminalBody + 1}));
  Serve();
  EXPECT_TRUE(client->IsClosed());
  EXPECT_TRUE(Answers(other.get(), "still there"));
}

TEST_F(TtyClientsTest, EndsAConnectionWithWhatIsNoMessage) {
  const auto client = Connect();
  accepts_ = false;
  client->Send(TerminalMessage::kInput, "nonsense");
  Serve();
  EXPECT_TRUE(client->IsClosed());
}

TEST_F(TtyClientsTest, EndsAConnectionWhoseFrameIsNotCompletedInTime) {
  const auto client = Connect();
  const auto silent = Connect();
  EXPECT_EQ(clients_.NextDeadlineMs(), ~uint64_t{0});
  const uint64_t before = sys::NowMs();
  client->SendBytes(test::TtyFrame(TerminalMessage::kInput, "a long one").substr(0, 10));
  Serve();
  const uint64_t deadline = clients_.NextDeadlineMs();
  EXPECT_GE(deadline, before + TtyClients::kFrameMs);
  clients_.CloseLate(deadline - 1);
  // Its next byte does not give it more time.
  client->SendBytes("x");
  Serve();
  EXPECT_EQ(clients_.NextDeadlineMs(), deadline);
  clients_.CloseLate(deadline);
  EXPECT_TRUE(client->IsClosed());
  EXPECT_TRUE(Answers(silent.get(), "still there"));
}

TEST_F(TtyClientsTest, EndsAConnectionThatDoesNotReadItsAnswers) {
  const auto client = Connect();
  const auto other = Connect();
  answer_size_ = 8000;
  // The socket's own buffer, and the room for what is unsent.
  for (int i = 0; i < 200; ++i) {
    const std::string frame = test::TtyFrame(TerminalMessage::kInput, "more");
    if (send(client->fd(), frame.data(), frame.size(), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) break;
    Serve();
  }
  EXPECT_TRUE(client->IsClosed());
  EXPECT_TRUE(Answers(other.get(), "still there"));
}

TEST_F(TtyClientsTest, SendsTheRestOfAnAnswerOnceThereIsRoom) {
  const auto client = Connect();
  answer_size_ = 8000;
  size_t sent = 0;
  pollfd polled[TtyClients::kMaxPolled];
  // Until something of an answer could not be sent.
  do {
    client->Send(TerminalMessage::kInput, "more");
    Serve();
    ++sent;
    clients_.FillPolled(polled);
  } while ((polled[1].events & POLLOUT) == 0 && sent < 200);
  ASSERT_NE(polled[1].events & POLLOUT, 0);
  size_t expected = sent * (sizeof(protocol::TerminalHeader) + answer_size_);
  const bool all = test::WaitUntil([&] {
    char part[4096];
    const ssize_t count = recv(client->fd(), part, sizeof part, MSG_DONTWAIT);
    if (count > 0) expected -= static_cast<size_t>(count);
    Serve();
    return expected == 0;
  });
  EXPECT_TRUE(all) << expected << " bytes are missing";
}

TEST_F(TtyClientsTest, MakesRoomByClosingTheOneThatHasBeenSilentLongest) {
  std::vector<std::unique_ptr<TtyClient>> clients;
  for (size_t i = 0; i < TtyClients::kMaxClients; ++i) clients.push_back(Connect());
  const uint64_t then = sys::NowMs();
  ASSERT_TRUE(test::WaitUntil([then] { return sys::NowMs() > then; }));
  for (size_t i = 0; i < clients.size(); ++i) {
    if (i != 3) {
      EXPECT_TRUE(Answers(clients[i].get(), "awake"));
    }
  }
  const auto newest = Connect();
  EXPECT_TRUE(clients[3]->IsClosed());
  EXPECT_TRUE(Answers(newest.get(), "served"));
  EXPECT_TRUE(Answers(clients[0].get(), "still there"));
}

TEST_F(TtyClientsTest, ForgetsThoseWhoHangUp) {
  for (size_t i = 0; i < 3 * TtyClients::kMaxClients; ++i) Connect();
  Serve();
  const auto client = Connect();
  EXPECT_TRUE(Answers(client.get(), "served"));
}

TEST(TtyClientsPlace, MayHaveALongPath) {
  const test::TemporaryDirectory directory;
  std::string path = directory.path();
  for (int i = 0; i < 4; ++i) {
    path += "/" + std::string(200, 'd');
    ASSERT_EQ(mkdir(path.c_str(), 0700), 0);
  }
  TtyClients clients;
  Failed failure{};
  ASSERT_TRUE(clients.Listen(path.c_str(), &failure)) << "errno " << failure.error;
  const TtyClient client(path);
  clients.Close();
  EXPECT_NE(access((path + "/tty").c_str(), F_OK), 0);
}

TEST(TtyClientsPlace, IsLeftAloneWhenItIsTaken) {
  const test::TemporaryDirectory directory;
  std::ofstream(directory.File("tty")) << "somebody's";
  TtyClients clients;
  Failed failure{};
  EXPECT_FALSE(clients.Listen(directory.path().c_str(), &failure));
  EXPECT_EQ(failure.step, Step::kListen);
  EXPECT_EQ(failure.error, EADDRINUSE);
  clients.Close();
  EXPECT_EQ(test::ReadFile(directory.File("tty")), "somebody's");
}

}  // namespace
}  // namespace bashward::supervisor
