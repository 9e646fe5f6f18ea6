// The answer to a notified system call: it is made here, on a descriptor that has been checked, or refused.
// The caller's own call is never let through: what it names could be another file by then.
#ifndef BASHWARD_BROKER_ANSWER_H_
#define BASHWARD_BROKER_ANSWER_H_

#include <linux/seccomp.h>

#include "broker/denial_log.h"
#include "sandbox/writable_roots.h"

namespace bashward::broker {

// 0 or -errno, what the caller's call returns. Refused is what does not lie beneath a root, and anything but
// the times of a root itself: EPERM, as for another user's file, and EACCES for truncate, as Landlock says
// it. `listener` is where the notification came from. For one thread: buffers are static.
int Answer(const seccomp_notif& notification, int listener, const sandbox::WritableRoots& roots,
           DenialLog* denials);

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_ANSWER_H_
