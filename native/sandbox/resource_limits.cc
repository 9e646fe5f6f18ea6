#include "sandbox/resource_limits.h"

#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/process_stat.h"
#include "util/text.h"

namespace bashward::sandbox {
namespace {

constexpr uint64_t kProcessesFloor = 4096;

// Processes and threads of the whole system, which is no fewer than those of the user. The fourth field of
// /proc/loadavg: "0.20 0.18 0.12 1/80 11206", see proc_loadavg(5).
uint64_t CountThreads() {
  char text[128];
  const size_t length = sys::ReadSmallFile("/proc/loadavg", text, sizeof text - 1);
  text[length] = '\0';
  const char* position = text;
  while (*position != '\0' && *position != '/') ++position;
  if (*position == '/') ++position;
  return util::TakeNumber(&position);
}

uint64_t OnTopOf(uint64_t present, uint64_t additional) {
  if (additional > RLIM_INFINITY - present) return RLIM_INFINITY;
  const uint64_t sum = present + additional;
  return sum > kProcessesFloor ? sum : kProcessesFloor;
}

}  // namespace

bool ApplyLimits(const protocol::Request& request) {
  for (uint32_t i = 0; i < request.limit_count; ++i) {
    protocol::Limit wanted = request.limits[i];
    if (wanted.resource == RLIMIT_NPROC) {
      const uint64_t present = CountThreads();
      wanted.soft = OnTopOf(present, wanted.soft);
      wanted.hard = OnTopOf(present, wanted.hard);
    }
    rlimit limit{};
    // The system call itself: the C libraries do not agree on the type of a resource.
    if (syscall(SYS_prlimit64, 0, wanted.resource, nullptr, &limit) != 0) return false;
    if (wanted.hard < limit.rlim_max) limit.rlim_max = wanted.hard;
    limit.rlim_cur = wanted.soft < limit.rlim_max ? wanted.soft : limit.rlim_max;
    if (syscall(SYS_prlimit64, 0, wanted.resource, &limit, nullptr) != 0) return false;
  }
  return true;
}

}  // namespace bashward::sandbox
