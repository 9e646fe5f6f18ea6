#include "supervisor/supervision.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "supervisor/control.h"
#include "supervisor/descendants.h"
#include "supervisor/wake_timer.h"
#include "sys/clock.h"
#include "sys/signals.h"

namespace bashward::supervisor {
namespace {

using protocol::MessageType;
using sys::NowMs;

// Killed processes are looked at this often: their children become ours without a signal.
constexpr uint64_t kKillRoundMs = 5;
constexpr uint64_t kBlindRoundMs = 50;
// Children can end faster than they can be reaped: after this time everything else gets its turn.
constexpr uint64_t kReapLimitMs = 20;
constexpr int kReapedBetweenLooks = 64;
// How often the scratch directory is looked at; less often when that takes long.
constexpr uint64_t kScratchRoundMs = 100;
constexpr uint64_t kScratchShare = 3;
// How long the result waits for a scratch directory that somebody holds, and how long removing it is tried
// after that.
constexpr uint64_t kScratchResultMs = 200;
constexpr uint64_t kScratchRemovalMs = 10'000;
constexpr uint64_t kScratchRetryMs = 20;
constexpr uint64_t kNever = ~uint64_t{0};

uint64_t Microseconds(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_usec);
}

// All are blocked for good, so none that came before this is missed.
int OpenSignals() {
  const sys::KernelSignalSet signals =
      sys::SignalSet(SIGCHLD) | sys::SignalSet(protocol::kKillJobSignal) | sys::SignalSet(SIGCONT);
  return static_cast<int>(syscall(SYS_signalfd4, -1, &signals, sizeof signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

// A child that has called ptrace(PTRACE_TRACEME) stops for us at every signal, which is not its end
// (ptrace(2)). It goes on as if nobody traced it: with the signal, but for the one that only tells a tracer
// of an execve.
void StopTracing(pid_t pid, int signal) {
  syscall(SYS_ptrace, PTRACE_DETACH, pid, 0, signal == SIGTRAP ? 0 : signal);
}

int OutputCount(const Request& request) {
  return (request.header.flags & protocol::kSeparateStreams) != 0 ? 2 : 1;
}

}  // namespace

Supervision::Supervision(const Request& request, const ShellStart& shell, Job* job, Scratch* scratch,
                         Confinement* confinement, CallMark* mark, Terminal* terminal)
    : request_(request),
      shell_(shell.pid),
      hidden_arguments_(shell.hidden_arguments),
      job_(job),
      scratch_(scratch),
      confinement_(confinement),
      mark_(mark),
      terminal_(terminal),
      is_background_((request.header.flags & protocol::kBackground) != 0),
      is_job_(is_background_),
      job_limit_ms_(request.header.job_limit_ms),
      output_count_(OutputCount(request)),
      signal_fd_(OpenSignals()),
      job_deadline_ms_(job_limit_ms_ == 0 ? kNever : NowMs() + job_limit_ms_),
      scratch_check_at_ms_(scratch->exists() ? NowMs() + kScratchRoundMs : kNever) {
  for (int i = 0; i < output_count_; ++i) output_fds_[i] = protocol::kFirstOutputFd + i;
  if (terminal_ != nullptr) {
    close(output_fds_[0]);  // nobody writes to that pipe
    output_fds_[0] = terminal_->master();
  }
  if (is_background_ && confinement_ != nullptr) confinement_->BeginNotes(&job->notes());
}

void Supervision::Run() {
  while (!finished_) {
    const bool more_ended = Reap();
    // Before the host hears of the end: the result says that nothing is left.
    if (alone_) RemoveScratch(kScratchResultMs);
    if (shell_ended_ && !reported_) ReportExit();
    if (alone_) return Finish();
    if (IsUnhurried()) CheckLimits();
    CheckBroker();
    if (state_ != State::kKilling) CheckScratch();
    if (state_ == State::kTerminating || state_ == State::kKilling) ContinueKill();
    if (!finished_) Wait(more_ended);
  }
}

void Supervision::CheckLimits() {
  const uint64_t now = NowMs();
  if (is_job_ && now >= job_deadline_ms_) return BeginKill(Reason::kTimedOut, request_.header.grace_ms);
  if (is_background_ && shell_ended_ && WIFSIGNALED(wait_status_))
    return BeginKill(Reason::kLeaderKilled, request_.header.grace_ms);
}

void Supervision::CheckBroker() {
  if (broker_ended_ || confinement_ == nullptr || !confinement_->broker.ended()) return;
  broker_ended_ = true;
  BeginKill(Reason::kBrokerEnded, 0);
}

void Supervision::CheckScratch() {
  const uint64_t now = NowMs();
  if (now < scratch_check_at_ms_) return;
  if (scratch_->IsFull()) {
    scratch_full_ = true;
    scratch_check_at_ms_ = kNever;
    return BeginKill(Reason::kScratchFull, 0);
  }
  const uint64_t took = NowMs() - now;
  scratch_check_at_ms_ = now + took + kScratchRoundMs + took * kScratchShare;
}

void Supervision::RemoveScratch(uint64_t limit_ms) {
  const uint64_t end = NowMs() + limit_ms;
  while (!scratch_->Remove() && NowMs() < end) {
    const timespec pause{0, static_cast<long>(kScratchRetryMs) * 1'000'000};
    ppoll(nullptr, 0, &pause, nullptr);
  }
}

bool Supervision::Reap() {
  const uint64_t deadline = NowMs() + kReapLimitMs;
  for (int count = 1; count % kReapedBetweenLooks != 0 || NowMs() < deadline; ++count) {
    int status = 0;
    const pid_t pid = wait4(-1, &status, WNOHANG | __WALL, nullptr);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) alone_ = true;
    if (pid <= 0) return false;
    if (WIFSTOPPED(status)) {
      StopTracing(pid, WSTOPSIG(status));
    } else if (pid == shell_) {
      shell_ended_ = true;
      wait_status_ = status;
    }
  }
  return true;
}

void Supervision::ReportExit() {
  reported_ = true;
  reported_alone_ = alone_;
  Withdraw();
  // Before the host hears of it.
  if (mark_ != nullptr) mark_->Record(end_, wait_status_, 0);
  if (host_gone_) return;
  if (confinement_ != nullptr && !is_background_) confinement_->Report(alone_);
  rusage usage{};
  syscall(SYS_getrusage, RUSAGE_CHILDREN, &usage);
  const protocol::Exited exited{wait_status_,
                                alone_ ? 0U : 1U,
                                scratch_full_ ? 1U : 0U,
                                broker_ended_ ? 1U : 0U,
                                Microseconds(usage.ru_utime),
                                Microseconds(usage.ru_stime),
                                static_cast<uint64_t>(usage.ru_maxrss) * 1024,
                                was_told_to_kill_ ? 1U : 0U};
  SendMessage(MessageType::kExited, &exited, sizeof exited);
}

void Supervision::Wait(bool at_once) {
  pollfd fds[7 + Terminal::kMaxPolled];
  nfds_t count = 0;
  fds[count++] = {host_gone_ ? -1 : protocol::kControlFd, POLLIN, 0};
  fds[count++] = {signal_fd_, POLLIN, 0};
  if (confinement_ != nullptr && !broker_ended_) fds[count++] = {confinement_->broker.ended_fd(), POLLIN, 0};
  // Behind the first two, whose places are known.
  const nfds_t proxy = count;
  if (confinement_ != nullptr) fds[count++] = {confinement_->proxy_fd(), POLLIN, 0};
  if (is_job_ && confinement_ != nullptr) fds[count++] = {confinement_->broker.denials_fd(), POLLIN, 0};
  if (is_job_ || state_ == State::kDraining) {
    for (int i = 0; i < output_count_; ++i) fds[count++] = {output_fds_[i], POLLIN, 0};
  }
  const nfds_t terminal = count;
  if (terminal_ != nullptr) count += terminal_->FillPolled(fds + count);
  const uint64_t now = NowMs();
  uint64_t deadline = terminal_ == nullptr ? kNever : terminal_->NextDeadlineMs();
  if (is_job_ && IsUnhurried() && job_deadline_ms_ < deadline) deadline = job_deadline_ms_;
  if (state_ == State::kTerminating && kill_at_ms_ < deadline) deadline = kill_at_ms_;
  if (scratch_check_at_ms_ < deadline) deadline = scratch_check_at_ms_;
  if (state_ == State::kKilling) deadline = now + kKillRoundMs;
  if (at_once) deadline = now;
  // Without the descriptor (none were left) the children are looked at now and then.
  if (signal_fd_ < 0 && deadline > now + kBlindRoundMs) deadline = now + kBlindRoundMs;
  timespec timeout{};
  if (deadline != kNever) {
    const uint64_t left = deadline > now ? deadline - now : 0;
    timeout = {static_cast<time_t>(left / 1000), static_cast<long>(left % 1000) * 1'000'000};
  }
  const int ready = ppoll(fds, count, deadline == kNever ? nullptr : &timeout, nullptr);
  if (terminal_ != nullptr && ready >= 0) terminal_->Serve(fds + terminal);
  if (ready <= 0) return;
  if (fds[0].revents != 0) ReadControl();
  if (fds[1].revents != 0) ReadSignals();
  if (is_job_ && confinement_ != nullptr) confinement_->Note(false);
  if (confinement_ != nullptr && fds[proxy].revents != 0) confinement_->ReadProxy();
  if (is_job_ || state_ == State::kDraining) ReadOutput();
}

void Supervision::ReadSignals() {
  signalfd_siginfo info;
  // One pending SIGCHLD stands for any number of children; they are reaped in any case.
  while (read(signal_fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    if (info.ssi_signo == protocol::kKillJobSignal && is_job_)
      BeginKill(Reason::kAsked, request_.header.grace_ms);
    // No host would wake this process, should it be stopped.
    if (info.ssi_signo == SIGCONT && (is_job_ || host_gone_)) ArmWakeTimers();
  }
}

void Supervision::BeginKill(Reason reason, uint32_t grace_ms) {
  const uint64_t now = NowMs();
  const bool first = IsUnhurried();
  if (first || now + grace_ms < kill_at_ms_) kill_at_ms_ = now + grace_ms;
  if (!first) return;
  Withdraw();
  reason_ = reason;
  state_ = State::kTerminating;
  give_up_at_ms_ = now + protocol::kKillLimitMs;
  last_signal_ = SIGTERM;
  TerminateDescendants(shell_ended_ ? 0 : shell_);
}

void Supervision::ContinueKill() {
  const uint64_t now = NowMs();
  if (state_ == State::kTerminating && now < kill_at_ms_) return;
  state_ = State::kKilling;
  last_signal_ = SIGKILL;
  KillChildren(shell_ended_ ? 0 : shell_);
  if (now >= give_up_at_ms_) Finish();
}

void Supervision::Finish() {
  finished_ = true;
  if (is_job_) FinishJob();
  if (terminal_ != nullptr) terminal_->Close();
  if (!reported_alone_ && !host_gone_) {
    ListSurvivorsNow();
    SendSurvivors();
  }
  if (alone_) RemoveScratch(kScratchRemovalMs);
}

}  // namespace bashward::supervisor
