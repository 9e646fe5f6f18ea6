// How many commands are started at once. Each start is a millisecond of work for a processor: of sixty-four
// at a time, every thread of the host would wait behind dozens of them.
#ifndef BASHWARD_PROCESS_LAUNCH_GATE_H_
#define BASHWARD_PROCESS_LAUNCH_GATE_H_

#include <cstddef>
#include <string>

#include "sys/unique_fd.h"

namespace bashward::process {

class LaunchGate {
 public:
  // For tests: another file, and another number of processors.
  explicit LaunchGate(const char* load_file = "/proc/loadavg", size_t processors = 0);

  // Whether one more may start beside `running` others. Commands that wait for something do not count: what
  // matters is how many threads of the machine want a processor now. Open where that cannot be told.
  bool IsOpen(size_t running);

 private:
  size_t processors_;
  sys::UniqueFd load_;
};

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_LAUNCH_GATE_H_
