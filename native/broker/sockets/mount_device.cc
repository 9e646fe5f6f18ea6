#include "broker/sockets/mount_device.h"

#include <fcntl.h>
#include <stddef.h>

#include "broker/kernel.h"
#include "util/text.h"

namespace bashward::broker {
namespace {

// Its beginning: "36 35 98:0 …", the mount's number, its parent's, and the device.
bool ParseLine(const char* line, uint64_t mount_id, uint32_t* device) {
  if (util::TakeNumber(&line) != mount_id || *line++ != ' ') return false;
  util::TakeNumber(&line);
  if (*line++ != ' ') return false;
  const auto device_major = static_cast<uint32_t>(util::TakeNumber(&line));
  if (*line++ != ':') return false;
  *device = EncodeKernelDevice(device_major, static_cast<uint32_t>(util::TakeNumber(&line)));
  return true;
}

}  // namespace

uint32_t FindMountDevice(uint64_t mount_id) {
  const kernel::Descriptor file = kernel::OpenOwn("/proc/thread-self/mountinfo", O_RDONLY);
  char beginning[64];
  size_t length = 0;
  char buffer[1024];
  for (;;) {
    const long count = kernel::Call(SYS_read, file.get(), buffer, sizeof buffer);
    if (count <= 0) return 0;
    for (long i = 0; i < count; ++i) {
      if (buffer[i] != '\n') {
        if (length < sizeof beginning - 1) beginning[length++] = buffer[i];
        continue;
      }
      beginning[length] = '\0';
      length = 0;
      uint32_t device = 0;
      if (ParseLine(beginning, mount_id, &device)) return device;
    }
  }
}

}  // namespace bashward::broker
