// Watching over the shell and everything below it, until nothing is left to do.
#ifndef BASHWARD_SUPERVISOR_SUPERVISION_H_
#define BASHWARD_SUPERVISOR_SUPERVISION_H_

#include <stdint.h>
#include <sys/types.h>

#include "process/control_protocol.h"

namespace bashward::supervisor {

class Supervision {
 public:
  // `output_count` read ends of the command's output, from protocol::kFirstOutputFd on.
  Supervision(pid_t shell, int output_count);
  Supervision(const Supervision&) = delete;
  Supervision& operator=(const Supervision&) = delete;

  // Returns when the supervisor may end.
  void Run();

 private:
  enum class State {
    kWatching,   // the host decides
    kTerminating,  // SIGTERM was sent
    kKilling,    // SIGKILL is being sent
    kDraining,   // survivors were released; their output is thrown away
  };

  void Reap();
  void ReportExit();
  // Sleeps until a child ends, the host speaks, output of released survivors comes, or a deadline passes.
  void Wait();
  void ReadControl();
  void BeginKill(uint32_t grace_ms, uint32_t limit_ms);
  void ContinueKill();
  void Release();
  void Drain();
  void SendEnded();

  const pid_t shell_;
  int output_fds_[2] = {-1, -1};
  const int output_count_;
  const int child_signal_fd_;  // readable when a child has ended
  State state_ = State::kWatching;
  bool finished_ = false;
  bool host_gone_ = false;
  bool alone_ = false;  // no child is left
  bool shell_ended_ = false;
  bool reported_ = false;
  bool reported_alone_ = false;
  int wait_status_ = 0;
  uint64_t kill_at_ms_ = 0;     // SIGKILL follows SIGTERM
  uint64_t give_up_at_ms_ = 0;  // what is still there cannot be killed
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_SUPERVISION_H_
