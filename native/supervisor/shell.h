// Starting the shell with the command.
#ifndef BASHWARD_SUPERVISOR_SHELL_H_
#define BASHWARD_SUPERVISOR_SHELL_H_

#include <stdint.h>
#include <sys/types.h>

#include "sandbox/policy.h"
#include "supervisor/confinement.h"
#include "supervisor/job.h"
#include "supervisor/request.h"

namespace bashward::supervisor {

struct ShellStart {
  pid_t pid;                 // also its process group and session; 0 when it did not start
  protocol::Failed failure;  // then the step that failed, and why
  uint32_t confirmed;        // of a probe: protocol::Protection bits
  // The address of its first argument when its command line does not show the command, or 0.
  uint64_t hidden_arguments;
};

// On return the shell has been executed. Of a foreground command the host is sent Started just before that. A
// probe executes none, and its process has ended. `job` is null for a foreground command, `policy` in
// Unrestricted mode, `confinement` without writable roots. `terminal`: what becomes its controlling terminal,
// and what it reads and writes; -1: none.
ShellStart StartShell(const Request& request, Job* job, const sandbox::Policy* policy,
                      Confinement* confinement = nullptr, int terminal = -1);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_SHELL_H_
