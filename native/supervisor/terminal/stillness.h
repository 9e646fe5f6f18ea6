// For how long a judgement has to hold before it counts, and when to look again.
#ifndef BASHWARD_SUPERVISOR_TERMINAL_STILLNESS_H_
#define BASHWARD_SUPERVISOR_TERMINAL_STILLNESS_H_

#include <stdint.h>

#include "supervisor/waiting/judge.h"

namespace bashward::supervisor {

// Whether it means that input is waited for, once it has held for so long. `likely`: the screen looks like
// it.
bool WaitsForInput(const Judgement& judgement, bool likely);

class Stillness {
 public:
  // All times are of the monotonic clock, in milliseconds.
  explicit Stillness(uint64_t now) : output_at_(now) {}

  void OnOutput(uint64_t now);
  // Somebody has typed, or begins to wait: what was seen before does not count. `asked`: nor does the next
  // judgement, as it was asked for before.
  void OnInput(uint64_t now, bool asked);
  // Somebody wants to know by then, whatever was seen before.
  void LookAt(uint64_t time) { next_look_ = wanted_at_ = time; }
  void OnJudgement(uint64_t asked_at, uint64_t now, const Judgement& judgement, bool likely);

  // When to look next.
  uint64_t next_look() const { return next_look_; }
  uint64_t output_at() const { return output_at_; }
  // Whether the last judgement says that input is waited for, and has held for long enough.
  bool IsSettled(uint64_t now) const;

 private:
  uint64_t SettledAt() const;

  uint64_t output_at_;
  uint64_t next_look_ = 0;
  uint64_t last_look_ = 0;
  uint64_t unseen_since_ = 0;  // the first output after it; 0: none
  uint64_t since_ = 0;         // when this judgement was first made
  uint64_t wanted_at_ = 0;     // a look that somebody wants; 0: none
  bool outdated_ = false;      // the judgement that is to come
  bool known_ = false;
  bool waits_ = false;
  bool likely_ = false;
  Judgement last_{};
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_TERMINAL_STILLNESS_H_
