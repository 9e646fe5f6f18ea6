// Reading the memory of the process whose system call is to be answered. Another of its threads can write
// there at any moment, so everything is copied once and used from the copy.
#ifndef BASHWARD_BROKER_CALLER_MEMORY_H_
#define BASHWARD_BROKER_CALLER_MEMORY_H_

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "broker/kernel.h"

namespace bashward::broker {

class CallerMemory {
 public:
  // The number of the calling thread, in the broker's own PID namespace.
  explicit CallerMemory(pid_t thread) : thread_(thread) {}

  pid_t thread() const { return thread_; }

  // 0 or -errno; -EFAULT where there is no such memory, -EPERM where it may not be read.
  int Read(uint64_t address, void* buffer, size_t size);
  // A text and its NUL: its length, or -errno; -ENAMETOOLONG when the buffer is too small for it.
  int ReadText(uint64_t address, char* buffer, size_t size);

 private:
  // At most `size` bytes: how many there were, at least one, or -errno.
  long ReadSome(uint64_t address, void* buffer, size_t size);
  long ReadFile(uint64_t address, void* buffer, size_t size);

  const pid_t thread_;
  kernel::Descriptor file_;  // where process_vm_readv(2) is refused
};

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_CALLER_MEMORY_H_
