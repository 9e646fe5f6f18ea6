// What one thread is doing, as far as it matters to who waits for a terminal.
#ifndef BASHWARD_SUPERVISOR_WAITING_THREAD_LOOK_H_
#define BASHWARD_SUPERVISOR_WAITING_THREAD_LOOK_H_

#include "supervisor/waiting/waited_set.h"

namespace bashward::supervisor {

struct ThreadLook {
  enum class Kind {
    kEnded,
    kRunning,
    kReads,    // the terminal, until something comes
    kWatches,  // the terminal, for some time or beside something else
    kRelays,   // the terminal, and a network or a terminal of its own: what is typed goes elsewhere
    kStopped,
    kHidden,  // it may not be looked into
    kChild,   // waits for the end of another process
    kFutex,   // waits for another thread
    kSleep,
    kNetwork,
    kLock,
    kPipe,
    kListen,
    kDisk,
    kOther,
  };
  Kind kind;
  ThreadStat stat;
  long call;          // the number of its system call; -1: none
  InnerMaster inner;  // of those that it waits for
  bool wants;  // of one that was stopped: it was about to use the terminal, as one in the background may not
};

// `started`: the process, as ThreadStat has it.
ThreadLook LookAtThread(pid_t pid, uint64_t started, pid_t thread, const TtyTarget& target,
                        LookBudget* budget);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WAITING_THREAD_LOOK_H_
