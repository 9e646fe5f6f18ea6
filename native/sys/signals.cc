#include "sys/signals.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

namespace bashward::sys {
namespace {

KernelSignalSet ExchangeSignalMask(KernelSignalSet blocked) {
  KernelSignalSet previous = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &blocked, &previous, sizeof blocked);
  return previous;
}

int RefuseSignal() {
  errno = EPERM;
  return -1;
}

}  // namespace

SignalBlock::SignalBlock(KernelSignalSet blocked) : previous_(ExchangeSignalMask(blocked)) {}
SignalBlock::~SignalBlock() {
  SetSignalMask(previous_);
}

void SetSignalMask(KernelSignalSet blocked) {
  ExchangeSignalMask(blocked);
}

void ResetSignalDispositions() {
  // The zeroed kernel struct sigaction means SIG_DFL on every architecture; the C library's own function
  // refuses the two signals it keeps for itself.
  const uint64_t default_action[4] = {};
  for (int signal = 1; signal <= 64; ++signal) {
    if (signal == SIGKILL || signal == SIGSTOP) continue;
    syscall(SYS_rt_sigaction, signal, default_action, nullptr, sizeof(KernelSignalSet));
  }
}

int SignalProcess(pid_t pid, int signal) {
  return pid > 1 ? kill(pid, signal) : RefuseSignal();
}

int SignalGroup(pid_t group, int signal) {
  return group > 1 ? kill(-group, signal) : RefuseSignal();
}

int OpenPidfd(pid_t pid) {
  return static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
}

int SignalPidfd(int pidfd, int signal) {
  return static_cast<int>(syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0));
}

int SignalPidfdGroup(int pidfd, int signal) {
  constexpr unsigned kProcessGroup = 1U << 2;  // PIDFD_SIGNAL_PROCESS_GROUP
  return static_cast<int>(syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, kProcessGroup));
}

}  // namespace bashward::sys
