// Takes secrets that a person has typed out of what a job prints: a program may show them after all, and the
// kernel does where a program has switched ECHO on before it has read.
//
// They are found as they were typed. They have no control characters, which an echo would show as ^X.
#ifndef BASHWARD_SUPERVISOR_TERMINAL_SECRET_FILTER_H_
#define BASHWARD_SUPERVISOR_TERMINAL_SECRET_FILTER_H_

#include <stddef.h>
#include <stdint.h>

#include "supervisor/terminal/secret_memory.h"

namespace bashward::supervisor {

struct Shown {
  const char* bytes;
  size_t size;
};

// One for each process: what it shows is static memory.
class SecretFilter {
 public:
  // Shorter ones are not looked for: they are in much that is no secret.
  static constexpr size_t kMinSize = 4;
  // For so long is held back what may be the beginning of one.
  static constexpr uint64_t kHoldMs = 300;

  SecretFilter() = default;
  SecretFilter(const SecretFilter&) = delete;
  SecretFilter& operator=(const SecretFilter&) = delete;

  // From now on it is looked for, until Forget(). 0, or why that cannot be, an errno.
  int Add(const char* secret, size_t size);
  // What of the output may be shown; at most SecretMemory::kMaxRead bytes at a time. Valid until the next
  // call.
  Shown Apply(const char* bytes, size_t size);
  // Nothing has followed for a while: what is held back, or what stands for it. It still counts as the
  // beginning.
  Shown Release();
  void Forget();

  bool is_armed() const { return memory_ != nullptr; }
  // Whether there is something to be released.
  bool holds() const { return held_ > shown_; }

 private:
  struct Match {
    size_t complete;  // bytes of the longest secret that begins here; 0: none
    bool may_come;    // what there is may be the beginning of a longer one
  };

  Match MatchAt(const char* bytes, size_t size) const;

  SecretMemory* memory_ = nullptr;
  size_t known_ = 0;          // bytes in use of `known`
  bool may_begin_[256] = {};  // with this byte
  size_t held_ = 0;         // bytes at the beginning of the window: each secret that they begin is unsure yet
  size_t shown_ = 0;        // of them, as they are or by a mark
  bool is_marked_ = false;  // the mark stands for what is held
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_TERMINAL_SECRET_FILTER_H_
