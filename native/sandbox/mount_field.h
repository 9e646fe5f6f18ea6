// Fields of /proc/self/mountinfo (proc_pid_mountinfo(5)).
#ifndef BASHWARD_SANDBOX_MOUNT_FIELD_H_
#define BASHWARD_SANDBOX_MOUNT_FIELD_H_

#include <stdint.h>

#include "sandbox/device_number.h"
#include "util/text.h"

namespace bashward::sandbox {

inline bool IsOctalDigit(char c) {
  return c >= '0' && c <= '7';
}

// `\040` stands for a space, and so on. In place; the new length.
inline size_t UnescapeMountField(char* text) {
  char* to = text;
  for (const char* from = text; *from != '\0'; ++to) {
    if (from[0] == '\\' && IsOctalDigit(from[1]) && IsOctalDigit(from[2]) && IsOctalDigit(from[3])) {
      *to = static_cast<char>((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
      from += 4;
    } else {
      *to = *from++;
    }
  }
  *to = '\0';
  return static_cast<size_t>(to - text);
}

// Such as 8:1, as stat(2) gives it.
inline uint64_t ParseMountDevice(const char* field) {
  const uint64_t major = util::TakeNumber(&field);
  if (*field == ':') ++field;
  return EncodeDevice(major, util::TakeNumber(&field));
}

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_MOUNT_FIELD_H_
