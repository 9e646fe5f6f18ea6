// Signals: blocking them all around a clone, and sending them only to processes that can be ours.
#ifndef BASHWARD_SYS_SIGNALS_H_
#define BASHWARD_SYS_SIGNALS_H_

#include <sys/types.h>

#include <cstdint>

namespace bashward::sys {

// The kernel's signal set: 64 bits. The C library's functions leave out the signals it uses itself.
using KernelSignalSet = uint64_t;
inline constexpr KernelSignalSet kAllSignals = ~KernelSignalSet{0};
constexpr KernelSignalSet SignalSet(int signal) {
  return KernelSignalSet{1} << (signal - 1);
}
// What our threads block and leave to the host's threads: all but the signals that the C library sends to
// every thread and waits for (glibc 32 and 33, musl 34 too). A thread that blocked those would hang a
// setuid of the host for ever.
inline constexpr KernelSignalSet kHostSignals =
    kAllSignals & ~(SignalSet(32) | SignalSet(33) | SignalSet(34));

// Blocks signals in the calling thread for as long as it lives.
class SignalBlock {
 public:
  explicit SignalBlock(KernelSignalSet blocked = kAllSignals);
  ~SignalBlock();
  SignalBlock(const SignalBlock&) = delete;
  SignalBlock& operator=(const SignalBlock&) = delete;

 private:
  KernelSignalSet previous_ = 0;
};

void SetSignalMask(KernelSignalSet blocked);

// execve(2) keeps ignored signals ignored, and Node ignores SIGPIPE: a shell started so would never end
// `yes | head -1`.
void ResetSignalDispositions();

// kill(2) for one process or one group. A pid or group of 1 or less is refused with EPERM: kill(0), kill(-1)
// and kill(1) reach processes that are not ours.
int SignalProcess(pid_t pid, int signal);
int SignalGroup(pid_t group, int signal);

// Descriptors of processes, which stay with them when their numbers are given to others (pidfd_open(2)). -1
// with errno: ESRCH when the process is gone, or has been waited for.
int OpenPidfd(pid_t pid);
int SignalPidfd(int pidfd, int signal);
// The group that this process leads, also when it has been waited for and others are left of it. EINVAL
// before Linux 6.9.
int SignalPidfdGroup(int pidfd, int signal);

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_SIGNALS_H_
