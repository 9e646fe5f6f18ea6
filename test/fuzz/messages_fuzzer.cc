// The host takes any bytes from a supervisor, in pieces of any size: it sees the messages that are whole, and
// then the end.
#include <fuzzer/FuzzedDataProvider.h>
#include <sys/socket.h>

#include <cstring>
#include <string>
#include <vector>

#include "process/control_channel.h"
#include "require.h"

namespace bashward::process {
namespace {

constexpr size_t kMaxBody = sizeof(protocol::Ended) + protocol::kMaxSurvivors * sizeof(protocol::Survivor);

EventLoop& Loop() {
  static EventLoop* const loop = [] {
    auto* opened = new EventLoop;
    Require(opened->Open() == 0, "there is no event loop");
    return opened;
  }();
  return *loop;
}

// Type and body.
using Messages = std::vector<std::pair<protocol::MessageType, std::string>>;

Messages MessagesIn(const std::string& bytes) {
  Messages messages;
  size_t position = 0;
  protocol::MessageHeader header;
  while (bytes.size() - position >= sizeof header) {
    memcpy(&header, bytes.data() + position, sizeof header);
    position += sizeof header;
    if (header.size > kMaxBody || bytes.size() - position < header.size) break;
    messages.emplace_back(header.type, bytes.substr(position, header.size));
    position += header.size;
  }
  return messages;
}

// Mostly small messages, as those of a supervisor are.
std::string MakeStream(FuzzedDataProvider* input) {
  std::string bytes;
  while (input->remaining_bytes() > 8 && bytes.size() < 32 * 1024) {
    const std::string body = input->ConsumeRandomLengthString(300);
    const uint32_t size = input->ConsumeProbability<float>() < 0.95F ? static_cast<uint32_t>(body.size())
                                                                     : input->ConsumeIntegral<uint32_t>();
    const protocol::MessageHeader header{
        static_cast<protocol::MessageType>(input->ConsumeIntegral<uint32_t>()), size};
    bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
    bytes += body;
  }
  return bytes;
}

}  // namespace
}  // namespace bashward::process

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace bashward;
  using namespace bashward::process;
  FuzzedDataProvider input(data, size);
  std::vector<size_t> pieces;
  for (int count = input.ConsumeIntegralInRange(0, 15); count > 0; --count) {
    pieces.push_back(input.ConsumeIntegralInRange<size_t>(1, 5000));
  }
  const std::string bytes = MakeStream(&input);

  int sockets[2];
  Require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0, "there are no sockets");
  sys::UniqueFd peer(sockets[1]);
  Messages received;
  bool ended = false;
  ControlChannel channel(Loop(), [&](const protocol::MessageHeader* header, const char* body) {
    Require(!ended, "something came after the end");
    if (header != nullptr) {
      received.emplace_back(header->type, std::string(body, header->size));
    } else {
      ended = true;
      channel.Close();
    }
  });
  Require(channel.Open(sys::UniqueFd(sockets[0])) == 0, "the socket cannot be watched");
  size_t position = 0;
  for (size_t piece = 0; position < bytes.size() && !ended; ++piece) {
    const size_t count =
        std::min(piece < pieces.size() ? pieces[piece] : bytes.size(), bytes.size() - position);
    Require(send(peer.get(), bytes.data() + position, count, MSG_NOSIGNAL) == static_cast<ssize_t>(count),
            "the socket takes no more");
    position += count;
    Loop().RunOnce();
  }
  peer.reset();
  while (!ended) Loop().RunOnce();
  Require(received == MessagesIn(bytes), "other messages were received than sent");
  return 0;
}
