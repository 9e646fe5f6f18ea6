// Continuing a supervisor that a job has stopped. There need not be a host any more that would notice.
#ifndef BASHWARD_SUPERVISOR_WAKE_TIMER_H_
#define BASHWARD_SUPERVISOR_WAKE_TIMER_H_

namespace bashward::supervisor {

// From now on the kernel sends this process SIGCONT every two seconds, which has to be blocked, and read: the
// timer is armed again then. Without a timer nothing happens.
void StartWakeTimer();

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WAKE_TIMER_H_
