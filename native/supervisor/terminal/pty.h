// The terminal of a job: both ends of a new pseudoterminal.
#ifndef BASHWARD_SUPERVISOR_TERMINAL_PTY_H_
#define BASHWARD_SUPERVISOR_TERMINAL_PTY_H_

#include <stdint.h>

#include "process/control_protocol.h"
#include "sys/unique_fd.h"

namespace bashward::supervisor {

struct WindowSize {
  uint16_t rows;
  uint16_t columns;
};

// Into what programs and hosts can cope with: neither is less than 1 or beyond its maximum.
WindowSize Clamp(WindowSize size);

struct Pty {
  sys::UniqueFd master;  // does not block
  // The job's end is kept open here, too: it tells what is typed and not yet read, and the master has no end.
  sys::UniqueFd slave;
};

// With the kernel's settings, and IUTF8 for erasing whole characters. ECHO stays on: that a program has
// switched it off is the evidence that it asks for a secret. ENODEV or ENOENT where there is no devpts.
bool OpenPty(WindowSize size, Pty* pty, protocol::Failed* failure);

// False with errno. The foreground group is told by SIGWINCH.
bool SetWindowSize(int master, WindowSize size);
WindowSize ReadWindowSize(int master);

// In the child, once it leads a session: the slave becomes its controlling terminal, stdin, stdout and
// stderr. The step that failed, with errno.
bool TakeControllingTerminal(int slave);
bool TakeAsStreams(int slave);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_TERMINAL_PTY_H_
