// A host that talks to the terminal of a job.
#ifndef BASHWARD_TEST_SUPPORT_TTY_CLIENT_H_
#define BASHWARD_TEST_SUPPORT_TTY_CLIENT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "process/terminal_protocol.h"
#include "sys/unique_fd.h"

namespace bashward::test {

class TtyClient {
 public:
  // Connects to DIRECTORY/tty; a failure when nobody listens. Its path may be of any length.
  explicit TtyClient(const std::string& directory);

  int fd() const { return fd_.get(); }
  void SendBytes(const std::string& bytes);
  void Send(protocol::TerminalMessage type, const std::string& body);
  // A whole message of that type. Nothing at the end of the stream, or when none comes in time.
  template <typename Body>
  std::optional<Body> Receive(protocol::TerminalMessage type) {
    Body body{};
    if (!ReceiveBody(type, &body, sizeof body)) return std::nullopt;
    return body;
  }
  bool ReceivesHello();
  // Whether the other end has closed the connection, now or soon.
  bool IsClosed();

  protocol::Taken Type(const std::string& bytes);
  protocol::State Query();
  // Returns when it is answered.
  protocol::State Wait(uint32_t deadline_ms, uint32_t quiet_ms = 0, uint64_t from_offset = 0);
  void BeginWait(uint32_t tag, uint32_t deadline_ms, uint32_t quiet_ms = 0, uint64_t from_offset = 0);
  protocol::State Resize(uint16_t rows, uint16_t columns);

 private:
  bool ReceiveBody(protocol::TerminalMessage type, void* body, size_t size);

  sys::UniqueFd fd_;
  uint32_t tag_ = 0;
};

// The bytes of a message.
std::string TtyFrame(protocol::TerminalMessage type, const std::string& body);
template <typename Struct>
std::string BytesOf(const Struct& value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_TTY_CLIENT_H_
