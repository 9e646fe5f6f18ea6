// Starting the supervisor of one command.
#ifndef BASHWARD_PROCESS_LAUNCH_H_
#define BASHWARD_PROCESS_LAUNCH_H_

#include <sys/types.h>

#include <string>

#include "process/control_protocol.h"
#include "sys/unique_fd.h"

namespace bashward::process {

// The host's ends of what connects it to a supervisor.
struct Supervisor {
  pid_t pid = 0;
  sys::UniqueFd pidfd;
  sys::UniqueFd control;    // stream socket, see control_protocol.h
  sys::UniqueFd output[2];  // read ends, non-blocking; the second only for separate streams
  sys::UniqueFd state;      // of a session: what its shell writes its state to
};

struct LaunchOptions {
  const std::string& path;  // of the supervisor's executable
  int null_fd;              // /dev/null
  bool separate_streams;
  bool session;
  int ruleset;  // or -1
  int input;    // what the command reads; or -1
};

struct LaunchFailure {
  protocol::Step step = protocol::Step::kNone;  // kNone: it runs
  int error = 0;
};

// Starts supervisors. From one thread only: the children run on a shared stack.
class Launcher {
 public:
  // Starts one, from a copy of its file in memory where possible, with the descriptors that
  // control_protocol.h describes, an empty environment and every signal blocked. Blocks until it has been
  // executed.
  LaunchFailure Launch(const LaunchOptions& options, Supervisor* out);

 private:
  LaunchFailure Start(const LaunchOptions& options, int program, Supervisor* out);

  // Whether the copy in memory may not be executed here, so that files are.
  bool copy_refused_ = false;
};

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_LAUNCH_H_
