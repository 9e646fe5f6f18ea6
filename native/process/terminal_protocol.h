// What a job's terminal is told and asked: a stream socket in the job's directory, `tty`, at which its
// supervisor listens as long as the job runs. Any host of the same user connects, and several may.
//
// Framed as the control protocol: a TerminalHeader, then `size` bytes of body. The supervisor speaks first, a
// Hello. Then each message of the host has one answer, which repeats its tag:
//
//   Input    bytes for the program            Taken
//   Resize   rows and columns                 State
//   Query    nothing                          State, once it has been looked whether it waits for input
//   Wait     until when                       State, once it waits for input, or something else has happened
//   Secret   a line that is not to be shown   SecretTaken, once it has been looked who would read it
//
// A second Query of a connection ends the first one, which is answered then; so does a second Wait.
//
// The bytes of one Input stay together, whoever else writes. What is no message of these ends the connection,
// as does a frame that is not complete within a few seconds, or a host that does not read its answers.
#ifndef BASHWARD_PROCESS_TERMINAL_PROTOCOL_H_
#define BASHWARD_PROCESS_TERMINAL_PROTOCOL_H_

#include <cstddef>
#include <cstdint>

namespace bashward::protocol {

inline constexpr uint32_t kTerminalMagic = 0x31747762;  // "bwt1"

inline constexpr uint16_t kMaxRows = 200;
inline constexpr uint16_t kMaxColumns = 500;

// Bytes of the body of a message.
inline constexpr uint32_t kMaxTerminalBody = 64 * 1024;

// Bytes of a secret.
inline constexpr uint32_t kMaxSecret = 1024;

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
  kWait,
  kSecret,
  kSecretTaken,
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

enum SecretFlags : uint32_t {
  // The host has seen what stands at the cursor. Otherwise only a program gets it that waits for a line that
  // is
  // not shown.
  kSeenAsked = 1U << 0,
};

// Followed by the line without its end, at most kMaxSecret bytes and none of them a control character. Typed
// with Enter if all is still as the State said in which it was asked for, and taken out of the output of the
// job from then on, unless it is shorter than 4 bytes.
struct Secret {
  uint32_t tag;
  uint32_t flags;  // SecretFlags
  int32_t pid;     // this and the next two of that State
  uint32_t reserved;
  uint64_t start_time;
  uint64_t offset;
};

inline constexpr size_t kMaxTerminalName = 15;

struct SecretTaken {
  uint32_t tag;
  // 0, or why nothing was typed, an errno: EINVAL a control character, EMSGSIZE too long, ESTALE it is not
  // asked for any more, EPERM it would be shown, EBUSY another process would read it, too, EAGAIN another one
  // is on its way, or nobody can look, ENOBUFS too many have been typed, ENOMEM, EIO
  int32_t error;
  int32_t pid;  // with EBUSY, of that process
  uint32_t name_size;
  char name[kMaxTerminalName + 1];  // of its own choosing
};

struct Resize {
  uint32_t tag;
  uint16_t rows;  // clamped to 1..kMaxRows, and to 1..kMaxColumns
  uint16_t columns;
};

struct Query {
  uint32_t tag;
};

struct Wait {
  uint32_t tag;
  uint32_t deadline_ms;  // when it is answered in any case
  // When it is answered, too: so long after the last output, if more than `from_offset` bytes have been
  // printed. 0: never.
  uint32_t quiet_ms;
  uint32_t reserved;
  uint64_t from_offset;
};

// Why there is a State. lib/terminals/terminal/state.ts names these, and the verdicts, in the same order.
enum class StateReason : uint32_t {
  kAsked = 0,
  kInput,     // it waits for input
  kQuiet,     // it has been quiet for long enough
  kDeadline,  // the time is up
  kEnded,     // the job has ended
  kReplaced,  // by another Query, or another Wait, of this connection
};

// What the processes of the foreground group are doing.
enum class Verdict : uint32_t {
  kUnknown = 0,
  kLine,      // waits for a line
  kKeys,      // waits for keys
  kPassword,  // waits for a line that is not shown
  kWatching,  // takes keys, and does something else meanwhile
  kRelay,     // takes keys for somebody else, who may not wait for any
  kHidden,    // may not be looked into
  kStopped,   // was stopped, as for reading from the background
  kBusy,      // computes
  kSleep,
  kNetwork,
  kLock,
  kPipe,
  kListen,
  kDisk,
  kOther,
};

enum TerminalFlags : uint32_t {
  kEcho = 1U << 0,    // what is typed is shown
  kCooked = 1U << 1,  // lines are edited, and read when they are complete (ICANON)
  // Of a relay or what may not be looked into: what is on the screen looks as if it waits for input.
  kLikely = 1U << 2,
  kNested = 1U << 3,     // of a terminal that a program within has made: so are kEcho and kCooked
  kAltScreen = 1U << 4,  // a program fills the whole screen
  kPasted = 1U << 5,     // a program has asked for pasted text to be marked as such
};

// Bytes of the line that the cursor is in.
inline constexpr size_t kMaxCursorLine = 196;

struct State {
  uint32_t tag;
  StateReason reason;
  Verdict verdict;
  uint32_t flags;  // TerminalFlags
  uint16_t rows;
  uint16_t columns;
  int32_t foreground;  // process group; 0: none
  int32_t pid;         // of the process that the verdict is about; 0: none
  uint32_t unread;     // as in Taken
  uint32_t queued;
  uint32_t quiet_ms;  // since the last output, or since the job has begun
  uint64_t offset;    // bytes that the job has printed so far
  uint64_t dropped;   // bytes of input that were queued and dropped so far
  uint32_t name_size;
  char name[kMaxTerminalName + 1];  // of that process; of its own choosing
  uint32_t line_size;
  uint64_t start_time;        // of that process, in clock ticks since the machine has started; 0: not known
  char line[kMaxCursorLine];  // what was printed last in the line of the cursor, up to it; without sequences
  uint32_t reserved;
};

}  // namespace bashward::protocol

#endif  // BASHWARD_PROCESS_TERMINAL_PROTOCOL_H_
