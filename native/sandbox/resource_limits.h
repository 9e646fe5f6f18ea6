// Resource limits of the command: setrlimit(2).
#ifndef BASHWARD_SANDBOX_RESOURCE_LIMITS_H_
#define BASHWARD_SANDBOX_RESOURCE_LIMITS_H_

#include "process/control_protocol.h"

namespace bashward::sandbox {

// Never above what this process itself may use, except for core dumps, where 1 is less than 0. Of
// RLIMIT_NPROC the limits are processes and threads in addition to those that there are now, and never less
// than 4096 in all: the kernel counts everything of the user, in other containers too. False with errno.
bool ApplyLimits(const protocol::Request& request);

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_RESOURCE_LIMITS_H_
