// A command that runs becomes a job: its files first, then, when the host has written what it holds of the
// output, the job itself.
#include <errno.h>
#include <unistd.h>

#include "supervisor/control.h"
#include "supervisor/supervision.h"
#include "supervisor/wake_timer.h"
#include "sys/clock.h"

namespace bashward::supervisor {
namespace {

using protocol::MessageType;
using protocol::Step;

void Answer(MessageType type, const protocol::Failed& failure, int descriptor = -1) {
  const protocol::HandOverAnswer answer{failure.step, failure.error};
  SendMessage(type, &answer, sizeof answer, descriptor);
}

}  // namespace

void Supervision::Prepare(const HandOver& plan) {
  // What the host then hears is that the shell has ended, or all of it.
  if (state_ != State::kWatching || shell_ended_ || is_job_ || prepared_ != nullptr) return;
  const uint64_t now = sys::NowMs();
  // The first and only one: a host does not try again.
  static Job job(plan.job.directory, plan.job.description, plan.job.output_limit);
  protocol::Failed failure{};
  int output = -1;
  if (job.Create(&failure) && job.WriteRecord(getpid(), shell_, shell_, &failure)) {
    output = job.OpenOutput();
    if (output < 0) failure = {Step::kOpenOutput, errno};
  }
  if (output < 0) {
    // A directory that was there is not ours to empty.
    if (failure.step != Step::kMkdir) job.Discard();
    return Answer(MessageType::kPrepared, failure);
  }
  prepared_ = &job;
  // Not this supervision's yet: what a command leaves that was not handed over becomes a job without a limit.
  prepared_limit_ms_ = plan.limit_ms;
  prepared_deadline_ms_ = plan.remaining_ms == 0 ? ~uint64_t{0} : now + plan.remaining_ms;
  // A descriptor of its own: the lock on the file ends with this process, whatever a host does with it.
  Answer(MessageType::kPrepared, {}, output);
  close(output);
}

void Supervision::Withdraw() {
  if (prepared_ == nullptr) return;
  prepared_->Discard();
  prepared_ = nullptr;
}

void Supervision::Commit(const protocol::Commit& commit) {
  if (prepared_ == nullptr) return;
  protocol::Failed failure{};
  if (!prepared_->Publish(&failure)) {
    Withdraw();
    return Answer(MessageType::kCommitted, failure);
  }
  job_ = prepared_;
  prepared_ = nullptr;
  job_->TakeOver(commit);
  job_limit_ms_ = prepared_limit_ms_;
  job_deadline_ms_ = prepared_deadline_ms_;
  is_job_ = true;
  is_background_ = true;
  ArmWakeTimers();
  if (confinement_ != nullptr) {
    confinement_->Report(false);
    confinement_->BeginNotes(&job_->notes());
  }
  if (mark_ != nullptr) mark_->Record(CallMark::End::kBackground, 0, 0, job_->directory());
  Answer(MessageType::kCommitted, {});
}

}  // namespace bashward::supervisor
