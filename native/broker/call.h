// A notified system call with its arguments in one form, whichever of its many variants was made.
#ifndef BASHWARD_BROKER_CALL_H_
#define BASHWARD_BROKER_CALL_H_

#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "broker/caller_memory.h"
#include "process/control_protocol.h"

namespace bashward::broker {

// What the caller names, as numbers and addresses: nothing of it has been looked at.
struct Named {
  // By a descriptor alone, or else by a path.
  bool by_descriptor;
  // A descriptor without a path must be open, and O_PATH is not: EBADF.
  bool must_be_open;
  bool follow;        // a symbolic link at the end
  bool may_be_empty;  // AT_EMPTY_PATH
  int directory;      // or the descriptor
  uint64_t path;
};

inline constexpr size_t kMaxName = 255;  // of an attribute
inline constexpr size_t kMaxValue = 64 * 1024;

struct Call {
  protocol::Operation operation;
  Named named;
  uint32_t mode;
  uint32_t user;  // UINT32_MAX: as it is
  uint32_t group;
  bool now;  // instead of the times
  timespec times[2];
  char name[kMaxName + 1];
  const char* value;  // until the next call is taken
  size_t value_size;
  int attribute_flags;
  int64_t length;
  uint64_t size_limit;  // RLIMIT_FSIZE of the caller, or a lower one of the broker
};

// Copies what the call has in the caller's memory, but for its path: 0, or what the kernel would return for
// it (-errno). `done` is set when it has nothing to do, and 0 is the answer; then nothing else is.
int TakeCall(const seccomp_data& data, CallerMemory& memory, Call* call, bool* done);

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_CALL_H_
