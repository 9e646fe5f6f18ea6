// Making the caller's system call for it, on what has been checked.
#ifndef BASHWARD_BROKER_ACT_H_
#define BASHWARD_BROKER_ACT_H_

#include "broker/call.h"
#include "broker/kernel.h"

namespace bashward::broker {

// Whether nothing would change: it has this mode, or this owner, already.
bool HasAlready(const Call& call, const kernel::Status& status);

// 0 or -errno: the kernel's, and -EPERM for set-id bits, -EOPNOTSUPP for attributes other than the user's own
// and ACLs. `fd` has O_PATH, and is acted on itself, a symbolic link too.
int Act(const Call& call, int fd, const kernel::Status& status);

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_ACT_H_
