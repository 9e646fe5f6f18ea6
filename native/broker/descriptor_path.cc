#include "broker/descriptor_path.h"

#include <limits.h>
#include <stddef.h>

#include "util/text.h"

namespace bashward::broker {
namespace {

// One after the other, as the kernel takes them: any number of slashes is one, and `.` is nothing.
class Components {
 public:
  explicit Components(const char* path) : position_(path) {}

  bool TakeIf(const char* wanted) {
    const char* end = SkipToName();
    while (*wanted != '\0' && *end == *wanted) ++end, ++wanted;
    if (*wanted != '\0' || !IsEnd(*end)) return false;
    position_ = end;
    return true;
  }

  // As /proc reads numbers: no sign, no zero before another digit.
  bool TakeNumber(int64_t* number) {
    const char* const start = SkipToName();
    const char* end = start;
    *number = 0;
    for (; util::IsDigit(*end) && *number <= INT_MAX; ++end) *number = *number * 10 + (*end - '0');
    if (end == start || !IsEnd(*end) || *number > INT_MAX || (*start == '0' && end - start > 1)) return false;
    position_ = end;
    return true;
  }

  const char* rest() const { return position_; }

 private:
  static bool IsEnd(char c) { return c == '/' || c == '\0'; }

  const char* SkipToName() const {
    const char* start = position_;
    while (*start == '/' || (*start == '.' && IsEnd(start[1]))) ++start;
    return start;
  }

  const char* position_;
};

bool ParseInProc(Components* components, DescriptorPath* parsed) {
  if (!components->TakeIf("self") && !components->TakeIf("thread-self") &&
      (!components->TakeNumber(&parsed->process) || parsed->process == 0)) {
    return false;
  }
  if (components->TakeIf("task") && (!components->TakeNumber(&parsed->thread) || parsed->thread == 0)) {
    return false;
  }
  return components->TakeIf("fd");
}

bool ParseStandardStream(Components* components, DescriptorPath* parsed) {
  static constexpr const char* kNames[] = {"stdin", "stdout", "stderr"};
  for (int i = 0; i < 3; ++i) {
    if (!components->TakeIf(kNames[i])) continue;
    parsed->number = i;
    return true;
  }
  return false;
}

}  // namespace

bool ParseDescriptorPath(const char* path, DescriptorPath* parsed) {
  if (*path != '/') return false;
  *parsed = {};
  Components components(path);
  if (components.TakeIf("dev")) {
    if (ParseStandardStream(&components, parsed)) {
      parsed->rest = components.rest();
      return true;
    }
    if (!components.TakeIf("fd")) return false;
  } else if (!components.TakeIf("proc") || !ParseInProc(&components, parsed)) {
    return false;
  }
  int64_t number = 0;
  if (!components.TakeNumber(&number)) return false;
  parsed->number = static_cast<int>(number);
  parsed->rest = components.rest();
  return true;
}

}  // namespace bashward::broker
