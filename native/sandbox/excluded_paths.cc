#include "sandbox/excluded_paths.h"

#include <errno.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "sandbox/device_number.h"

namespace bashward::sandbox {
namespace {

constexpr char kDevices[] = "/dev";
constexpr char kMoved[] = "it was moved while it was looked at";
constexpr char kCannotBeLookedAt[] = "it cannot be looked at";
// Beyond any list that a person would write, with all that it leads to.
constexpr size_t kMaxPaths = 4096;

bool Refuse(Refusal* refusal, int error, std::string path, std::string reason) {
  *refusal = {error, std::move(path), std::move(reason)};
  return false;
}

bool HoldsDevices(const Mount& mount) {
  return mount.type == "devtmpfs" || mount.type == "devpts";
}

// Null, zero, full, random and urandom: containers hide files under them, and they tell nothing.
bool IsMemoryDevice(const struct stat& status) {
  constexpr uint64_t kMemory = 1;
  if (!S_ISCHR(status.st_mode)) return false;
  for (const uint64_t minor : {3, 5, 7, 8, 9}) {
    if (status.st_rdev == EncodeDevice(kMemory, minor)) return true;
  }
  return false;
}

}  // namespace

bool ExcludedPaths::Resolve(const std::vector<std::string>& unreadable, const MountList& mounts,
                            LookupRecord* lookups, Refusal* refusal) {
  PathResolver resolver(lookups);
  mounts_ = &mounts;
  resolver_ = &resolver;
  candidates_.push_back({kDevices, kDevices, false, false, {}});
  for (const Mount& mount : mounts.all()) {
    if (HoldsDevices(mount) && !IsAtOrBelow(mount.point, kDevices)) {
      candidates_.push_back({mount.point, mount.point, false, false, {}});
    }
  }
  for (const std::string& path : unreadable) {
    for (std::string& expanded : resolver.Expand(path)) {
      candidates_.push_back({std::move(expanded), path, true, false, {}});
    }
  }
  bool taken = true;
  while (taken && !candidates_.empty()) {
    const Candidate candidate = std::move(candidates_.back());
    candidates_.pop_back();
    taken = Take(candidate, refusal);
  }
  candidates_.clear();
  if (taken && lookups->error() != 0) {
    *refusal = {lookups->error(), {}, {}};
    taken = false;
  }
  mounts_ = nullptr;
  resolver_ = nullptr;
  return taken;
}

bool ExcludedPaths::Take(const Candidate& candidate, Refusal* refusal) {
  ResolvedPath resolved;
  if (!resolver_->Resolve(candidate.path, &resolved)) return true;
  // Another mount hides it.
  if (candidate.must_be && !(resolved.id == candidate.id)) return true;
  if (paths_.count(resolved.path) != 0) return true;
  return Insert(resolved, candidate, refusal);
}

bool ExcludedPaths::Insert(const ResolvedPath& resolved, const Candidate& candidate, Refusal* refusal) {
  if (resolved.path == "/") {
    return Refuse(refusal, EINVAL, candidate.given, "it leads to the root directory");
  }
  const Mount* mount = mounts_->Of(resolved.path);
  if (mount != nullptr && mount->type == "proc") {
    return Refuse(refusal, EINVAL, candidate.given, "it leads to /proc, whose files come and go");
  }
  struct stat status{};
  if (lstat(resolved.path.c_str(), &status) != 0) {
    return Refuse(refusal, errno, candidate.given, kMoved);
  }
  if (IsMemoryDevice(status)) return true;
  if (paths_.size() == kMaxPaths) {
    return Refuse(refusal, E2BIG, candidate.given, "it leads to more paths than can be left out");
  }
  paths_.insert(resolved.path);
  excluded_.emplace(resolved.id, candidate.given);
  for (size_t end = resolved.path.rfind('/');; end = resolved.path.rfind('/', end - 1)) {
    const std::string above = end == 0 ? "/" : resolved.path.substr(0, end);
    if (stat(above.c_str(), &status) != 0) {
      return Refuse(refusal, errno, candidate.given, kMoved);
    }
    const size_t next = std::min(resolved.path.find('/', end + 1), resolved.path.size());
    Above& entry = above_[FileId::Of(status)];
    entry.names.insert(resolved.path.substr(end + 1, next - end - 1));
    if (entry.excluded.empty()) entry.excluded = candidate.given;
    if (end == 0) break;
  }
  if (resolved.is_directory && candidate.with_mounts) AddLinksIn(resolved);
  AddViews(resolved, candidate);
  return true;
}

void ExcludedPaths::AddLinksIn(const ResolvedPath& directory) {
  for (const std::string& path : resolver_->LinksIn(directory.path)) {
    candidates_.push_back({path, path, true, false, {}});
  }
}

void ExcludedPaths::AddViews(const ResolvedPath& resolved, const Candidate& candidate) {
  const Mount* own = mounts_->Of(resolved.path);
  for (const Mount& mount : mounts_->all()) {
    if (IsAtOrBelow(resolved.path, mount.point)) {
      // What other mounts hide here, they may not hide elsewhere.
      const std::string inner = Rebase(resolved.path, mount.point, mount.root);
      AddViewsThrough(mount, inner, {"", candidate.given, candidate.with_mounts, &mount == own, resolved.id});
    } else if (candidate.with_mounts && IsAtOrBelow(mount.point, resolved.path)) {
      AddViewsThrough(mount, mount.root, {"", candidate.given, true, false, {}});
    }
  }
}

// Where other mounts show `inner`, a path in the file system of `mount`, or something in it.
void ExcludedPaths::AddViewsThrough(const Mount& mount, const std::string& inner, const Candidate& view) {
  for (const Mount& other : mounts_->all()) {
    if (&other == &mount || other.device != mount.device) continue;
    Candidate found = view;
    if (IsAtOrBelow(inner, other.root)) {
      found.path = Rebase(inner, other.root, other.point);
    } else if (IsAtOrBelow(other.root, inner)) {
      found.path = other.point;
      found.must_be = false;
    } else {
      continue;
    }
    if (paths_.count(found.path) == 0) candidates_.push_back(std::move(found));
  }
}

const std::set<std::string>* ExcludedPaths::Below(const FileId& directory) const {
  const auto found = above_.find(directory);
  return found == above_.end() ? nullptr : &found->second.names;
}

bool ExcludedPaths::AllowRoot(std::string_view root, Refusal* refusal) const {
  std::string path(root);
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return Refuse(refusal, errno, path, kCannotBeLookedAt);
  const auto below = above_.find(FileId::Of(status));
  if (below != above_.end()) {
    return Refuse(refusal, EINVAL, path, "the unreadable path " + below->second.excluded + " is in it");
  }
  for (;;) {
    const auto found = excluded_.find(FileId::Of(status));
    if (found != excluded_.end()) {
      const std::string how = path == root ? "it is the unreadable path " : "it is in the unreadable path ";
      return Refuse(refusal, EINVAL, std::string(root), how + found->second);
    }
    if (path.size() <= 1) return true;
    path.resize(std::max<size_t>(path.rfind('/'), 1));
    if (stat(path.c_str(), &status) != 0) {
      return Refuse(refusal, errno, std::string(root), kCannotBeLookedAt);
    }
  }
}

}  // namespace bashward::sandbox
