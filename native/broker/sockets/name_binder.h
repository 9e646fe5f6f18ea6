// Gives Unix sockets their names. A name is what others see of a socket (getsockname(2)), so it has to be the
// one that the caller wrote, which can lead elsewhere a moment after it was looked at. So a thread binds that
// Landlock keeps from making sockets anywhere but beneath the writable roots. Only that thread: one so
// confined cannot look into the processes of the command.
#ifndef BASHWARD_BROKER_SOCKETS_NAME_BINDER_H_
#define BASHWARD_BROKER_SOCKETS_NAME_BINDER_H_

#include <stddef.h>
#include <stdint.h>

#include "sandbox/writable_roots.h"
#include "sys/thread.h"

namespace bashward::broker {

class NameBinder {
 public:
  struct Request {
    int socket;
    int directory;  // O_PATH: where relative names begin
    uint32_t mask;  // umask(2)
    const void* address;
    size_t size;
  };

  // What bind(2) says: 0 or -errno. Starts the thread when it is needed for the first time.
  int Bind(const Request& request, const sandbox::WritableRoots& roots);

 private:
  enum State : uint32_t { kNotStarted, kAsked, kAnswered };

  static int Run(void* binder);
  static long Confine(const sandbox::WritableRoots& roots);
  static long Carry(const Request& request);
  void WaitFor(uint32_t wanted);
  void Set(uint32_t state);

  uint32_t state_ = kNotStarted;  // a futex
  const Request* request_ = nullptr;
  const sandbox::WritableRoots* roots_ = nullptr;
  long result_ = 0;
  alignas(16) char stack_[sys::kThreadStackSize];
};

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_NAME_BINDER_H_
