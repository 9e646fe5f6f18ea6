#include "sandbox/excluded_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "sandbox/device_number.h"

namespace bashward::sandbox {
namespace {

constexpr char kDevices[] = "/dev";
constexpr char kMoved[] = "it was moved while it was looked at";
constexpr char kInProc[] = "it leads to /proc, whose files come and go";
constexpr char kThroughProc[] = "it leads through /proc, where each process finds links of its own";
constexpr char kCannotBeLookedAt[] = "it cannot be looked at";
// Beyond any list that a person would write, with all that it leads to.
constexpr size_t kMaxPaths = 4096;
constexpr char kTooManyPaths[] = "more than 4096 paths would be left out, with what links in them lead to";

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

// What a package manager has put there is no secret.
bool IsOfSystem(std::string_view path) {
  constexpr std::string_view kSystem[] = {"/usr", "/bin", "/sbin", "/lib", "/lib64", "/nix/store", "/snap"};
  return std::any_of(std::begin(kSystem), std::end(kSystem),
                     [path](std::string_view directory) { return IsAtOrBelow(path, directory); });
}

bool IsLink(const std::string& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

}  // namespace

bool ExcludedPaths::Resolve(const UnreadablePaths& unreadable, const std::set<FileId>& spared,
                            const MountList& mounts, LookupRecord* lookups, Refusal* refusal) {
  PathResolver resolver(lookups);
  mounts_ = &mounts;
  resolver_ = &resolver;
  lookups_ = lookups;
  spared_ = spared;
  // The last comes first: a path in both lists is the caller's.
  for (const std::string& path : unreadable.usual) AddUsual(path);
  candidates_.push_back({kDevices, kDevices, false, false, {}});
  for (const Mount& mount : mounts.all()) {
    if (HoldsDevices(mount) && !IsAtOrBelow(mount.point, kDevices)) {
      candidates_.push_back({mount.point, mount.point, false, false, {}});
    }
  }
  for (const std::string& path : unreadable.listed) AddListed(path);
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
  lookups_ = nullptr;
  return taken;
}

void ExcludedPaths::AddListed(const std::string& path) {
  for (std::string& expanded : resolver_->Expand(path)) {
    candidates_.push_back({std::move(expanded), path});
    candidates_.back().may_be_missing = true;
  }
}

void ExcludedPaths::AddUsual(const std::string& path) {
  for (std::string& expanded : resolver_->Expand(path)) {
    if (!IsTrusted(expanded)) continue;
    candidates_.push_back({std::move(expanded), path});
    candidates_.back().is_usual = true;
    candidates_.back().may_be_missing = true;
  }
}

// Where everybody can make a link or a file, such as in /tmp, its maker would decide what cannot be read.
bool ExcludedPaths::IsTrusted(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string directory = slash == 0 ? "/" : path.substr(0, slash);
  constexpr mode_t kShared = S_ISVTX | S_IWOTH;
  struct stat status{};
  if (stat(directory.c_str(), &status) != 0 || (status.st_mode & kShared) != kShared) return true;
  if (!lookups_->LookUp(directory, path.substr(slash + 1), &status)) return false;
  return !S_ISLNK(status.st_mode) && (status.st_uid == 0 || status.st_uid == geteuid());
}

bool ExcludedPaths::Take(const Candidate& candidate, Refusal* refusal) {
  ResolvedPath resolved;
  const bool is_there = resolver_->Resolve(candidate.path, &resolved);
  if (!candidate.is_usual && PassesProc(resolved)) {
    return Refuse(refusal, EINVAL, candidate.given, kThroughProc);
  }
  if (!is_there && !(resolved.is_missing && candidate.may_be_missing)) return true;
  // Another mount hides it.
  if (candidate.must_be && !(resolved.id == candidate.id)) return true;
  if (paths_.count(resolved.path) != 0) return true;
  const bool is_no_secret = candidate.is_usual && IsOfSystem(resolved.path);
  if (candidate.is_found && (is_no_secret || links_.Cover(resolved.path))) return true;
  if (!is_there) return InsertMissing(resolved, candidate, refusal);
  if (!candidate.is_usual || candidate.is_link) return Insert(resolved, candidate, refusal);
  Candidate usual = candidate;
  usual.is_link = IsLink(candidate.path);
  return Insert(resolved, usual, refusal);
}

// What cannot be left out is passed over if nobody has asked for it.
bool ExcludedPaths::RefuseUnlessUsual(const Candidate& candidate, const char* reason, Refusal* refusal) {
  return candidate.is_usual || Refuse(refusal, EINVAL, candidate.given, reason);
}

bool ExcludedPaths::Insert(const ResolvedPath& resolved, const Candidate& candidate, Refusal* refusal) {
  if (resolved.path == "/") {
    return RefuseUnlessUsual(candidate, "it leads to the root directory", refusal);
  }
  if (IsInProc(resolved.path)) return RefuseUnlessUsual(candidate, kInProc, refusal);
  if (candidate.is_link && spared_.count(resolved.id) != 0) return true;
  struct stat status{};
  if (lstat(resolved.path.c_str(), &status) != 0) {
    return Refuse(refusal, errno, candidate.given, kMoved);
  }
  if (IsMemoryDevice(status)) return true;
  if (!AddPath(resolved.path, candidate, refusal)) return false;
  const bool is_first = excluded_.emplace(resolved.id, candidate.given).second;
  if (is_first && candidate.is_link) avoidable_.insert(resolved.id);
  if (!candidate.is_link) avoidable_.erase(resolved.id);
  const bool has_links = resolved.is_directory && candidate.with_mounts;
  if (has_links && !AddLinksIn(resolved.path, candidate, refusal)) return false;
  AddViews(resolved, candidate);
  return true;
}

bool ExcludedPaths::InsertMissing(const ResolvedPath& missing, const Candidate& candidate, Refusal* refusal) {
  if (IsInProc(missing.path)) return RefuseUnlessUsual(candidate, kInProc, refusal);
  const std::vector<std::string> above = DirectoriesAbove(missing.path);
  // Without its names, nothing in it would be readable.
  if (candidate.is_usual && faccessat(AT_FDCWD, above.back().c_str(), R_OK, AT_EACCESS) != 0) return true;
  std::vector<FileId> ids;
  for (const std::string& directory : above) {
    struct stat status{};
    if (stat(directory.c_str(), &status) != 0) return Refuse(refusal, errno, candidate.given, kMoved);
    ids.push_back(FileId::Of(status));
    // What is in an unreadable directory needs no more.
    if (spared_.count(ids.back()) != 0 || excluded_.count(ids.back()) != 0) return true;
  }
  if (!AddPath(missing.path, candidate, refusal)) return false;
  above_missing_.insert(ids.begin(), ids.end());
  AddViews(missing, candidate);
  return true;
}

bool ExcludedPaths::AddPath(const std::string& path, const Candidate& candidate, Refusal* refusal) {
  if (paths_.size() == kMaxPaths) return Refuse(refusal, E2BIG, candidate.given, kTooManyPaths);
  paths_.insert(path);
  for (const std::string& above : DirectoriesAbove(path)) {
    struct stat status{};
    if (stat(above.c_str(), &status) != 0) return Refuse(refusal, errno, candidate.given, kMoved);
    const size_t start = above == "/" ? 1 : above.size() + 1;
    const size_t end = std::min(path.find('/', start), path.size());
    Above& entry = above_[FileId::Of(status)];
    entry.names.insert(path.substr(start, end - start));
    if (entry.excluded.empty()) entry.excluded = candidate.given;
  }
  return true;
}

bool ExcludedPaths::IsInProc(std::string_view path) const {
  const Mount* mount = mounts_->Of(path);
  return mount != nullptr && mount->type == "proc";
}

bool ExcludedPaths::PassesProc(const ResolvedPath& resolved) const {
  return std::any_of(resolved.links.begin(), resolved.links.end(),
                     [this](const std::string& link) { return IsInProc(link); });
}

bool ExcludedPaths::AddLinksIn(const std::string& directory, const Candidate& candidate, Refusal* refusal) {
  std::vector<std::string> links;
  const char* reason = links_.Find(directory, *mounts_, lookups_, &links);
  if (reason != nullptr) return Refuse(refusal, E2BIG, candidate.given, reason);
  for (std::string& link : links) {
    candidates_.push_back({link, link});
    candidates_.back().is_usual = candidate.is_usual;
    candidates_.back().is_found = true;
    candidates_.back().may_be_missing = true;
  }
  return true;
}

void ExcludedPaths::AddViews(const ResolvedPath& resolved, const Candidate& candidate) {
  const Mount* own = mounts_->Of(resolved.path);
  for (const Mount& mount : mounts_->all()) {
    if (IsAtOrBelow(resolved.path, mount.point)) {
      // What other mounts hide here, they may not hide elsewhere.
      const std::string inner = Rebase(resolved.path, mount.point, mount.root);
      Candidate view = candidate;
      view.must_be = &mount == own;
      view.id = resolved.id;
      AddViewsThrough(mount, inner, view);
    } else if (candidate.with_mounts && IsAtOrBelow(mount.point, resolved.path)) {
      Candidate view = candidate;
      view.must_be = false;
      AddViewsThrough(mount, mount.root, view);
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

std::set<FileId> ExcludedPaths::ConflictsOf(std::string_view root) const {
  std::set<FileId> conflicts;
  std::string path(root);
  struct stat status{};
  while (stat(path.c_str(), &status) == 0) {
    const FileId id = FileId::Of(status);
    if (avoidable_.count(id) != 0 || (path == root && above_missing_.count(id) != 0)) conflicts.insert(id);
    if (path.size() <= 1 || avoidable_.empty()) break;
    path.resize(std::max<size_t>(path.rfind('/'), 1));
  }
  return conflicts;
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
