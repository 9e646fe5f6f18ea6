#include "supervisor/terminal/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "process/terminal_protocol.h"
#include "supervisor/terminal/tty_calls.h"

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

// TIOCGPTPEER (Linux 4.13) opens the slave of this very master: no path is looked up, which another mount
// might have taken.
int OpenSlave(int master) {
  int unlocked = 0;
  if (TtyCall(master, TIOCSPTLCK, &unlocked) != 0) return -1;
  return TtyCall(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
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
  return TtyCall(slave, TIOCSCTTY, 0) == 0;
}

bool TakeAsStreams(int slave) {
  return dup2(slave, STDIN_FILENO) >= 0 && dup2(slave, STDOUT_FILENO) >= 0 && dup2(slave, STDERR_FILENO) >= 0;
}

}  // namespace bashward::supervisor
