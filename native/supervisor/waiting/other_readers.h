// Who else reads a terminal: whoever comes first gets what is typed.
#ifndef BASHWARD_SUPERVISOR_WAITING_OTHER_READERS_H_
#define BASHWARD_SUPERVISOR_WAITING_OTHER_READERS_H_

#include <stdint.h>
#include <sys/types.h>

#include "process/terminal_protocol.h"
#include "supervisor/waiting/tty_target.h"

namespace bashward::supervisor {

// A terminal, and the process that is known to read it.
struct ReadTerminal {
  TtyTarget target;
  pid_t reader;
};

struct OtherReader {
  bool looked;  // for one
  pid_t pid;    // 0: none
  char name[protocol::kMaxTerminalName + 1];
  uint32_t name_size;
};

// Looks who of the listed descendants reads one of them, and whether any other process that may be looked
// into has one open; no longer than some CPU time. It cannot be complete, as one may come at any moment.
OtherReader FindOtherReader(const ReadTerminal* terminals, size_t count);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WAITING_OTHER_READERS_H_
