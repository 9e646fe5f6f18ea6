#include "supervisor/terminal/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "process/terminal_protocol.h"
#include "supervisor/terminal/tty_calls.h"
#include "util/text.h"

namespace bashward::supervisor {
namespace {

using protocol::Step;

uint16_t Within(uint16_t value, uint16_t maximum) {
  if (value < 1) return 1;
  return value < maximum ? value : maximum;
}

int OpenMaster() {
  constexpr int kFlags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
  const int fd = open("/dev/ptmx", kFlags);
  if (fd >= 0) return fd;
  const int error = errno;
  // Some containers mount a devpts and leave out the link.
  const int other = open("/dev/pts/ptmx", kFlags);
  if (other < 0) errno = error;
  return other;
}

// Both ends have one size: whether that which is set at one is read at the other.
bool IsSlaveOf(int slave, int master) {
  constexpr uint16_t kRows[] = {7, 11};
  for (const uint16_t rows : kRows) {
    KernelWindowSize set{rows, 13, 0, 0};
    KernelWindowSize got{};
    if (TtyCall(master, TIOCSWINSZ, &set) != 0 || TtyCall(slave, TIOCGWINSZ, &got) != 0) return false;
    if (got.rows != rows || got.columns != set.columns) return false;
  }
  return true;
}

// TIOCGPTPEER (Linux 4.13) opens the slave of this very master: no path is looked up, which another mount
// might have taken.
int OpenSlave(int master) {
  int unlocked = 0;
  if (TtyCall(master, TIOCSPTLCK, &unlocked) != 0) return -1;
  constexpr int kFlags = O_RDWR | O_NOCTTY | O_CLOEXEC;
  const int peer = TtyCall(master, TIOCGPTPEER, long{kFlags});
  if (peer >= 0 || (errno != EINVAL && errno != ENOTTY)) return peer;
  // An older kernel.
  uint32_t index = 0;
  if (TtyCall(master, TIOCGPTN, &index) != 0) return -1;
  const auto path = util::Text<32>() << "/dev/pts/" << uint64_t{index};
  const int slave = open(path.c_str(), kFlags | O_NOFOLLOW);
  if (slave < 0 || IsSlaveOf(slave, master)) return slave;
  close(slave);
  errno = ENODEV;
  return -1;
}

bool AllowUtf8(int slave) {
  KernelTermios settings{};
  if (TtyCall(slave, TCGETS, &settings) != 0) return false;
  settings.c_iflag |= IUTF8;
  return TtyCall(slave, TCSETS, &settings) == 0;
}

}  // namespace

WindowSize Clamp(WindowSize size) {
  return {Within(size.rows, protocol::kMaxRows), Within(size.columns, protocol::kMaxColumns)};
}

bool OpenPty(WindowSize size, Pty* pty, protocol::Failed* failure) {
  pty->master.reset(OpenMaster());
  if (pty->master.valid()) pty->slave.reset(OpenSlave(pty->master.get()));
  if (pty->slave.valid() && AllowUtf8(pty->slave.get()) && SetWindowSize(pty->master.get(), size))
    return true;
  *failure = {Step::kOpenTerminal, errno};
  return false;
}

bool SetWindowSize(int master, WindowSize size) {
  const WindowSize clamped = Clamp(size);
  KernelWindowSize kernel{clamped.rows, clamped.columns, 0, 0};
  return TtyCall(master, TIOCSWINSZ, &kernel) == 0;
}

WindowSize ReadWindowSize(int master) {
  KernelWindowSize kernel{};
  TtyCall(master, TIOCGWINSZ, &kernel);
  return {kernel.rows, kernel.columns};
}

bool TakeControllingTerminal(int slave) {
  return TtyCall(slave, TIOCSCTTY, 0L) == 0;
}

bool TakeAsStreams(int slave) {
  return dup2(slave, STDIN_FILENO) >= 0 && dup2(slave, STDOUT_FILENO) >= 0 && dup2(slave, STDERR_FILENO) >= 0;
}

}  // namespace bashward::supervisor
