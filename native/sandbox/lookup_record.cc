#include "sandbox/lookup_record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "sandbox/name_pattern.h"
#include "sys/directory.h"
#include "sys/unique_fd.h"

namespace bashward::sandbox {

namespace {

std::optional<Branches> ReadBranches(const std::string& directory) {
  const sys::UniqueFd fd(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.valid()) return std::nullopt;
  Branches branches;
  const bool listed = sys::ForEachEntry<32768>(fd.get(), [&](const sys::DirectoryEntry& entry) {
    if (entry.IsDotOrDotDot()) return true;
    if (++branches.entries > LookupRecord::kMaxEntries) return false;
    uint8_t type = entry.type;
    struct stat status{};
    if (type == DT_UNKNOWN && fstatat(fd.get(), entry.name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
      type = IFTODT(status.st_mode);
    }
    if (type == DT_LNK) branches.links.emplace_back(entry.name);
    if (type == DT_DIR) branches.directories.emplace_back(entry.name);
    return true;
  });
  if (!listed) return std::nullopt;
  std::sort(branches.links.begin(), branches.links.end());
  std::sort(branches.directories.begin(), branches.directories.end());
  return branches;
}

}  // namespace

std::string ReadLink(const std::string& path) {
  char target[PATH_MAX];
  const ssize_t length = readlink(path.c_str(), target, sizeof target);
  return std::string(target, length > 0 ? static_cast<size_t>(length) : 0);
}

bool LookupRecord::Answer::operator==(const Answer& other) const {
  return is_there == other.is_there && id == other.id && target == other.target;
}

LookupRecord::Answer LookupRecord::Ask(const std::string& directory, const std::string& name,
                                       struct stat* status) {
  Answer answer;
  const std::string path = (directory == "/" ? "" : directory) + "/" + name;
  answer.is_there = fstatat(AT_FDCWD, path.c_str(), status, AT_SYMLINK_NOFOLLOW) == 0;
  if (!answer.is_there) return answer;
  answer.id = FileId::Of(*status);
  if (S_ISLNK(status->st_mode)) answer.target = ReadLink(path);
  return answer;
}

LookupRecord::Directory& LookupRecord::At(const std::string& path) {
  auto position = directories_.find(path);
  if (position == directories_.end()) {
    position = directories_.emplace(path, Directory{DirectoryStamp::Of(path), {}, {}}).first;
  }
  return position->second;
}

bool LookupRecord::LookUp(const std::string& directory, const std::string& name, struct stat* status) {
  Directory& record = At(directory);
  Answer answer = Ask(directory, name, status);
  const int error = errno;
  if (!answer.is_there) Fail(error);
  const bool is_there = answer.is_there;
  record.names[name] = std::move(answer);
  errno = error;
  return is_there;
}

std::optional<std::vector<std::string>> LookupRecord::List(const std::string& directory,
                                                           const std::string& pattern) {
  Directory& record = At(directory);
  auto names = ListMatching(directory, pattern);
  if (!names) Fail(errno);
  return record.patterns[pattern] = std::move(names);
}

std::optional<Branches> LookupRecord::ListBranches(const std::string& directory) {
  Directory& record = At(directory);
  auto branches = ReadBranches(directory);
  const int error = errno;
  if (!branches) Fail(error);
  record.has_branches = true;
  record.branches = branches;
  errno = error;
  return branches;
}

void LookupRecord::Fail(int error) {
  const bool is_answer =
      error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP || error == ENAMETOOLONG;
  if (error_ == 0 && !is_answer) error_ = error;
}

bool LookupRecord::IsCurrent(const DirectoryStamps& current) {
  for (auto& [path, directory] : directories_) {
    if (current.Has(path, directory.stamp) || directory.stamp.IsCurrent(path)) continue;
    const DirectoryStamp stamp = DirectoryStamp::Of(path);
    if (!(stamp.id() == directory.stamp.id()) || !AnswersTheSame(path, directory)) return false;
    directory.stamp = stamp;
  }
  return true;
}

bool LookupRecord::AnswersTheSame(const std::string& path, const Directory& directory) {
  struct stat status{};
  if (directory.has_branches && !(ReadBranches(path) == directory.branches)) return false;
  return std::all_of(directory.names.begin(), directory.names.end(),
                     [&](const auto& name) { return Ask(path, name.first, &status) == name.second; }) &&
         std::all_of(directory.patterns.begin(), directory.patterns.end(),
                     [&](const auto& entry) { return ListMatching(path, entry.first) == entry.second; });
}

}  // namespace bashward::sandbox
