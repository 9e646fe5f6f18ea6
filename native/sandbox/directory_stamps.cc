#include "sandbox/directory_stamps.h"

#include <fcntl.h>
#include <time.h>

#include <algorithm>

namespace bashward::sandbox {
namespace {

// Longer than a tick of any kernel.
constexpr int64_t kSettlesNs = 50'000'000;

int64_t Nanoseconds(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool AreEqual(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

DirectoryStamp DirectoryStamp::Of(const std::string& path) {
  DirectoryStamp stamp;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  struct stat status{};
  if (fstatat(AT_FDCWD, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return stamp;
  stamp.id_ = FileId::Of(status);
  stamp.modified_ = status.st_mtim;
  stamp.changed_ = status.st_ctim;
  const int64_t settled = Nanoseconds(now) - kSettlesNs;
  stamp.settled_ = Nanoseconds(status.st_mtim) < settled && Nanoseconds(status.st_ctim) < settled;
  return stamp;
}

bool DirectoryStamp::IsCurrent(const std::string& path) const {
  if (!settled_) return false;
  const DirectoryStamp now = Of(path);
  return now.id_ == id_ && AreEqual(now.modified_, modified_) && AreEqual(now.changed_, changed_);
}

void DirectoryStamps::Add(const std::string& path) {
  if (stamps_.count(path) == 0) stamps_.emplace(path, DirectoryStamp::Of(path));
}

bool DirectoryStamps::AreCurrent() const {
  return std::all_of(stamps_.begin(), stamps_.end(),
                     [](const auto& stamp) { return stamp.second.IsCurrent(stamp.first); });
}

}  // namespace bashward::sandbox
