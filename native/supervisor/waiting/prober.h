// Looks at who waits for a terminal in a thread of its own, so that nothing it looks at can hold up the
// supervisor. A thread and not a process: where Yama lets only ancestors look into a process, the kernel
// compares thread groups.
#ifndef BASHWARD_SUPERVISOR_WAITING_PROBER_H_
#define BASHWARD_SUPERVISOR_WAITING_PROBER_H_

#include <stdint.h>

#include "supervisor/waiting/judge.h"
#include "sys/unique_fd.h"

namespace bashward::supervisor {

// One for each process. The thread is made with the first question.
class Prober {
 public:
  // A look that takes longer hangs, and is the last one.
  static constexpr uint64_t kPatienceMs = 2'000;

  // The descriptors must outlive the process.
  Prober(int master, int slave) : master_(master), slave_(slave) {}
  Prober(const Prober&) = delete;
  Prober& operator=(const Prober&) = delete;

  // Has it looked. False when it cannot, or hangs.
  bool Ask(pid_t shell);
  bool is_asked() const { return asked_at_ms_ != 0; }
  // What a look that is asked for now would answer.
  uint64_t asked_at_ms() const { return asked_at_ms_; }
  // Readable when there is an answer; -1: never.
  int answered_fd() const { return answered_fd_.get(); }
  // False when there is none yet.
  bool TakeAnswer(Judgement* judgement);
  bool failed() const { return failed_; }
  // Whether nothing more can be asked. `now_ms`: it may just have taken too long.
  bool HasFailed(uint64_t now_ms);

 private:
  static int Run(void* prober);
  bool Start(pid_t shell);

  const int master_;
  const int slave_;
  bool started_ = false;
  bool failed_ = false;
  uint64_t asked_at_ms_ = 0;  // 0: nothing is asked
  sys::UniqueFd answered_fd_;
  uint32_t asked_ = 0;  // counts; a futex
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WAITING_PROBER_H_
