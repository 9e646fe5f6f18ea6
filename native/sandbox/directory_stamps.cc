#include "sandbox/directory_stamps.h"

#include <fcntl.h>
#include <time.h>

namespace bashward::sandbox {
namespace {

// Longer than a tick of any kernel, and than the coarsest file times that are common.
constexpr int64_t kSettlesNs = 50'000'000;

int64_t Nanoseconds(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool AreEqual(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

bool DirectoryStamps::Take(const std::string& path, Stamp* stamp) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  struct stat status{};
  if (fstatat(AT_FDCWD, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return false;
  stamp->id = FileId::Of(status);
  stamp->modified = status.st_mtim;
  stamp->changed = status.st_ctim;
  const int64_t settled = Nanoseconds(now) - kSettlesNs;
  stamp->settled = Nanoseconds(status.st_mtim) < settled && Nanoseconds(status.st_ctim) < settled;
  return true;
}

void DirectoryStamps::Add(const std::string& path) {
  const auto [position, is_new] = stamps_.try_emplace(path, Stamp{});
  if (is_new && !Take(path, &position->second)) position->second.settled = false;
}

bool DirectoryStamps::AreCurrent() const {
  for (const auto& [path, stamp] : stamps_) {
    if (!stamp.settled) return false;
    Stamp now{};
    if (!Take(path, &now) || !(now.id == stamp.id) || !AreEqual(now.modified, stamp.modified) ||
        !AreEqual(now.changed, stamp.changed)) {
      return false;
    }
  }
  return true;
}

}  // namespace bashward::sandbox
