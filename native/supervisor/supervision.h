// Watching over the shell and everything below it, until nothing is left to do.
#ifndef BASHWARD_SUPERVISOR_SUPERVISION_H_
#define BASHWARD_SUPERVISOR_SUPERVISION_H_

#include <stdint.h>
#include <sys/types.h>

#include "process/control_protocol.h"
#include "supervisor/call_mark.h"
#include "supervisor/confinement.h"
#include "supervisor/job.h"
#include "supervisor/request.h"
#include "supervisor/scratch.h"
#include "supervisor/shell.h"
#include "supervisor/terminal/terminal.h"

namespace bashward::supervisor {

class Supervision {
 public:
  // `job` is null for a foreground command, `confinement` without writable roots, `terminal` unless the job
  // has one. All must outlive this.
  Supervision(const Request& request, const ShellStart& shell, Job* job, Scratch* scratch,
              Confinement* confinement = nullptr, CallMark* mark = nullptr, Terminal* terminal = nullptr);
  Supervision(const Supervision&) = delete;
  Supervision& operator=(const Supervision&) = delete;

  // Returns when the supervisor may end.
  void Run();

 private:
  // Why everything is killed.
  enum class Reason { kNone, kAsked, kTimedOut, kLeaderKilled, kScratchFull, kBrokerEnded };

  enum class State {
    kWatching,     // the host decides
    kTerminating,  // SIGTERM was sent
    kKilling,      // SIGKILL is being sent
    kDraining,     // survivors were left to themselves; their output is thrown away
  };

  // Nothing is being killed.
  bool IsUnhurried() const { return state_ == State::kWatching || state_ == State::kDraining; }
  // True when there may be more of them.
  bool Reap();
  void CheckLimits();
  void CheckScratch();
  // Without a broker nothing more may run: calls that it would refuse fail, but so do those that it allows.
  void CheckBroker();
  // Somebody else may hold a part of it, for a moment or for good: it is tried for so long.
  void RemoveScratch(uint64_t limit_ms);
  void ReportExit();
  // Sleeps until a child ends, the host speaks, output of released survivors comes, or a deadline passes.
  // With `at_once` it only looks whether anything of that has happened.
  void Wait(bool at_once);
  void ReadControl();
  // The command has ended by itself: the host learns of that, and need not have killed anything.
  bool ComesTooLate(const protocol::Kill& kill);
  // Why the shell is about to end, unless it has ended by itself.
  void NoteEnd(CallMark::End end);
  void ReadSignals();
  void BeginKill(Reason reason, uint32_t grace_ms);
  void ContinueKill();
  // What the host decided about survivors: they become a job if they can, or are left to themselves.
  void Release(const Adoption* adoption);
  bool Adopt(const Adoption& adoption);
  // The files of the job that the command is to become. Until Commit() whatever else happens undoes them.
  void Prepare(const HandOver& plan);
  void Withdraw();
  void Commit(const protocol::Commit& commit);
  void ReadOutput();
  void Finish();
  void FinishJob();
  void ListSurvivorsNow();
  void NameShells();
  void SendSurvivors();

  const Request& request_;
  const pid_t shell_;
  const uint64_t hidden_arguments_;  // of the shell
  Job* job_;                         // null: none yet
  Scratch* const scratch_;
  Confinement* const confinement_;  // null: there are no writable roots
  CallMark* const mark_;            // null: none
  Terminal* const terminal_;        // null: none
  bool is_background_;              // the shell is a job's, from the start or since it was handed over
  bool is_job_;                     // also one that was adopted
  Job* prepared_ = nullptr;
  uint64_t prepared_limit_ms_ = 0;  // of that job
  uint64_t prepared_deadline_ms_ = 0;
  uint64_t job_limit_ms_;
  Reason reason_ = Reason::kNone;
  int last_signal_ = 0;                        // the strongest that was sent
  CallMark::End end_ = CallMark::End::kEnded;  // of the call
  int output_fds_[2] = {-1, -1};
  const int output_count_;
  const int signal_fd_;  // readable when a child has ended, or a job is to be killed
  State state_ = State::kWatching;
  bool finished_ = false;
  bool host_gone_ = false;
  bool was_told_to_kill_ = false;  // before the shell has ended
  bool alone_ = false;             // no child is left
  bool shell_ended_ = false;
  bool scratch_full_ = false;
  bool broker_ended_ = false;
  bool reported_ = false;
  bool reported_alone_ = false;
  int wait_status_ = 0;
  uint64_t job_deadline_ms_;
  uint64_t scratch_check_at_ms_;
  uint64_t kill_at_ms_ = 0;     // SIGKILL follows SIGTERM
  uint64_t give_up_at_ms_ = 0;  // what is still there cannot be killed
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_SUPERVISION_H_
