// Cleans up after a command whose supervisor was killed: ends what is known to be the command's, and names
// the rest. Nobody has waited for its processes, and init may do so at any moment, so a number alone proves
// nothing.
#ifndef BASHWARD_PROCESS_LOST_COMMAND_H_
#define BASHWARD_PROCESS_LOST_COMMAND_H_

#include <sys/types.h>

#include <vector>

#include "process/command_spec.h"

namespace bashward::process {

struct LostCommand {
  int pidfd;                 // of the shell; -1 when there is none
  pid_t shell;               // its number, also of its group and session
  std::vector<int> outputs;  // read ends of the pipes that only the command was given
};

// SIGKILL to the shell's process group. Where only the number of a shell that is gone would name that
// group, to the processes of its session that have the output open.
void KillGroup(const LostCommand& command);

// Waits for those processes of the shell's session that this process has inherited, being init or a
// subreaper, and that have ended. Its own children are never touched. False when there are some that have not
// ended.
bool ReapInherited(int pidfd, pid_t shell);

// What has the output open: processes that have left the group.
std::vector<Survivor> ListHolders(const LostCommand& command);

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_LOST_COMMAND_H_
