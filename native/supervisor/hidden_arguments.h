// Keeping the text of a command out of the command line of its own shell, where `pkill -f TEXT` would find
// it.
//
// The kernel shows a process's arguments up to the first NUL, and no more, once their very last byte is not
// NUL: then the process has overwritten them with a title of its own (setproctitle(3)). The shell is started
// with one argument more, a second "bash" in the place of $0, whose ending NUL nobody needs as soon as the
// pointer to it is that of the first. Both are changed while the shell has not begun to run: it asks its
// parent to trace it, so execve stops it, and it goes on untraced.
#ifndef BASHWARD_SUPERVISOR_HIDDEN_ARGUMENTS_H_
#define BASHWARD_SUPERVISOR_HIDDEN_ARGUMENTS_H_

#include <stdint.h>
#include <sys/types.h>

namespace bashward::supervisor {

// What became of a child that asked to be traced. It may not survive asking: some seccomp filters kill the
// process that does.
enum class Tracing { kNotAsked, kAsked, kGranted, kRefused };

// Whether bash may still be there when another process runs: it executes a single program in its own place.
// It stays for what BASH_ENV or an exported function makes it do, such as the EXIT trap of a session.
bool StaysBesidePrograms(const char* command, const char* const* environment);

// Whether this file runs with the same arguments and rights when it is traced. Not so a script, for which
// the kernel executes another program, nor a file with set-user-id, set-group-id or capabilities, which it
// would lose.
bool MayBeTraced(const char* path);

// In the child, right before its execve. A signal in between would stop the child, and with it the parent,
// which waits for the execve and could not continue it. So all signals are blocked but the one that stops
// the child afterwards (and SIGSTOP, which nobody can block).
void AskToBeTraced(Tracing* tracing);

struct Hiding {
  bool runs;         // false: it must not run, as it could not be given its signal mask
  uint64_t address;  // of the first argument; 0: the arguments are as they were
};

// In the parent, for a child that was granted it and has executed `NAME OPTION OPTION COMMAND NAME`. Waits
// until it is about to run, and unblocks its signals. A child that has ended is not reaped.
Hiding HideArguments(pid_t pid);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_HIDDEN_ARGUMENTS_H_
