#include "supervisor/supervision.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "supervisor/control.h"
#include "supervisor/descendants.h"
#include "sys/signals.h"

namespace bashward::supervisor {
namespace {

using protocol::MessageType;

// A host that is gone has nobody waiting for an orderly end.
constexpr uint32_t kOrphanGraceMs = 500;
constexpr uint32_t kOrphanLimitMs = 14'000;
// Killed processes are looked at this often: their children become ours without a signal.
constexpr uint64_t kKillRoundMs = 5;
constexpr uint64_t kNever = ~uint64_t{0};

uint64_t NowMs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1'000'000;
}

uint64_t Microseconds(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_usec);
}

// SIGCHLD is blocked for good, so none that came before this is missed.
int OpenChildSignals() {
  const sys::KernelSignalSet signals = sys::KernelSignalSet{1} << (SIGCHLD - 1);
  return static_cast<int>(syscall(SYS_signalfd4, -1, &signals, sizeof signals, SFD_CLOEXEC | SFD_NONBLOCK));
}

}  // namespace

Supervision::Supervision(pid_t shell, int output_count)
    : shell_(shell), output_count_(output_count), child_signal_fd_(OpenChildSignals()) {
  for (int i = 0; i < output_count_; ++i) output_fds_[i] = protocol::kFirstOutputFd + i;
}

void Supervision::Run() {
  for (;;) {
    Reap();
    if (shell_ended_ && !reported_) ReportExit();
    if (alone_) {
      if (!reported_alone_) SendEnded();
      return;
    }
    if (state_ == State::kTerminating || state_ == State::kKilling) ContinueKill();
    if (finished_) return;
    Wait();
    if (finished_) return;
  }
}

void Supervision::Reap() {
  for (;;) {
    int status = 0;
    const pid_t pid = wait4(-1, &status, WNOHANG | __WALL, nullptr);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) alone_ = true;
    if (pid <= 0) return;
    if (pid == shell_) {
      shell_ended_ = true;
      wait_status_ = status;
    }
  }
}

void Supervision::ReportExit() {
  reported_ = true;
  reported_alone_ = alone_;
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const protocol::Exited exited{wait_status_,
                                alone_ ? 0U : 1U,
                                Microseconds(usage.ru_utime),
                                Microseconds(usage.ru_stime),
                                static_cast<uint64_t>(usage.ru_maxrss) * 1024};
  SendMessage(MessageType::kExited, &exited, sizeof exited);
}

void Supervision::Wait() {
  pollfd fds[4];
  nfds_t count = 0;
  fds[count++] = {host_gone_ ? -1 : protocol::kControlFd, POLLIN, 0};
  fds[count++] = {child_signal_fd_, POLLIN, 0};
  if (state_ == State::kDraining) {
    for (int i = 0; i < output_count_; ++i) fds[count++] = {output_fds_[i], POLLIN, 0};
  }
  uint64_t deadline = kNever;
  const uint64_t now = NowMs();
  if (state_ == State::kTerminating) deadline = kill_at_ms_;
  if (state_ == State::kKilling) deadline = now + kKillRoundMs;
  timespec timeout{};
  if (deadline != kNever) {
    const uint64_t left = deadline > now ? deadline - now : 0;
    timeout = {static_cast<time_t>(left / 1000), static_cast<long>(left % 1000) * 1'000'000};
  }
  if (ppoll(fds, count, deadline == kNever ? nullptr : &timeout, nullptr) <= 0) return;
  if (fds[0].revents != 0) ReadControl();
  if (fds[1].revents != 0) {
    signalfd_siginfo info;
    (void)!read(child_signal_fd_, &info, sizeof info);  // one pending signal stands for any number of children
  }
  if (state_ == State::kDraining) Drain();
}

void Supervision::ReadControl() {
  protocol::MessageHeader header;
  protocol::Kill kill{};
  const bool received = ReceiveAll(&header, sizeof header) &&
                        (header.type != MessageType::kKill ||
                         (header.size == sizeof kill && ReceiveAll(&kill, sizeof kill)));
  if (!received) {
    host_gone_ = true;
    BeginKill(kOrphanGraceMs, kOrphanLimitMs);
  } else if (header.type == MessageType::kKill) {
    BeginKill(kill.grace_ms, kill.limit_ms);
  } else if (header.type == MessageType::kRelease) {
    Release();
  }
}

void Supervision::BeginKill(uint32_t grace_ms, uint32_t limit_ms) {
  const uint64_t now = NowMs();
  const bool first = state_ == State::kWatching;
  if (first || now + grace_ms < kill_at_ms_) kill_at_ms_ = now + grace_ms;
  if (!first) return;
  state_ = State::kTerminating;
  give_up_at_ms_ = now + limit_ms;
  TerminateDescendants();
}

void Supervision::ContinueKill() {
  const uint64_t now = NowMs();
  if (state_ == State::kTerminating && now < kill_at_ms_) return;
  state_ = State::kKilling;
  KillChildren();
  if (now < give_up_at_ms_) return;
  SendEnded();
  finished_ = true;
}

void Supervision::Release() {
  SendEnded();
  // Nobody holds the output when every write end is closed; then there is nothing left to do for the survivors.
  state_ = State::kDraining;
  host_gone_ = true;
  close(protocol::kControlFd);
  // A released supervisor may live for long: it should keep no mount busy.
  if (chdir("/") != 0) return;
}

// The survivors go on as if somebody read their output: they neither block nor die of SIGPIPE.
void Supervision::Drain() {
  bool open = false;
  for (int i = 0; i < output_count_; ++i) {
    if (output_fds_[i] < 0) continue;
    char buffer[16 * 1024];
    const ssize_t count = read(output_fds_[i], buffer, sizeof buffer);
    if (count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))) {
      open = true;
    } else {
      close(output_fds_[i]);
      output_fds_[i] = -1;
    }
  }
  if (!open) finished_ = true;
}

void Supervision::SendEnded() {
  if (host_gone_) return;
  static SurvivorList list;
  PipeName outputs[2];
  for (int i = 0; i < output_count_; ++i) ReadPipeName(getpid(), output_fds_[i], &outputs[i]);
  ListSurvivors(shell_, outputs, output_count_, &list);
  SendMessage(MessageType::kEnded, &list, sizeof list.header + list.header.count * sizeof(protocol::Survivor));
}

}  // namespace bashward::supervisor
