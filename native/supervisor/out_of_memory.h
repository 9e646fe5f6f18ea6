// Which process the kernel ends when memory runs out.
#ifndef BASHWARD_SUPERVISOR_OUT_OF_MEMORY_H_
#define BASHWARD_SUPERVISOR_OUT_OF_MEMORY_H_

namespace bashward::supervisor {

// Makes this process and what it starts likelier to be ended than its supervisor. Only ever raises its score,
// which takes no privilege (proc_pid_oom_score_adj(5)).
void OfferToOutOfMemoryKiller();

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_OUT_OF_MEMORY_H_
