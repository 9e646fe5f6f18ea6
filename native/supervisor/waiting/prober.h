// Looks at who waits for a terminal in a thread of its own, so that nothing it looks at can hold up the
// supervisor. A thread and not a process: where Yama lets only ancestors look into a process, the kernel
// compares thread groups.
//
// A look that hangs (proc_text.h says by what it might) hangs alone. As long as it does, what the terminal
// waits for is not known; when it comes back, looks go on. A supervisor that ends meanwhile does everything
// that it has to, and all its descriptors but those of this thread are closed: hosts see the end of its
// connections, and that the job's file is not locked any more. Only its number stays, as a zombie's, until
// the file system answers or is cut off (`/sys/fs/fuse/connections/N/abort`). No host waits for that.
#ifndef BASHWARD_SUPERVISOR_WAITING_PROBER_H_
#define BASHWARD_SUPERVISOR_WAITING_PROBER_H_

#include <stdint.h>

#include "supervisor/waiting/judge.h"
#include "sys/thread.h"
#include "sys/unique_fd.h"

namespace bashward::supervisor {

// One for each process. The thread is made with the first question, and uses this as long as the process
// lives.
class Prober {
 public:
  // A look that takes longer hangs.
  static constexpr uint64_t kPatienceMs = 2'000;
  // After a look that could not be begun, the next one is tried so much later, and each time twice as late.
  static constexpr uint64_t kFirstRetryMs = 50;
  static constexpr uint64_t kLastRetryMs = 10'000;

  // The descriptors must outlive the process.
  Prober(int master, int slave) : master_(master), slave_(slave) {}
  Prober(const Prober&) = delete;
  Prober& operator=(const Prober&) = delete;

  // Has it looked, also for others who read. False when that cannot be begun now.
  bool Ask(pid_t shell, bool others = false);
  bool is_asked() const { return asked_at_ms_ != 0; }
  // What a look that is asked for now would answer.
  uint64_t asked_at_ms() const { return asked_at_ms_; }
  // Readable when there is an answer; -1: never.
  int answered_fd() const { return answered_fd_.get(); }
  // False when there is none yet.
  bool TakeAnswer(Judgement* judgement);
  // Whether nothing is known at present: a look hangs, or none could be begun.
  bool IsBlind(uint64_t now_ms) const;
  // When there is something to do if the next look is wanted at that time; ~0: when there is an answer.
  uint64_t NextDeadlineMs(uint64_t next_look_ms) const;

 private:
  static int Run(void* prober);
  bool Start(pid_t shell);

  const int master_;
  const int slave_;
  bool started_ = false;
  uint64_t asked_at_ms_ = 0;     // 0: nothing is asked
  uint64_t retry_at_ms_ = 0;     // 0: the last look could be begun
  uint64_t retry_pause_ms_ = 0;  // before that
  sys::UniqueFd answered_fd_;
  // Of the thread, while it looks; what is asked and what is answered hand it over.
  JudgedTerminal terminal_{-1, 0, 0, TtyTarget::Within(0)};
  pid_t foreground_ = 0;
  bool others_ = false;
  Judgement answer_{};
  uint32_t asked_ = 0;     // counts; a futex
  uint32_t answered_ = 0;  // counts
  alignas(16) char stack_[sys::kThreadStackSize];
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WAITING_PROBER_H_
