// What is typed into a terminal: written as far as the program may be expected to read it, and kept for
// later.
#ifndef BASHWARD_SUPERVISOR_TERMINAL_TTY_INPUT_H_
#define BASHWARD_SUPERVISOR_TERMINAL_TTY_INPUT_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "process/terminal_protocol.h"

namespace bashward::supervisor {

// Too large for a stack.
class TtyInput {
 public:
  static constexpr size_t kQueueSize = 1024 * 1024;
  // Bytes that the terminal is given ahead of the program: what it does not read, the next one would. As many
  // as the kernel counts as unread (N_TTY_BUF_SIZE - 1).
  static constexpr size_t kAhead = 4095;

  // Both must outlive this. The master does not block.
  TtyInput(int master, int slave) : master_(master), slave_(slave) {}
  TtyInput(const TtyInput&) = delete;
  TtyInput& operator=(const TtyInput&) = delete;

  // Takes all of the bytes or none. With ^C, ^\ or ^Z among them, what was typed before and is not read yet
  // is dropped: they would wait behind it, and the program that is left would read what was meant for
  // another.
  protocol::Taken Take(const char* bytes, size_t size);
  // Writes some of what is queued if the program has read what is in front of it. If another process group is
  // in the foreground than was when it was queued, it is dropped instead. False when nothing has changed.
  bool Drain();
  // Types what the terminal itself has to say, if nothing is in front of it.
  bool Answer(const char* bytes, size_t size);
  // It was meant for a program that does not read any more.
  void DropQueue();

  bool is_waiting() const { return queued_ > 0; }
  size_t queued() const { return queued_; }
  uint64_t dropped() const { return dropped_; }
  // What the program has not read yet; in cooked mode without a line that is not complete.
  uint32_t CountUnread() const;
  pid_t ForegroundGroup() const;  // 0: none

 private:
  // Whether each line is one that cooked mode keeps whole. Counts on from what was typed before.
  bool FitsCookedMode(const char* bytes, size_t size, bool cooked);
  void DropTyped(bool interrupts);
  // It was hung up (vhangup(2)): its master takes bytes that nobody can read.
  bool IsGone() const;
  size_t Room() const;
  // Bytes written; errno says why not all.
  size_t Write(const char* bytes, size_t size);

  const int master_;
  const int slave_;
  size_t start_ = 0;  // of what is queued, a ring
  size_t queued_ = 0;
  pid_t queued_for_ = 0;  // the foreground group then
  size_t line_ = 0;       // bytes typed since the last end of a line
  uint64_t dropped_ = 0;
  uint64_t told_ = 0;  // of them
  char queue_[kQueueSize];
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_TERMINAL_TTY_INPUT_H_
