#include "supervisor/waiting/prober.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <new>

#include "sys/clock.h"
#include "sys/raw_call.h"
#include "sys/thread.h"

namespace bashward::supervisor {
namespace {

using sys::RawCall;

constexpr int kCloseOnExec = 02000000;  // EFD_CLOEXEC
constexpr int kNonBlocking = 04000;     // EFD_NONBLOCK

// Static, as the thread outlives whatever has asked it.
alignas(16) char stack[sys::kThreadStackSize];
alignas(JudgedTerminal) char terminal_memory[sizeof(JudgedTerminal)];
JudgedTerminal* terminal;
Judgement answer;  // the thread's, from a question to its answer

}  // namespace

bool Prober::Start(pid_t shell) {
  terminal = new (terminal_memory) JudgedTerminal{-1, -1, 0, 0, TtyTarget::Within(0)};
  if (!DescribeTerminal(master_, slave_, shell, terminal)) return false;
  answered_fd_.reset(static_cast<int>(syscall(SYS_eventfd2, 0, kCloseOnExec | kNonBlocking)));
  return answered_fd_.valid() && sys::StartThread(&Prober::Run, this, stack);
}

int Prober::Run(void* prober) {
  auto* const self = static_cast<Prober*>(prober);
  for (uint32_t answered = 0;; ++answered) {
    while (__atomic_load_n(&self->asked_, __ATOMIC_ACQUIRE) == answered) {
      RawCall(SYS_futex, &self->asked_, FUTEX_WAIT_PRIVATE, answered, nullptr);
    }
    answer = Judge(*terminal);
    const uint64_t one = 1;
    RawCall(SYS_write, self->answered_fd_.get(), &one, sizeof one);
  }
}

bool Prober::Ask(pid_t shell) {
  if (failed_) return false;
  if (!started_) {
    started_ = true;
    failed_ = !Start(shell);
    if (failed_) return false;
  }
  if (is_asked()) return true;
  asked_at_ms_ = sys::NowMs();
  __atomic_add_fetch(&asked_, 1, __ATOMIC_RELEASE);
  RawCall(SYS_futex, &asked_, FUTEX_WAKE_PRIVATE, 1);
  return true;
}

bool Prober::TakeAnswer(Judgement* judgement) {
  uint64_t count = 0;
  if (!is_asked() || RawCall(SYS_read, answered_fd_.get(), &count, sizeof count) != sizeof count)
    return false;
  *judgement = answer;
  asked_at_ms_ = 0;
  return true;
}

bool Prober::HasFailed(uint64_t now_ms) {
  if (is_asked() && now_ms >= asked_at_ms_ + kPatienceMs) failed_ = true;
  return failed_;
}

}  // namespace bashward::supervisor
