// What becomes of processes that the shell leaves: they are listed, become a job, or are left to themselves.
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervisor/control.h"
#include "supervisor/descendants.h"
#include "supervisor/supervision.h"
#include "supervisor/wake_timer.h"
#include "sys/process_stat.h"
#include "sys/procfs.h"
#include "util/text.h"

namespace bashward::supervisor {
namespace {

using protocol::MessageType;

// Static: too large for a stack, and there is nothing to allocate from.
SurvivorList survivors;

bool IsReadable(int fd) {
  pollfd entry{fd, POLLIN, 0};
  const timespec now{};
  return ppoll(&entry, 1, &now, nullptr) > 0;
}

}  // namespace

void Supervision::FinishJob() {
  // Everything that was written is in the pipe, up to its end or to what a stranger may still write.
  for (int i = 0; i < output_count_; ++i) {
    while (output_fds_[i] >= 0 && IsReadable(output_fds_[i]) && job_->Pump(output_fds_[i])) {
    }
  }
  JobEnd end{JobEnd::Kind::kExited, 0, last_signal_, job_limit_ms_, 0};
  if (scratch_full_) end.scratch_limit = request_.header.scratch_limit;
  if (reason_ == Reason::kTimedOut) {
    end.kind = JobEnd::Kind::kTimedOut;
  } else if (shell_ended_ && WIFSIGNALED(wait_status_)) {
    end.kind = JobEnd::Kind::kKilled;
    end.signal = WTERMSIG(wait_status_);
  } else if (reason_ == Reason::kAsked || scratch_full_) {
    end.kind = JobEnd::Kind::kKilled;
  } else {
    end.exit_code = WEXITSTATUS(wait_status_);
  }
  if (confinement_ != nullptr) confinement_->Note(true);
  if (broker_ended_) job_->notes().AddBrokerEnded();
  rusage usage{};
  syscall(SYS_getrusage, RUSAGE_CHILDREN, &usage);
  job_->Finish(end, usage);
}

void Supervision::Release(const Adoption* adoption) {
  ArmWakeTimers();
  ListSurvivorsNow();
  is_job_ = adoption != nullptr && Adopt(*adoption);
  survivors.header.adopted = is_job_ ? 1 : 0;
  SendSurvivors();
  if (is_job_ && confinement_ != nullptr) confinement_->BeginNotes(&job_->notes());
  host_gone_ = true;
  close(protocol::kControlFd);
  // The survivors go on as if somebody read their output: they neither block nor die of SIGPIPE. When nobody
  // has it open any more, there is nothing left to do for them.
  if (!is_job_) state_ = State::kDraining;
}

bool Supervision::Adopt(const Adoption& adoption) {
  if (survivors.header.count == 0) return false;
  static Job job(adoption.directory, adoption.description, adoption.output_limit);
  job_ = &job;
  protocol::Failed failure{};
  return job.Create(&failure) && job.Describe(getpid(), shell_, 0, &failure);
}

void Supervision::ReadOutput() {
  bool open = false;
  for (int i = 0; i < output_count_; ++i) {
    if (output_fds_[i] < 0) continue;
    char discarded[16 * 1024];
    bool more = true;
    if (is_job_) {
      more = job_->Pump(output_fds_[i]);
      if (terminal_ != nullptr) terminal_->OnOutput();
    } else {
      const ssize_t count = read(output_fds_[i], discarded, sizeof discarded);
      more = count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
    }
    if (!more) {
      // That of a terminal is its owner's to close; a hang-up has ended its output (vhangup(2)).
      if (terminal_ == nullptr) close(output_fds_[i]);
      output_fds_[i] = -1;
    }
    open = open || more;
  }
  // A scratch directory is watched as long as anybody can write to it, and then removed. And a host that
  // would inherit what is left, and not wait for it, is spared that. And what is left of a command with a
  // broker cannot do without.
  const bool host_inherits = (request_.header.flags & protocol::kHostInherits) != 0;
  if (!open && !is_job_ && !scratch_->exists() && confinement_ == nullptr && !host_inherits) finished_ = true;
}

void Supervision::ListSurvivorsNow() {
  survivors.header = {};
  if (alone_) return;
  sys::PipeName outputs[2];
  for (int i = 0; i < output_count_; ++i) sys::ReadPipeName(getpid(), output_fds_[i], &outputs[i]);
  ListSurvivors(shell_, outputs, output_count_, &survivors);
  if (hidden_arguments_ != 0) NameShells();
}

// Subshells are copies of the shell: they run parts of its text, which their command lines do not show.
void Supervision::NameShells() {
  util::Text<protocol::kMaxSurvivorCommand + 1> text;
  text << "bash -c -- " << request_.command;
  for (uint32_t i = 0; i < survivors.header.count; ++i) {
    protocol::Survivor& survivor = survivors.survivors[i];
    sys::ProcessStat stat;
    if (!sys::ReadProcessStat(survivor.pid, &stat) || stat.arguments != hidden_arguments_) continue;
    survivor.command_size = static_cast<uint32_t>(text.size());
    memcpy(survivor.command, text.c_str(), text.size());
  }
}

void Supervision::SendSurvivors() {
  survivors.header.scratch_full = scratch_full_ ? 1 : 0;
  survivors.header.broker_ended = broker_ended_ ? 1 : 0;
  if (confinement_ != nullptr && !is_background_) confinement_->Report(true);
  SendMessage(MessageType::kEnded, &survivors,
              sizeof survivors.header + survivors.header.count * sizeof(protocol::Survivor));
}

}  // namespace bashward::supervisor
