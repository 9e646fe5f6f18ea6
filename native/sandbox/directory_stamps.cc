#include "sandbox/directory_stamps.h"

#include <fcntl.h>
#include <time.h>

#include <algorithm>

namespace bashward::sandbox {
namespace {

// Longer than a tick of any kernel. Where times come in whole seconds (ext4 with small inodes, ext3, FAT),
// every second (FAT) lasts two.
constexpr int64_t kTickNs = 50'000'000;
constexpr int64_t kCoarseTickNs = 2'000'000'000 + kTickNs;

int64_t Nanoseconds(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

bool HasSettled(const timespec& time, const timespec& now) {
  return Nanoseconds(time) < Nanoseconds(now) - (time.tv_nsec == 0 ? kCoarseTickNs : kTickNs);
}

bool AreEqual(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

}  // namespace

DirectoryStamp::DirectoryStamp(const struct stat& status, const timespec& now)
    : settled_(HasSettled(status.st_mtim, now) && HasSettled(status.st_ctim, now)),
      id_(FileId::Of(status)),
      modified_(status.st_mtim),
      changed_(status.st_ctim) {}

DirectoryStamp DirectoryStamp::Of(const std::string& path) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  struct stat status{};
  if (fstatat(AT_FDCWD, path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return {};
  return {status, now};
}

bool DirectoryStamp::IsCurrent(const std::string& path) const {
  if (!settled_) return false;
  return Of(path) == *this;
}

bool DirectoryStamp::operator==(const DirectoryStamp& other) const {
  return id_ == other.id_ && AreEqual(modified_, other.modified_) && AreEqual(changed_, other.changed_);
}

void DirectoryStamps::Add(const std::string& path) {
  if (stamps_.count(path) == 0) stamps_.emplace(path, DirectoryStamp::Of(path));
}

bool DirectoryStamps::AreCurrent() const {
  return std::all_of(stamps_.begin(), stamps_.end(),
                     [](const auto& stamp) { return stamp.second.IsCurrent(stamp.first); });
}

bool DirectoryStamps::Has(const std::string& path, const DirectoryStamp& stamp) const {
  const auto position = stamps_.find(path);
  return stamp.has_settled() && position != stamps_.end() && position->second == stamp;
}

}  // namespace bashward::sandbox
