// Notices the end of a shell whose supervisor does not report it: the command may have stopped the
// supervisor.
#ifndef BASHWARD_PROCESS_VIGIL_H_
#define BASHWARD_PROCESS_VIGIL_H_

#include <functional>

#include "process/event_loop.h"

namespace bashward::process {

class Vigil {
 public:
  // `resume` continues the supervisor. `give_up` runs once, at the end, when that has not helped for ten
  // seconds after the end of the shell.
  Vigil(EventLoop& loop, std::function<void()> resume, std::function<void()> give_up);

  // `shell_pidfd` must stay open until End(). When there is none (-1) the supervisor is continued every
  // second: the end of the shell is not seen then.
  void Begin(int shell_pidfd);
  void End();

 private:
  void OnTimer();

  std::function<void()> resume_;
  std::function<void()> give_up_;
  Watch watch_;
  Timer timer_;
  int shell_pidfd_ = -1;
  int rounds_ = 0;  // since the shell has ended
};

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_VIGIL_H_
