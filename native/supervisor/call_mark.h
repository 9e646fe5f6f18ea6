// The mark of a call that may start once: a file whose name is the call's, made before the shell is. Who
// comes second finds it there, and does not start.
//
// Bytes 0 to 511: what the host says of the call, a line. From byte 512 on: a line that says how it came to
// its end. From byte 1024 on: its result, which the host adds. Both ends of the control socket share a lock
// on it (F_OFD_SETLK), which tells that the call goes on, also to other PID namespaces: the supervisor until
// it has recorded the end, the host until it has kept the result. lib/commands/calls/mark.ts reads it.
#ifndef BASHWARD_SUPERVISOR_CALL_MARK_H_
#define BASHWARD_SUPERVISOR_CALL_MARK_H_

#include <stddef.h>
#include <stdint.h>

#include "process/control_protocol.h"

namespace bashward::supervisor {

class CallMark {
 public:
  static constexpr size_t kSize = 1024;
  static constexpr size_t kEndAt = 512;

  enum class End {
    kEnded,       // the shell has ended, by itself or by a limit
    kTimedOut,    // it was killed by the host for this
    kCancelled,   // likewise
    kHostGone,    // it was killed as the host had ended
    kNotStarted,  // a later step failed
    kBackground,  // it runs as a job
  };

  // `text` is the host's line, a line break and the absolute path; empty: there is none. It must outlive the
  // mark.
  explicit CallMark(const char* text) : text_(text) {}
  CallMark(const CallMark&) = delete;
  CallMark& operator=(const CallMark&) = delete;

  bool is_wanted() const { return *text_ != '\0'; }
  // Nothing is there under its name before it is complete and locked. False with EEXIST: it is there already.
  // With `durable` it survives a loss of power from here on.
  bool Make(bool durable, protocol::Failed* failure);
  // -1 before it is made, and once its end is recorded.
  int fd() const { return fd_; }
  // Its blocks are there: a full disk keeps none of this. `job` is the directory of the job, or null.
  void Record(End end, int wait_status, int error, const char* job = nullptr);

 private:
  // A file without a name; or, unless `named` is null, with one of its own, which is put there. 0, or errno.
  int Open(const char* path, char* named, size_t size);
  // Completes it, and gives it its name.
  int Link(const char* path, const char* named);

  const char* text_;
  int fd_ = -1;
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_CALL_MARK_H_
