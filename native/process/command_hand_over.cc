// Handing a command over while it runs: its supervisor makes the files of a job, the output so far goes into
// them, and from then on the supervisor reads. One reader at a time, so nothing is lost or out of order.
#include <errno.h>
#include <signal.h>

#include <algorithm>

#include "process/command.h"
#include "process/request_encoding.h"
#include "sys/signals.h"

namespace bashward::process {
namespace {

using protocol::MessageType;
using protocol::Step;

// How often a supervisor that does not answer is continued: the command may have stopped it.
constexpr uint64_t kAnswerNs = 1'000 * kNsPerMs;

}  // namespace

void Command::OnSoftLimit() {
  if (hand_over_ == HandOverPhase::kPreparing || hand_over_ == HandOverPhase::kCommitting) {
    sys::SignalPidfd(pidfd_.get(), SIGCONT);
    return soft_limit_.SetIn(kAnswerNs);
  }
  if (phase_ != Phase::kRunning || killing_ || !listener_) return;
  hand_over_ = HandOverPhase::kAsked;
  listener_->OnSoftLimit(id_);
}

void Command::HandOver(const std::optional<JobPlan>& job) {
  if (hand_over_ != HandOverPhase::kAsked) return;
  if (!job) return KeepHere();
  hand_over_ = HandOverPhase::kPreparing;
  protocol::HandOver times{spec_.timeout_ms, 0};
  if (spec_.timeout_ms != 0) {
    const uint64_t passed_ms = (MonotonicNs() - started_ns_) / kNsPerMs;
    times.remaining_ms = spec_.timeout_ms - std::min<uint64_t>(passed_ms, spec_.timeout_ms - 1);
  }
  const std::string body =
      EncodeHandOver(times, EncodeAdoption(job->directory, job->description, job->output_limit));
  // A host without memory for it has lost its supervisor, and hears of that.
  control_.Send(MessageType::kPrepare, body.data(), body.size());
  soft_limit_.SetIn(kAnswerNs);
}

void Command::OnPrepared(const protocol::HandOverAnswer& answer) {
  sys::UniqueFd file = control_.TakeDescriptor();
  if (hand_over_ != HandOverPhase::kPreparing) return;
  soft_limit_.Clear();
  if (answer.step != Step::kNone) return KeepHere(answer);
  if (!file.valid()) {
    // No descriptor was left here.
    control_.Send(MessageType::kWithdraw, nullptr, 0);
    return KeepHere({Step::kOpenOutput, EMFILE});
  }
  hand_over_ = HandOverPhase::kWriting;
  for (auto& stream : streams_) stream->Yield();
  handed_.emplace(loop_, [this](const HandedReport& report) { OnHandedOutput(report); });
  handed_->Write(std::move(file), streams_[0]->captured(), saved_.get());
}

void Command::OnHandedOutput(const HandedReport& report) {
  if (hand_over_ != HandOverPhase::kWriting) return;
  if (report.error != 0) {
    control_.Send(MessageType::kWithdraw, nullptr, 0);
    return KeepHere({Step::kWriteOutput, report.error});
  }
  hand_over_ = HandOverPhase::kCommitting;
  const protocol::Commit commit{report.size, streams_[0]->captured().total(), report.dropped};
  control_.Send(MessageType::kCommit, &commit, sizeof commit);
  soft_limit_.SetIn(kAnswerNs);
}

void Command::OnCommitted(const protocol::HandOverAnswer& answer) {
  if (hand_over_ != HandOverPhase::kCommitting) return;
  if (answer.step != Step::kNone) return KeepHere(answer);
  hand_over_ = HandOverPhase::kNone;
  soft_limit_.Clear();
  // It is a job that is being killed; what it prints from now on, its supervisor reads.
  completion_.is_job = true;
  if (killing_) return;
  completion_.outcome = Outcome::kHandedOver;
  Finish();
}

void Command::KeepHere(protocol::HandOverAnswer reason) {
  if (hand_over_ == HandOverPhase::kNone) return;
  hand_over_ = HandOverPhase::kNone;
  soft_limit_.Clear();
  completion_.hand_over = reason;
  for (auto& stream : streams_) stream->Resume();
}

}  // namespace bashward::process
