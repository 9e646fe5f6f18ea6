// Watched paths on file systems that may not answer (NFS, FUSE, an automounter), looked at by a thread that
// nobody has to wait for.
#ifndef BASHWARD_SUPERVISOR_FAR_WATCH_H_
#define BASHWARD_SUPERVISOR_FAR_WATCH_H_

#include <stdint.h>

#include "sandbox/writable_roots.h"
#include "supervisor/watched_paths.h"
#include "sys/thread.h"
#include "sys/unique_fd.h"

namespace bashward::supervisor {

// Large, as WatchedPaths.
class FarWatch {
 public:
  // How long it is waited for, beside a few seconds.
  enum class Until { kLate, kHostSpeaks };

  // Before the command starts: as WatchedPaths::Record. Waits no longer than a few seconds, and not when the
  // host has something to say.
  void Record(const sandbox::WritableRoots& roots, const char* watched, uint32_t count, WatchScope scope);
  // After its last process has ended: whether all has been looked at again. Where the thread did not come to
  // an end before, nothing is known. It can be called again, as WatchedPaths::FindChanges.
  bool FindChanges(Until until);

  // After FindChanges().
  WatchedPaths& paths() { return paths_; }

 private:
  static int Run(void* watch);
  // In the thread: from now on it has descriptors of its own, of which it needs few.
  void LeaveDescriptors();
  // The first of those above `last`; INT_MAX when there is none.
  int NextNeeded(int last) const;
  void Finish(uint32_t look);
  bool WaitFor(uint32_t look, Until until);

  bool keeps_up_ = false;
  const sandbox::WritableRoots* roots_ = nullptr;
  const char* watched_ = nullptr;
  uint32_t count_ = 0;
  WatchScope scope_;
  // Looks are counted, Record() is the first.
  sys::UniqueFd finished_fd_;  // readable when one has been finished
  uint32_t finished_ = 0;
  uint32_t asked_ = 1;  // a futex
  WatchedPaths paths_;  // the thread's while it works
  alignas(16) char stack_[sys::kThreadStackSize];
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_FAR_WATCH_H_
