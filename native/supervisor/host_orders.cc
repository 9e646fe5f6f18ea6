// What the host tells its supervisor while the command runs.
#include "supervisor/control.h"
#include "supervisor/supervision.h"

namespace bashward::supervisor {
namespace {

using protocol::MessageType;

// When the host is gone, nobody waits for an orderly end.
constexpr uint32_t kOrphanGraceMs = 500;

}  // namespace

void Supervision::ReadControl() {
  protocol::MessageHeader header{};
  protocol::Kill kill{};
  protocol::Commit commit{};
  Adoption adoption{};
  HandOver plan{};
  bool received = ReceiveAll(&header, sizeof header);
  if (received && header.type == MessageType::kKill) {
    received = header.size == sizeof kill && ReceiveAll(&kill, sizeof kill);
  } else if (received && header.type == MessageType::kRelease && header.size > 0) {
    received = ReceiveAdoption(header.size, &adoption);
  } else if (received && header.type == MessageType::kPrepare) {
    received = ReceiveHandOver(header.size, &plan);
  } else if (received && header.type == MessageType::kCommit) {
    received = header.size == sizeof commit && ReceiveAll(&commit, sizeof commit);
  }
  if (!received) {
    host_gone_ = true;
    NoteEnd(CallMark::End::kHostGone);
    if (!is_job_) BeginKill(Reason::kAsked, kOrphanGraceMs);
  } else if (header.type == MessageType::kKill) {
    if (ComesTooLate(kill)) return;
    was_told_to_kill_ = true;
    if (kill.cause == protocol::KillCause::kTimedOut) NoteEnd(CallMark::End::kTimedOut);
    if (kill.cause == protocol::KillCause::kCancelled) NoteEnd(CallMark::End::kCancelled);
    BeginKill(Reason::kAsked, kill.grace_ms);
  } else if (header.type == MessageType::kRelease && state_ == State::kWatching) {
    Release(header.size > 0 ? &adoption : nullptr);
  } else if (header.type == MessageType::kPrepare) {
    Prepare(plan);
  } else if (header.type == MessageType::kWithdraw) {
    Withdraw();
  } else if (header.type == MessageType::kCommit) {
    Commit(commit);
  }
}

bool Supervision::ComesTooLate(const protocol::Kill& kill) {
  if (is_job_ || state_ != State::kWatching || kill.cause == protocol::KillCause::kSurvivors) return false;
  // It may have ended just before.
  Reap();
  return shell_ended_;
}

void Supervision::NoteEnd(CallMark::End end) {
  if (mark_ == nullptr || mark_->fd() < 0 || end_ != CallMark::End::kEnded) return;
  // It may have ended just before.
  Reap();
  if (!shell_ended_) end_ = end;
}

}  // namespace bashward::supervisor
