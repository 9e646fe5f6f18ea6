// Starting the shell with the command.
#ifndef BASHWARD_SUPERVISOR_SHELL_H_
#define BASHWARD_SUPERVISOR_SHELL_H_

#include <sys/types.h>

#include "supervisor/job.h"
#include "supervisor/request.h"

namespace bashward::supervisor {

// The shell's pid, also its process group and session; or 0, and `*failure` says which step failed and why.
// On return the shell has been executed. Of a foreground command the host is sent Started just before that.
pid_t StartShell(const Request& request, Job* job, protocol::Failed* failure);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_SHELL_H_
