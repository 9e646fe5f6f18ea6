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

// The system call itself: the C libraries do not agree on the type of a resource.
bool Set(uint32_t resource, uint64_t soft, uint64_t hard) {
  const rlimit limit{soft, hard};
  return syscall(SYS_prlimit64, 0, resource, &limit, nullptr) == 0;
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
    // For core dumps 1 is less than 0, see CheckSetrlimit: raises the limit to 1 where it may.
    if (wanted.resource == RLIMIT_CORE && Set(wanted.resource, wanted.soft, wanted.hard)) continue;
    rlimit limit{};
    if (syscall(SYS_prlimit64, 0, wanted.resource, nullptr, &limit) != 0) return false;
    const uint64_t hard = wanted.hard < limit.rlim_max ? wanted.hard : limit.rlim_max;
    if (!Set(wanted.resource, wanted.soft < hard ? wanted.soft : hard, hard)) return false;
  }
  return true;
}

}  // namespace bashward::sandbox
