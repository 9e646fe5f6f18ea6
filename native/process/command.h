// One command from its start to its result: the host's half, on the reactor's thread.
#ifndef BASHWARD_PROCESS_COMMAND_H_
#define BASHWARD_PROCESS_COMMAND_H_

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "process/command_spec.h"
#include "process/control_channel.h"
#include "process/event_loop.h"
#include "process/handed_output.h"
#include "process/launch.h"
#include "process/lost_command.h"
#include "process/output_stream.h"
#include "process/vigil.h"

namespace bashward::process {

class Command {
 public:
  // `on_gone` runs once, after the result, when the supervisor has been reaped: nothing is left of the
  // command. It may not destroy the command.
  Command(uint64_t id, CommandSpec spec, std::shared_ptr<CommandListener> listener, EventLoop& loop,
          Launcher& launcher, OutputResources& resources, std::function<void()> on_gone);
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  void Start();
  // Ends the command and everything it started. Nothing happens when it has ended already.
  void Cancel();
  // The answer to OnSurvivors: what lives on becomes this job, or none. Nothing happens when it has ended by
  // now.
  void Release(const std::optional<JobPlan>& job);
  // The answer to OnSoftLimit: the command becomes this job while it runs, or none. Nothing happens when it
  // has ended, or is being killed, by now.
  void HandOver(const std::optional<JobPlan>& job);
  // The listener is going away: no result, and nothing may go on running.
  void Abandon();
  const CommandListener* listener() const { return listener_.get(); }

 private:
  enum class Phase {
    kRunning,   // until the shell ends
    kDraining,  // the shell has ended, a child may still be writing
    kSettling,  // the supervisor was told what to do with survivors
    kFinished,
  };

  // Beside kRunning.
  enum class HandOverPhase {
    kNone,
    kAsked,      // the listener names the job
    kPreparing,  // the supervisor makes its files; the output is still read here
    kWriting,    // what was read goes into the job's file; nobody reads
    kCommitting,
  };

  // 0 or errno.
  int OpenStreams(Supervisor* supervisor);
  void OnMessage(const protocol::MessageHeader* header, const char* body);
  void OnReport(const char* body, size_t size);
  void OnExited(const protocol::Exited& exited);
  void OnEnded(const char* body, size_t size);
  void OnControlEnd();
  LostCommand Lost() const;
  void OnStreamEnd();
  void OnDeadline();
  void Kill(Outcome outcome);
  void Settle();
  void SendKill();
  // The supervisor does not answer: kills it, and the shell with it.
  void GiveUp();
  bool AllStreamsEnded() const;
  void Fail(protocol::Step step, int error);
  // The job runs; from here on it belongs to its supervisor.
  void Detach();
  void OnSoftLimit();
  void OnPrepared(const protocol::HandOverAnswer& answer);
  void OnHandedOutput(const HandedReport& report);
  void OnCommitted(const protocol::HandOverAnswer& answer);
  // The command stays ours, and its output is read here again.
  void KeepHere(protocol::HandOverAnswer reason = {});
  void ReadState();
  void Finish();
  void Deliver();
  void Reap();

  const uint64_t id_;
  CommandSpec spec_;
  std::shared_ptr<CommandListener> listener_;
  EventLoop& loop_;
  Launcher& launcher_;
  OutputResources& resources_;
  std::function<void()> on_gone_;

  Phase phase_ = Phase::kRunning;
  bool killing_ = false;
  bool delivered_ = false;
  uint64_t drain_end_ns_ = 0;
  Completion completion_;
  pid_t supervisor_pid_ = 0;
  sys::UniqueFd pidfd_;
  Watch pidfd_watch_;
  sys::UniqueFd shell_pidfd_;
  pid_t orphaned_shell_ = 0;  // when the supervisor was killed
  int orphan_looks_ = 0;
  Vigil vigil_;
  sys::UniqueFd state_;
  ControlChannel control_;
  Timer deadline_;  // of the current phase
  HandOverPhase hand_over_ = HandOverPhase::kNone;
  Timer soft_limit_;
  uint64_t started_ns_ = 0;
  std::optional<HandedOutput> handed_;
  std::unique_ptr<SavedOutput> saved_;
  std::vector<std::unique_ptr<OutputStream>> streams_;
};

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_COMMAND_H_
