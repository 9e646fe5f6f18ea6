// The end of a command: its result is put together from what the supervisor reports, and delivered; its
// supervisor is waited for.
#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "process/command.h"
#include "sys/signals.h"

namespace bashward::process {
namespace {

// How long a result waits for a disk that does not take the rest of the saved output.
constexpr uint64_t kSaveNs = 5'000 * kNsPerMs;
// How often to look whether a supervisor has ended that cannot be watched.
constexpr uint64_t kReapRetryNs = 100 * kNsPerMs;
// How often to reap killed processes that nobody else will wait for.
constexpr int kOrphanLooks = 50;
// A supervisor that has nothing left to do and has not ended is stopped.
constexpr uint64_t kResumeNs = 1'000 * kNsPerMs;

}  // namespace

void Command::OnReport(const char* body, size_t size) {
  protocol::Report report{};
  if (size < sizeof report) return;
  memcpy(&report, body, sizeof report);
  std::string text(body + sizeof report, size - sizeof report);
  SandboxEvents& events = completion_.sandbox;
  switch (report.kind) {
    case protocol::ReportKind::kDenied:
      events.denials.push_back({static_cast<protocol::Operation>(report.value), std::move(text)});
      break;
    case protocol::ReportKind::kMoreDenied:
      events.denials_dropped = report.value;
      break;
    case protocol::ReportKind::kChanged:
      events.changed.push_back(std::move(text));
      break;
    case protocol::ReportKind::kMoreChanged:
      events.changed_dropped = report.value;
      break;
  }
}

void Command::OnEnded(const char* body, size_t size) {
  protocol::Ended ended{};
  if (size >= sizeof ended) memcpy(&ended, body, sizeof ended);
  completion_.adopted = ended.adopted != 0;
  completion_.exited.scratch_full |= ended.scratch_full;
  if (ended.broker_ended != 0) completion_.sandbox.broker_ended = true;
  for (uint32_t i = 0; i < ended.count && sizeof ended + (i + 1) * sizeof(protocol::Survivor) <= size; ++i) {
    protocol::Survivor survivor;
    memcpy(&survivor, body + sizeof ended + i * sizeof survivor, sizeof survivor);
    const uint32_t length = std::min(survivor.command_size, protocol::kMaxSurvivorCommand);
    completion_.survivors.push_back({survivor.pid, survivor.daemon != 0, survivor.holds_output != 0,
                                     std::string(survivor.command, length)});
  }
  Finish();
}

void Command::ReadState() {
  if (!state_.valid() || completion_.outcome != Outcome::kEnded) return;
  struct stat status{};
  if (fstat(state_.get(), &status) != 0 || static_cast<uint64_t>(status.st_size) > spec_.state_limit) return;
  std::string state(static_cast<size_t>(status.st_size), '\0');
  // The shell has ended. If a child of it still writes, the reader refuses the state; nothing worse
  // happens.
  ssize_t count = 0;
  do {
    count = pread(state_.get(), state.data(), state.size(), 0);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return;
  state.resize(static_cast<size_t>(count));
  completion_.state = std::move(state);
}

void Command::Finish() {
  if (phase_ == Phase::kFinished) return;
  phase_ = Phase::kFinished;
  deadline_.Clear();
  // An answer to OnSoftLimit() that is still to come is about nothing any more.
  hand_over_ = HandOverPhase::kNone;
  soft_limit_.Clear();
  handed_.reset();
  vigil_.End();
  control_.Close();
  if (completion_.outcome == Outcome::kSupervisorLost) {
    completion_.survivors = ListHolders(Lost());
    orphaned_shell_ = completion_.pid;
  } else {
    shell_pidfd_.reset();
  }
  for (auto& stream : streams_) {
    if (completion_.has_exited) stream->ReadAvailable();
    stream->Close();
    auto& captured = stream->captured();
    completion_.streams.push_back({captured.TakeHead(), captured.TakeTail(), captured.total()});
  }
  ReadState();
  state_.reset();
  if (!saved_) return Deliver();
  deadline_.SetIn(kSaveNs);
  saved_->Close([this](SaveReport report) {
    completion_.saved = report;
    Deliver();
  });
}

void Command::Deliver() {
  if (delivered_) return;
  delivered_ = true;
  deadline_.Clear();
  const bool lives_on = completion_.outcome == Outcome::kDetached ||
                        completion_.outcome == Outcome::kHandedOver || completion_.adopted ||
                        !completion_.survivors.empty();
  if (listener_) {
    listener_->OnCompletion(id_, std::move(completion_));
    listener_.reset();
  }
  if (!pidfd_.valid()) {
    on_gone_();
  } else if (pidfd_watch_.Set(pidfd_.get(), EPOLLIN) != 0) {
    deadline_.SetIn(kReapRetryNs);
  } else if (!lives_on) {
    deadline_.SetIn(kResumeNs);
  }
}

void Command::Reap() {
  // The host may have reaped it by a waitpid(-1) of its own, or ignore SIGCHLD: the result does not depend on
  // it.
  siginfo_t info{};
  int result = 0;
  do {
    result = waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(pidfd_.get()), &info,
                    WEXITED | WNOHANG | __WALL);
  } while (result != 0 && errno == EINTR);
  if (result == 0 && info.si_pid == 0) {
    // A supervisor that ended under a tracer would be reported without pause, and cannot be waited for.
    pidfd_watch_.Stop();
    sys::SignalPidfd(pidfd_.get(), SIGCONT);
    return deadline_.SetIn(kReapRetryNs);
  }
  // Both may be due in one round of the loop.
  pidfd_watch_.Stop();
  if (!ReapInherited(shell_pidfd_.get(), orphaned_shell_) && ++orphan_looks_ < kOrphanLooks) {
    return deadline_.SetIn(kReapRetryNs);
  }
  deadline_.Clear();
  pidfd_.reset();
  on_gone_();
}

}  // namespace bashward::process
