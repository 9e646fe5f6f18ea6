#include "process/launch_gate.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cstdio>

namespace bashward::process {
namespace {

// With 64 commands in flight on two processors, ten keep the largest delay of the event loop at 5 ms instead
// of 19 and cost 1 % of the commands a second; six cost 11 %: processors then wait for the next command.
constexpr size_t kRunnablePerProcessor = 10;

size_t CountProcessors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<size_t>(CPU_COUNT(&set)) : 1;
}

}  // namespace

LaunchGate::LaunchGate(const char* load_file, size_t processors)
    : processors_(processors != 0 ? processors : CountProcessors()),
      load_(open(load_file, O_RDONLY | O_CLOEXEC)) {}

bool LaunchGate::IsOpen(size_t running) {
  const size_t limit = kRunnablePerProcessor * processors_;
  if (running < limit || !load_.valid()) return true;
  char text[128];
  const ssize_t size = pread(load_.get(), text, sizeof text - 1, 0);
  if (size <= 0) return true;
  text[size] = '\0';
  // Behind three averages: threads that run or are ready to, this one among them, of all threads
  // (proc_loadavg(5)).
  size_t runnable = 0;
  return sscanf(text, "%*s %*s %*s %zu/", &runnable) != 1 || runnable <= limit;
}

}  // namespace bashward::process
