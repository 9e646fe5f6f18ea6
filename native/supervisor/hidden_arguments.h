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

// What a child has come to that asks to be traced. It may not survive the question: some filters of system
// calls end who asks.
enum class Tracing { kNotAsked, kAsked, kGranted, kRefused };

// Whether bash may still be there when another process runs: it executes a single program in its own place.
// Always true of a session, whose EXIT trap bash stays for.
bool StaysBesidePrograms(const char* command);

// Whether the system executes another program for this file, with other arguments.
bool IsScript(const char* path);

// In the child, right before its execve: a signal that stops it in between would stop its parent, too.
void AskToBeTraced(Tracing* tracing);

// In the parent, for a child that was granted it and has executed `NAME OPTION OPTION COMMAND NAME`. Waits
// until it is about to run. Where the arguments cannot be hidden they are as they were; the address of the
// first one otherwise, or 0. A child that has ended is not reaped.
uint64_t HideArguments(pid_t pid);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_HIDDEN_ARGUMENTS_H_
