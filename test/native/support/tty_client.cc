#include "support/tty_client.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "support/descriptors.h"
#include "support/wait.h"

namespace bashward::test {
namespace {

using protocol::TerminalMessage;

bool IsReadable(int fd) {
  pollfd entry{fd, POLLIN, 0};
  return poll(&entry, 1, static_cast<int>(std::chrono::milliseconds(kPatience).count())) > 0;
}

bool ReadAll(int fd, void* data, size_t size) {
  auto* position = static_cast<char*>(data);
  while (size > 0) {
    if (!IsReadable(fd)) return false;
    const ssize_t count = recv(fd, position, size, 0);
    if (count <= 0) return false;
    position += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

}  // namespace

std::string TtyFrame(TerminalMessage type, const std::string& body) {
  return BytesOf(protocol::TerminalHeader{type, static_cast<uint32_t>(body.size())}) + body;
}

TtyClient::TtyClient(const std::string& directory) {
  const sys::UniqueFd parent(open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = "/proc/self/fd/" + std::to_string(parent.get()) + "/tty";
  memcpy(address.sun_path, path.c_str(), path.size() + 1);
  fd_.reset(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0)
      << directory << ": errno " << errno;
}

void TtyClient::SendBytes(const std::string& bytes) {
  EXPECT_EQ(send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
}

void TtyClient::Send(TerminalMessage type, const std::string& body) {
  SendBytes(TtyFrame(type, body));
}

bool TtyClient::ReceiveBody(TerminalMessage type, void* body, size_t size) {
  protocol::TerminalHeader header{};
  if (!ReadAll(fd_.get(), &header, sizeof header)) return false;
  EXPECT_EQ(header.type, type);
  EXPECT_EQ(header.size, size);
  return header.type == type && header.size == size && ReadAll(fd_.get(), body, size);
}

bool TtyClient::ReceivesHello() {
  const auto hello = Receive<protocol::Hello>(TerminalMessage::kHello);
  return hello.has_value() && hello->magic == protocol::kTerminalMagic;
}

bool TtyClient::IsClosed() {
  return WaitUntil([this] {
    char rest[4096];
    const ssize_t count = recv(fd_.get(), rest, sizeof rest, MSG_DONTWAIT);
    return count == 0 || (count < 0 && errno == ECONNRESET);
  });
}

protocol::Taken TtyClient::Type(const std::string& bytes) {
  Send(TerminalMessage::kInput, BytesOf(protocol::Input{++tag_, 0}) + bytes);
  const auto taken = Receive<protocol::Taken>(TerminalMessage::kTaken);
  EXPECT_TRUE(taken.has_value() && taken->tag == tag_);
  return taken.value_or(protocol::Taken{});
}

protocol::State TtyClient::Query() {
  Send(TerminalMessage::kQuery, BytesOf(protocol::Query{++tag_}));
  const auto state = Receive<protocol::State>(TerminalMessage::kState);
  EXPECT_TRUE(state.has_value() && state->tag == tag_);
  return state.value_or(protocol::State{});
}

void TtyClient::BeginWait(uint32_t tag, uint32_t deadline_ms, uint32_t quiet_ms, uint64_t from_offset) {
  Send(TerminalMessage::kWait, BytesOf(protocol::Wait{tag, deadline_ms, quiet_ms, 0, from_offset}));
}

protocol::State TtyClient::Wait(uint32_t deadline_ms, uint32_t quiet_ms, uint64_t from_offset) {
  BeginWait(++tag_, deadline_ms, quiet_ms, from_offset);
  const auto state = Receive<protocol::State>(TerminalMessage::kState);
  EXPECT_TRUE(state.has_value() && state->tag == tag_);
  return state.value_or(protocol::State{});
}

protocol::State TtyClient::Resize(uint16_t rows, uint16_t columns) {
  Send(TerminalMessage::kResize, BytesOf(protocol::Resize{++tag_, rows, columns}));
  const auto state = Receive<protocol::State>(TerminalMessage::kState);
  EXPECT_TRUE(state.has_value() && state->tag == tag_);
  return state.value_or(protocol::State{});
}

}  // namespace bashward::test
