// Who is connected to a terminal: the listening socket in the job's directory, and whole messages in both
// directions. Nobody who connects can hold up the supervisor: no call here waits, what is not sent or
// received in time ends its connection, and of too many connections the one that has been silent longest is
// closed.
#ifndef BASHWARD_SUPERVISOR_TERMINAL_TTY_CLIENTS_H_
#define BASHWARD_SUPERVISOR_TERMINAL_TTY_CLIENTS_H_

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#include "process/control_protocol.h"
#include "process/terminal_protocol.h"

namespace bashward::supervisor {

// What came, and for whom the answer is. `body` has `size` bytes and is valid until the call returns.
struct TtyMessage {
  size_t client;
  protocol::TerminalMessage type;
  const char* body;
  size_t size;
};

// False ends the connection: that was no message.
struct TtyHandler {
  bool (*take)(void* argument, const TtyMessage& message);
  void* argument;
};

// Too large for a stack; pages that are never touched cost nothing.
class TtyClients {
 public:
  static constexpr size_t kMaxClients = 8;
  static constexpr size_t kMaxPolled = kMaxClients + 1;
  // From the first byte of a frame to its last.
  static constexpr uint64_t kFrameMs = 5'000;
  // Bytes of answers that somebody has not read, beyond what the kernel keeps.
  static constexpr size_t kMaxUnsent = 64 * 1024;

  TtyClients() = default;
  TtyClients(const TtyClients&) = delete;
  TtyClients& operator=(const TtyClients&) = delete;

  // Listens at DIRECTORY/tty, which must not exist, for this user alone. `directory` must outlive this.
  bool Listen(const char* directory, protocol::Failed* failure);
  // Closes all connections, and removes the socket.
  void Close();

  // The number of entries written, at most kMaxPolled.
  size_t FillPolled(pollfd* polled) const;
  // `polled` as FillPolled() has filled it, and ppoll(2) has answered.
  void Serve(const pollfd* polled, const TtyHandler& handler);
  // When a frame that is not complete ends its connection; ~0: none.
  uint64_t NextDeadlineMs() const;
  void CloseLate(uint64_t now_ms);

  void Send(size_t client, protocol::TerminalMessage type, const void* body, size_t size);
  // Another number for each connection that has this place; 0 when nobody has it.
  uint32_t Connection(size_t client) const;
  // Whoever waits for an answer is closed only if all others do, too.
  void SetWaiting(size_t client, bool waiting);

 private:
  static constexpr size_t kMaxFrame = sizeof(protocol::TerminalHeader) + protocol::kMaxTerminalBody;

  struct Client {
    int fd = -1;  // free
    uint32_t connection;
    bool waiting;          // for an answer
    uint64_t active_ms;    // when it last said something
    uint64_t frame_at_ms;  // when its frame must be complete; 0: there is none
    size_t received;       // bytes of its frames
    size_t unsent;         // bytes of answers
    char frame[kMaxFrame];
    char answers[kMaxUnsent];
  };

  void AcceptAll();
  // False when nobody else wants to connect.
  bool Accept();
  size_t MakeRoom();
  void Receive(size_t client, const TtyHandler& handler);
  bool TakeMessages(size_t client, const TtyHandler& handler);
  void Flush(size_t client);
  void Drop(size_t client);

  uint32_t last_connection_ = 0;
  const char* directory_ = nullptr;  // where the socket is
  int listening_ = -1;
  Client clients_[kMaxClients];
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_TERMINAL_TTY_CLIENTS_H_
