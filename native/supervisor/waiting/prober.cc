#include "supervisor/waiting/prober.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/clock.h"
#include "sys/process_stat.h"
#include "sys/raw_call.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

namespace bashward::supervisor {
namespace {

using sys::RawCall;

constexpr int kCloseOnExec = 02000000;  // EFD_CLOEXEC
constexpr int kNonBlocking = 04000;     // EFD_NONBLOCK
constexpr uint64_t kNever = ~uint64_t{0};

bool CloseRange(int first, int last) {
  return first > last || RawCall(SYS_close_range, first, last, 0) == 0;
}

// Of the table of the calling thread.
void CloseAllBut(int one, int other) {
  const int low = one < other ? one : other;
  const int high = one < other ? other : one;
  constexpr int kLast = 0x7fffffff;
  if (CloseRange(0, low - 1) && CloseRange(low + 1, high - 1) && CloseRange(high + 1, kLast)) return;
  // Before Linux 5.9, or refused.
  const broker::kernel::Descriptor directory =
      broker::kernel::OpenOwn("/proc/thread-self/fd", O_RDONLY | O_DIRECTORY);
  if (!directory.valid()) return;
  sys::VisitEntries(directory.get(), [&](const sys::DirectoryEntry& entry) {
    const char* name = entry.name;
    if (!util::IsDigit(*name)) return true;
    const int fd = static_cast<int>(util::TakeNumber(&name));
    if (fd != low && fd != high && fd != directory.get()) RawCall(SYS_close, fd);
    return true;
  });
}

}  // namespace

bool Prober::Start(pid_t shell) {
  if (!DescribeTerminal(master_, slave_, shell, &terminal_)) return false;
  if (!answered_fd_.valid()) {
    answered_fd_.reset(static_cast<int>(syscall(SYS_eventfd2, 0, kCloseOnExec | kNonBlocking)));
  }
  started_ = answered_fd_.valid() && sys::StartThreadWithOwnDescriptors(&Prober::Run, this, stack_);
  return started_;
}

int Prober::Run(void* prober) {
  auto* const self = static_cast<Prober*>(prober);
  CloseAllBut(self->slave_, self->answered_fd_.get());
  for (uint32_t answered = 0;;) {
    while (__atomic_load_n(&self->asked_, __ATOMIC_ACQUIRE) == answered) {
      RawCall(SYS_futex, &self->asked_, FUTEX_WAIT_PRIVATE, answered, nullptr);
    }
    self->answer_ = Judge(self->terminal_, self->foreground_, self->others_);
    __atomic_store_n(&self->answered_, ++answered, __ATOMIC_RELEASE);
    const uint64_t one = 1;
    RawCall(SYS_write, self->answered_fd_.get(), &one, sizeof one);
  }
}

bool Prober::Ask(pid_t shell, bool others) {
  if (is_asked()) return true;
  const uint64_t now = sys::NowMs();
  if (now < retry_at_ms_) return false;
  // In the /proc of another PID namespace the numbers mean other processes. It may be mounted at any time.
  if (!sys::ShowsOwnProcesses() || !(started_ || Start(shell))) {
    retry_pause_ms_ = retry_pause_ms_ == 0 ? kFirstRetryMs : 2 * retry_pause_ms_;
    if (retry_pause_ms_ > kLastRetryMs) retry_pause_ms_ = kLastRetryMs;
    retry_at_ms_ = now + retry_pause_ms_;
    return false;
  }
  retry_at_ms_ = 0;
  retry_pause_ms_ = 0;
  asked_at_ms_ = now;
  // By this thread, as the other one has no master: it would keep the terminal if it hung.
  foreground_ = ForegroundGroup(master_);
  others_ = others;
  __atomic_add_fetch(&asked_, 1, __ATOMIC_RELEASE);
  RawCall(SYS_futex, &asked_, FUTEX_WAKE_PRIVATE, 1);
  return true;
}

bool Prober::TakeAnswer(Judgement* judgement) {
  if (!is_asked()) return false;
  // It may still be readable for the last answer, which was taken before that was written.
  uint64_t count = 0;
  RawCall(SYS_read, answered_fd_.get(), &count, sizeof count);
  if (__atomic_load_n(&answered_, __ATOMIC_ACQUIRE) != asked_) return false;
  *judgement = answer_;
  asked_at_ms_ = 0;
  return true;
}

bool Prober::IsBlind(uint64_t now_ms) const {
  return retry_at_ms_ != 0 || (is_asked() && now_ms >= asked_at_ms_ + kPatienceMs);
}

uint64_t Prober::NextDeadlineMs(uint64_t next_look_ms) const {
  if (!is_asked()) return next_look_ms > retry_at_ms_ ? next_look_ms : retry_at_ms_;
  return IsBlind(sys::NowMs()) ? kNever : asked_at_ms_ + kPatienceMs;
}

}  // namespace bashward::supervisor
