#include "sandbox/reading_rules.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <vector>

#include "sandbox/device_number.h"
#include "sys/directory.h"
#include "sys/file_status.h"
#include "sys/unique_fd.h"

namespace bashward::sandbox {
namespace {

// A directory of packages may have a hundred thousand entries; each rule takes memory of the kernel and some
// microseconds.
constexpr size_t kMaxRules = 65536;
constexpr int kMaxDepth = 128;

bool LacksResources(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM;
}

bool Fail(Refusal* refusal) {
  *refusal = {errno, {}, {}};
  return false;
}

// As a directory where it may be an automount: opening it that way mounts it, which commands that read only
// have always done for the entries of "/". Below that it would mount every home of a company.
int OpenEntry(int directory, const char* name, int depth) {
  constexpr int kFlags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
  if (depth == 0) {
    const int fd = openat(directory, name, kFlags | O_DIRECTORY);
    if (fd >= 0 || LacksResources(errno)) return fd;
  }
  return openat(directory, name, kFlags);
}

}  // namespace

bool ReadingRules::Add(Refusal* refusal) {
  struct stat root{};
  if (stat("/", &root) != 0) return Fail(refusal);
  // A device that is made anew is another inode.
  walked_->Add("/dev");
  if (!AllowListing(ruleset_) || !AllowMemoryDevices(ruleset_)) return Fail(refusal);
  const std::set<std::string>* leading = excluded_.Below(FileId::Of(root));
  return AddEntries("/", leading == nullptr ? std::set<std::string>() : *leading, 0, refusal);
}

bool ReadingRules::AddEntries(const std::string& directory, const std::set<std::string>& leading, int depth,
                              Refusal* refusal) {
  if (depth == kMaxDepth) return *refusal = {ELOOP, directory, "it is too deep"}, false;
  walked_->Add(directory);
  sys::UniqueFd fd(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  std::vector<std::string> names;
  if (fd.valid()) {
    const bool listed = sys::ForEachEntry<32768>(fd.get(), [&names](const sys::DirectoryEntry& entry) {
      // Access through a symbolic link is judged by where it leads.
      if (!entry.IsDotOrDotDot() && entry.type != DT_LNK) names.emplace_back(entry.name);
      return true;
    });
    if (!listed) return Fail(refusal);
  } else if (errno == EACCES) {
    // It can be passed through, though.
    names.assign(leading.begin(), leading.end());
    fd.reset(open(directory.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  }
  if (!fd.valid()) return LacksResources(errno) ? Fail(refusal) : true;
  const std::string prefix = directory == "/" ? "/" : directory + "/";
  return std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return AddEntry(fd.get(), prefix + name, name, leading.count(name) != 0, depth, refusal);
  });
}

bool ReadingRules::AddEntry(int directory, const std::string& path, const std::string& name, bool is_leading,
                            int depth, Refusal* refusal) {
  sys::UniqueFd entry(OpenEntry(directory, name.c_str(), depth));
  // What cannot be opened gets no rule, and so no access: it is not there, or has just gone.
  if (!entry.valid()) return LacksResources(errno) ? Fail(refusal) : true;
  sys::FileStatus status{};
  // Nor does what a file server that has gone says nothing of.
  if (!sys::ReadStatus(entry.get(), sys::kStatusAsKnown, &status)) {
    return LacksResources(errno) ? Fail(refusal) : true;
  }
  const FileId id{EncodeDevice(status.device_major, status.device_minor), status.inode};
  if (S_ISLNK(status.mode) || excluded_.Has(id)) return true;
  const std::set<std::string>* below = excluded_.Below(id);
  if (below != nullptr) {
    entry.reset();
    return AddEntries(path, *below, depth + 1, refusal);
  }
  // It was something else a moment ago: a file of secrets that is being replaced.
  if (is_leading) return true;
  if (allowed_.size() == kMaxRules) {
    return *refusal = {E2BIG, path, "there are too many files beside an unreadable path"}, false;
  }
  if (!AllowReadingOf(ruleset_, entry.get(), S_ISDIR(status.mode))) return Fail(refusal);
  allowed_.insert(id);
  return true;
}

bool IsCoveredBy(const std::set<FileId>& allowed, std::string_view directory) {
  std::string path(directory);
  for (;;) {
    struct stat status{};
    if (stat(path.c_str(), &status) != 0) return false;
    if (allowed.count(FileId::Of(status)) != 0) return true;
    if (path.size() <= 1) return false;
    path.resize(std::max<size_t>(path.rfind('/'), 1));
  }
}

}  // namespace bashward::sandbox
