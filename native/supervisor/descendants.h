// Everything below this process: listing it and ending it.
//
// The supervisor is a subreaper (prctl(2), PR_SET_CHILD_SUBREAPER): whatever daemonizes becomes its child. No
// process can leave its descendants, and a child's pid cannot be reused before the supervisor has reaped it.
#ifndef BASHWARD_SUPERVISOR_DESCENDANTS_H_
#define BASHWARD_SUPERVISOR_DESCENDANTS_H_

#include <sys/types.h>

#include "process/control_protocol.h"
#include "sys/procfs.h"

namespace bashward::supervisor {

// All of them, each after its parent. `complete` is false where /proc does not show them, or not all.
struct Descendants {
  const sys::PidList& pids;  // until the next call of a function of this file
  bool complete;
};
Descendants ListDescendants();

// SIGTERM, then SIGCONT so that a stopped process can act on it, to every descendant. Polite, not complete:
// one that is forked meanwhile is missed. `shell_group` is reached also where /proc shows nothing; 0 once the
// shell has been reaped, for the number may mean another group then.
void TerminateDescendants(pid_t shell_group);

// SIGKILL to every child and to its process group. A group dies at once, forks in progress included; what was
// below the children become children next. Repeated until no child is left, this is complete.
void KillChildren(pid_t shell_group);

// What the command left running, zombies left out. `session` is the shell's.
struct SurvivorList {
  protocol::Ended header;
  protocol::Survivor survivors[protocol::kMaxSurvivors];
};
void ListSurvivors(pid_t session, const sys::PipeName* outputs, int output_count, SurvivorList* list);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_DESCENDANTS_H_
