// The thread that answers the system calls which the filter of a command with writable roots does not decide:
// changes of modes, owners, times and attributes (seccomp_unotify(2)). Those about sockets it hands over to a
// thread of their own.
//
// A thread of the supervisor and not a process beside it: where Yama lets only an ancestor read a process's
// memory (ptrace_scope 1), the kernel compares thread groups. The main thread never waits for it, so a file
// system that hangs holds up these calls of one command, and neither its timeout nor its end.
//
// It has the host's identity. As root it gives up all capabilities but those that these calls take.
#ifndef BASHWARD_BROKER_BROKER_H_
#define BASHWARD_BROKER_BROKER_H_

#include <stdint.h>

#include "broker/denial_log.h"
#include "broker/sockets/socket_thread.h"
#include "process/control_protocol.h"
#include "sandbox/writable_roots.h"
#include "sys/thread.h"
#include "sys/unique_fd.h"

namespace bashward::broker {

class Broker {
 public:
  // Starts the thread. `roots` must outlive the process. False with the step that failed.
  bool Start(sandbox::WritableRoots* roots, protocol::Failed* failure);

  // From the child that has installed the filter, while it shares this process's memory and descriptors: the
  // thread answers from now on.
  void Serve(int listener);

  // The thread has given up: nothing answers any more, and nothing is let through.
  bool ended() const { return __atomic_load_n(&ended_, __ATOMIC_ACQUIRE) != 0; }
  // Why, once it has: an error number.
  int error() const { return error_; }
  // Readable once it has.
  int ended_fd() const { return ended_fd_.get(); }

  const DenialLog& denials() const { return denials_; }
  // From now on denials_fd() becomes readable with each; false where no descriptor is left.
  bool WatchDenials();
  int denials_fd() const { return denials_fd_.get(); }
  // For what others refuse the command.
  DenialLog& denials() { return denials_; }

  // Gets its rules before the command starts.
  SocketThread sockets;

 private:
  static int Run(void* broker);
  // Returns the error that ended it.
  int Loop();
  // The listener, once there is another than `former`; -1 for none.
  int WaitForListener(int former);

  sandbox::WritableRoots* roots_ = nullptr;
  DenialLog denials_;
  sys::UniqueFd ended_fd_;
  sys::UniqueFd denials_fd_;
  int error_ = 0;
  uint32_t ended_ = 0;
  // The descriptor plus one; 0: none yet. A futex.
  uint32_t listener_ = 0;
  alignas(16) char stack_[sys::kThreadStackSize];
};

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_BROKER_H_
