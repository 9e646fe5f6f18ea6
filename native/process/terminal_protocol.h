// What a job's terminal is told and asked: a stream socket in the job's directory, `tty`, at which its
// supervisor listens as long as the job runs. Any host of the same user connects, and several may.
//
// Framed as the control protocol: a TerminalHeader, then `size` bytes of body. The supervisor speaks first, a
// Hello. Then each message of the host has one answer, which repeats its tag:
//
//   Input    bytes for the program            Taken
//   Resize   rows and columns                 State
//   Query    nothing                          State
//
// The bytes of one Input stay together, whoever else writes. What is no message of these ends the connection,
// as does a frame that is not complete within a few seconds, or a host that does not read its answers.
#ifndef BASHWARD_PROCESS_TERMINAL_PROTOCOL_H_
#define BASHWARD_PROCESS_TERMINAL_PROTOCOL_H_

#include <cstdint>

namespace bashward::protocol {

inline constexpr uint32_t kTerminalMagic = 0x31747762;  // "bwt1"

inline constexpr uint16_t kMaxRows = 200;
inline constexpr uint16_t kMaxColumns = 500;

// Bytes of the body of a message.
inline constexpr uint32_t kMaxTerminalBody = 64 * 1024;

// Bytes of a line, its end left out, that a terminal in cooked mode keeps (N_TTY_BUF_SIZE); it cuts off the
// rest without a word.
inline constexpr uint32_t kMaxCookedLine = 4095;

enum class TerminalMessage : uint32_t {
  kHello = 0x101,
  kInput,
  kTaken,
  kResize,
  kQuery,
  kState,
};

struct TerminalHeader {
  TerminalMessage type;
  uint32_t size;  // bytes of body that follow
};

struct Hello {
  uint32_t magic;
  uint32_t reserved;
};

// Followed by the bytes, at least one.
struct Input {
  uint32_t tag;
  uint32_t flags;  // none yet: anything but 0 is refused
};

struct Taken {
  uint32_t tag;
  int32_t error;      // 0, or why nothing was taken, an errno: EMSGSIZE a line is too long for cooked mode,
                      // ENOBUFS the queue has no room, EIO the terminal is gone
  uint32_t accepted;  // bytes: all of them or 0
  uint32_t unread;    // bytes that the program has not read yet; in cooked mode those of complete lines
  uint32_t queued;    // bytes that the terminal has no room for yet
  uint32_t dropped;   // bytes that were queued and are not any more, since the last Taken
};

struct Resize {
  uint32_t tag;
  uint16_t rows;  // clamped to 1..kMaxRows, and to 1..kMaxColumns
  uint16_t columns;
};

struct Query {
  uint32_t tag;
};

enum TerminalFlags : uint32_t {
  kEcho = 1U << 0,    // what is typed is shown
  kCooked = 1U << 1,  // lines are edited, and read when they are complete (ICANON)
};

struct State {
  uint32_t tag;
  uint32_t flags;  // TerminalFlags
  uint16_t rows;
  uint16_t columns;
  int32_t foreground;  // process group; 0: none
  uint32_t unread;     // as in Taken
  uint32_t queued;
  uint64_t offset;   // bytes that the job has printed so far
  uint64_t dropped;  // bytes of input that were queued and dropped so far
};

}  // namespace bashward::protocol

#endif  // BASHWARD_PROCESS_TERMINAL_PROTOCOL_H_
