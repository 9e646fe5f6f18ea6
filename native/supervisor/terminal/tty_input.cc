#include "supervisor/terminal/tty_input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "supervisor/terminal/tty_calls.h"

namespace bashward::supervisor {
namespace {

constexpr char kInterrupt = 0x03;
constexpr char kQuit = 0x1c;
constexpr char kSuspend = 0x1a;
constexpr char kEndOfFile = 0x04;
constexpr char kKillLine = 0x15;

bool Interrupts(char byte) {
  return byte == kInterrupt || byte == kQuit || byte == kSuspend;
}

// A program may have given other keys these meanings. Then a line is counted as too long too early, at worst.
bool EndsLine(char byte) {
  return byte == '\n' || byte == '\r' || byte == kEndOfFile || byte == kKillLine || Interrupts(byte);
}

}  // namespace

protocol::Taken TtyInput::Take(const char* bytes, size_t size) {
  protocol::Taken taken{};
  KernelTermios settings{};
  const bool known = TtyCall(master_, TCGETS, &settings) == 0;
  const bool cooked = known && (settings.c_lflag & ICANON) != 0;
  bool interrupts = false;
  for (size_t i = 0; i < size && !interrupts; ++i) interrupts = Interrupts(bytes[i]);
  if (interrupts) DropTyped(known && (settings.c_lflag & ISIG) != 0 && (settings.c_lflag & NOFLSH) == 0);
  if (IsGone()) {
    taken.error = EIO;
  } else if (!FitsCookedMode(bytes, size, cooked)) {
    taken.error = EMSGSIZE;
  } else if (size > kQueueSize - queued_) {
    taken.error = ENOBUFS;
  } else {
    errno = 0;
    // What is queued goes first.
    const size_t room = queued_ == 0 ? Room() : 0;
    const size_t wanted = size < room ? size : room;
    size_t written = Write(bytes, wanted);
    taken.accepted = static_cast<uint32_t>(size);
    if (written < size && queued_ == 0) queued_for_ = ForegroundGroup();
    for (; written < size; ++written) queue_[(start_ + queued_++) % kQueueSize] = bytes[written];
  }
  taken.unread = CountUnread();
  taken.queued = static_cast<uint32_t>(queued_);
  taken.dropped = static_cast<uint32_t>(dropped_ - told_);
  told_ = dropped_;
  return taken;
}

bool TtyInput::FitsCookedMode(const char* bytes, size_t size, bool cooked) {
  if (!cooked) {
    line_ = 0;
    return true;
  }
  size_t line = line_;
  for (size_t i = 0; i < size; ++i) {
    line = EndsLine(bytes[i]) ? 0 : line + 1;
    if (line > protocol::kMaxCookedLine) return false;
  }
  line_ = line;
  return true;
}

// The kernel's line discipline looks at no key before the program has read what is in front of it, so a
// program that does not read could not be interrupted. It would throw all of that away itself when it comes
// to the key (NOFLSH, termios(3)).
void TtyInput::DropTyped(bool interrupts) {
  DropQueue();
  if (!interrupts) return;
  line_ = 0;
  dropped_ += CountUnread();
  TtyCall(master_, TCFLSH, 1L);  // TCOFLUSH: what the discipline has not seen yet
  TtyCall(slave_, TCFLSH, 0L);   // TCIFLUSH: what the program has not read yet
}

void TtyInput::DropQueue() {
  dropped_ += queued_;
  queued_ = 0;
}

bool TtyInput::Answer(const char* bytes, size_t size) {
  return queued_ == 0 && CountUnread() == 0 && Write(bytes, size) == size;
}

size_t TtyInput::Room() const {
  const size_t unread = CountUnread();
  return unread < kAhead ? kAhead - unread : 0;
}

bool TtyInput::Drain() {
  if (queued_ == 0) return false;
  if (IsGone()) {
    DropQueue();
    return true;
  }
  if (ForegroundGroup() != queued_for_) {
    DropTyped(true);
    return true;
  }
  const size_t to_end = kQueueSize - start_;
  size_t wanted = queued_ < to_end ? queued_ : to_end;
  if (wanted > Room()) wanted = Room();
  const size_t written = Write(queue_ + start_, wanted);
  start_ = (start_ + written) % kQueueSize;
  queued_ -= written;
  return written > 0;
}

size_t TtyInput::Write(const char* bytes, size_t size) {
  size_t written = 0;
  while (written < size) {
    const ssize_t count = write(master_, bytes + written, size - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += static_cast<size_t>(count);
  }
  return written;
}

uint32_t TtyInput::CountUnread() const {
  int count = 0;
  return TtyCall(slave_, FIONREAD, &count) == 0 && count > 0 ? static_cast<uint32_t>(count) : 0;
}

bool TtyInput::IsGone() const {
  int count = 0;
  return TtyCall(slave_, FIONREAD, &count) != 0 && errno == EIO;
}

pid_t TtyInput::ForegroundGroup() const {
  int group = 0;
  return TtyCall(master_, TIOCGPGRP, &group) == 0 && group > 0 ? group : 0;
}

}  // namespace bashward::supervisor
