// Continues a supervisor that its job has stopped. The host, which would notice, may be gone.
#ifndef BASHWARD_SUPERVISOR_WAKE_TIMER_H_
#define BASHWARD_SUPERVISOR_WAKE_TIMER_H_

namespace bashward::supervisor {

// From now on the kernel sends this process SIGCONT every two seconds. The signal has to be blocked, and who
// reads one calls this again. If there can be no timer, nothing happens.
void ArmWakeTimers();

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WAKE_TIMER_H_
