// ioctl(2) of terminals, as the kernel has it: the C library's termios is another structure.
#ifndef BASHWARD_SUPERVISOR_TERMINAL_TTY_CALLS_H_
#define BASHWARD_SUPERVISOR_TERMINAL_TTY_CALLS_H_

#include <asm/termbits.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace bashward::supervisor {

// As <asm/ioctls.h> has them for x86-64 and arm64. That header cannot be had beside <termios.h>.
#ifndef TCGETS
#define TCGETS 0x5401
#define TCSETS 0x5402
#endif
#ifndef TCFLSH
#define TCFLSH 0x540B
#endif
#ifndef TIOCSCTTY
#define TIOCSCTTY 0x540E
#define TIOCGPGRP 0x540F
#define TIOCGWINSZ 0x5413
#define TIOCSWINSZ 0x5414
#define FIONREAD 0x541B
#endif
#ifndef TIOCGPTN
#define TIOCGPTN 0x80045430
#define TIOCSPTLCK 0x40045431
#endif
#ifndef TIOCGPTPEER
#define TIOCGPTPEER 0x5441
#endif

using KernelTermios = struct termios;
struct KernelWindowSize {
  uint16_t rows;
  uint16_t columns;
  uint16_t width;
  uint16_t height;
};

// -1 with errno. All arguments as the kernel takes them: of a narrower one the rest of the register is
// anything.
template <typename Object>
int TtyCall(int fd, unsigned long request, Object* argument) {
  return static_cast<int>(syscall(SYS_ioctl, static_cast<long>(fd), request, argument));
}
inline int TtyCall(int fd, unsigned long request, long argument) {
  return static_cast<int>(syscall(SYS_ioctl, static_cast<long>(fd), request, argument));
}

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_TERMINAL_TTY_CALLS_H_
