// The thread that starts, reads, times and ends every command of this process.
#ifndef BASHWARD_PROCESS_REACTOR_H_
#define BASHWARD_PROCESS_REACTOR_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>

#include "process/command.h"
#include "process/command_spec.h"
#include "process/event_loop.h"
#include "process/launch.h"
#include "process/launch_gate.h"
#include "process/output_stream.h"
#include "process/process_exits.h"
#include "sys/unique_fd.h"

namespace bashward::process {

class Reactor {
 public:
  // The reactor of this process, started at the first call. Null when it cannot be started: `*error` is then
  // the errno, and a later call tries again. It is never destroyed: its thread would have to be stopped at a
  // moment when no command runs, and at exit there is no such moment to rely on.
  static Reactor* Get(int* error);

  // The same if it has been started, else null.
  static Reactor* Running();

  // All of these from any thread.
  uint64_t Submit(CommandSpec spec, std::shared_ptr<CommandListener> listener);
  void Cancel(uint64_t id);
  // The answer to CommandListener::OnSurvivors.
  void Release(uint64_t id, std::optional<JobPlan> job);
  // The answer to CommandListener::OnSoftLimit.
  void HandOver(uint64_t id, std::optional<JobPlan> job);
  // Ends every command of `listener` without a result for any of them.
  void Abandon(std::shared_ptr<CommandListener> listener);

  // Tells `listener` when the process of `pidfd` has ended, unless that is forgotten before.
  uint64_t AwaitExit(sys::UniqueFd pidfd, std::shared_ptr<ExitListener> listener);
  void ForgetExit(uint64_t id);
  void ForgetExits(std::shared_ptr<ExitListener> listener);

  Reactor(const Reactor&) = delete;
  Reactor& operator=(const Reactor&) = delete;

 private:
  Reactor() : launch_timer_(loop_.timers(), [this] { Launch(); }), exits_(loop_) {}
  int Start();
  void Run(uint64_t id, CommandSpec spec, std::shared_ptr<CommandListener> listener);

  // Starts commands for a while, as long as the gate lets them. A thousand submitted at once hold up no
  // timer, no cancel and no result for longer.
  void Launch();
  void OnGone(uint64_t id);

  EventLoop loop_;
  sys::UniqueFd null_;
  std::deque<uint64_t> waiting_;  // ids of commands that are to be started
  Timer launch_timer_;
  uint64_t launched_at_ns_ = 0;  // the last of them
  LaunchGate gate_;
  Launcher launcher_;
  OutputResources resources_;
  std::unordered_map<uint64_t, std::unique_ptr<Command>> commands_;  // on the reactor's thread only
  ProcessExits exits_;                                               // on that thread, too
  std::atomic<uint64_t> next_id_{1};
};

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_REACTOR_H_
