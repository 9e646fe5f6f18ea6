#include "napi/host_protection.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>

extern char** environ;

namespace bashward::addon {
namespace {

std::atomic<bool> introspection_dropped{false};

struct AddressRange {
  uintptr_t start = 0;
  uintptr_t end = 0;
};

// The initial environment block: fields 50 and 51 of /proc/self/stat, see proc_pid_stat(5).
AddressRange InitialEnvironment() {
  AddressRange range;
  FILE* file = fopen("/proc/self/stat", "re");
  if (file == nullptr) return range;
  char line[2048];
  const size_t length = fread(line, 1, sizeof line - 1, file);
  fclose(file);
  line[length] = '\0';
  const char* position = strrchr(line, ')');  // ends field 2, which may hold anything
  for (int field = 2; position != nullptr && field < 50; ++field) {
    position = strchr(position + 1, ' ');
  }
  unsigned long start = 0;
  unsigned long end = 0;
  if (position != nullptr && sscanf(position, " %lu %lu", &start, &end) == 2) {
    range = {static_cast<uintptr_t>(start), static_cast<uintptr_t>(end)};
  }
  return range;
}

// What /proc/PID/environ shows is the memory that execve filled. The variables move to the heap first, so the
// process itself keeps them.
bool WipeInitialEnvironment() {
  const AddressRange block = InitialEnvironment();
  if (block.start == 0 || block.end <= block.start) return false;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const auto address = reinterpret_cast<uintptr_t>(*entry);
    if (address < block.start || address >= block.end) continue;
    char* copy = strdup(*entry);
    if (copy == nullptr) return false;
    *entry = copy;
  }
  explicit_bzero(reinterpret_cast<void*>(block.start), block.end - block.start);
  return true;
}

}  // namespace

Napi::Value ProtectHost(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  static const bool wiped = WipeInitialEnvironment();
  const bool not_dumpable = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
  introspection_dropped = true;
  Napi::Object report = Napi::Object::New(env);
  report.Set("environmentWiped", wiped);
  report.Set("notDumpable", not_dumpable);
  return report;
}

bool IntrospectionDropped() {
  return introspection_dropped;
}

}  // namespace bashward::addon
