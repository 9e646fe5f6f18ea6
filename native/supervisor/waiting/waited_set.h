// The descriptors that a thread waits for with poll(2), select(2) and epoll(7), and what they are.
#ifndef BASHWARD_SUPERVISOR_WAITING_WAITED_SET_H_
#define BASHWARD_SUPERVISOR_WAITING_WAITED_SET_H_

#include <stdint.h>
#include <sys/types.h>

#include "supervisor/waiting/proc_text.h"
#include "supervisor/waiting/tty_target.h"
#include "supervisor/waiting/waited_call.h"

namespace bashward::supervisor {

// The master of a terminal that a program has made itself.
struct InnerMaster {
  pid_t pid;  // 0: none
  int fd;
  uint64_t started;  // that process, as ThreadStat has it
};

// Of those from which there would be something to read.
struct WaitedSet {
  bool known;    // false: what it waits for could not be read
  bool limited;  // it waits for some time only
  uint32_t members;
  uint32_t terminals;  // that is asked about
  uint32_t sockets;    // whose other end is another process, or is not known
  uint32_t listeners;
  uint32_t pipes;
  InnerMaster inner;
};

// Whoever looks: the process, its controlling terminal, and the one that is asked about.
struct Viewed {
  pid_t pid;
  uint64_t started;  // the process, as ThreadStat has it
  uint32_t controlling;
  const TtyTarget& target;
};

// A copy of a descriptor of the process that has this number and this start time: the number may have become
// another one's meanwhile.
broker::kernel::Descriptor CopyDescriptor(pid_t pid, uint64_t started, int fd);

// `call` is one of those. Not recursive: epoll descriptors may contain each other.
WaitedSet ReadWaitedSet(const Viewed& viewed, WaitedCall call, const uint64_t* arguments, LookBudget* budget);
// Adds one descriptor that is waited for by itself, as of read(2).
void AddToSet(const Viewed& viewed, int fd, LookBudget* budget, WaitedSet* set);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WAITING_WAITED_SET_H_
