#include "sandbox/path_resolver.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <algorithm>

#include "sys/directory.h"
#include "sys/unique_fd.h"

namespace bashward::sandbox {
namespace {

// As many as the kernel follows (path_resolution(7)).
constexpr int kMaxLinks = 40;

std::string ReadLink(const std::string& path) {
  char target[PATH_MAX];
  const ssize_t length = readlink(path.c_str(), target, sizeof target);
  return std::string(target, length > 0 ? static_cast<size_t>(length) : 0);
}

std::string_view TakeComponent(std::string_view* path) {
  path->remove_prefix(std::min(path->find_first_not_of('/'), path->size()));
  const size_t end = std::min(path->find('/'), path->size());
  const std::string_view component = path->substr(0, end);
  path->remove_prefix(end);
  return component;
}

}  // namespace

bool PathResolver::Resolve(std::string_view path, ResolvedPath* resolved) {
  std::string rest(path);
  std::string known;  // without links; empty: "/"
  struct stat status{};
  if (stat("/", &status) != 0) return false;
  int links = 0;
  for (std::string_view left = rest;;) {
    const std::string_view component = TakeComponent(&left);
    if (component.empty()) break;
    if (component == ".") continue;
    if (component == "..") {
      known.resize(known.empty() ? 0 : known.rfind('/'));
      if (stat(known.empty() ? "/" : known.c_str(), &status) != 0) return false;
      continue;
    }
    stamps_->Add(known.empty() ? "/" : known);
    const std::string next = known + "/" + std::string(component);
    if (fstatat(AT_FDCWD, next.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return false;
    if (!S_ISLNK(status.st_mode)) {
      known = next;
      continue;
    }
    if (++links > kMaxLinks) return false;
    const std::string target = ReadLink(next);
    if (target.empty()) return false;
    if (target[0] == '/') known.clear();
    rest = target + "/" + std::string(left);
    left = rest;
  }
  // After a `..` or a link to "/", what was looked at last may be something else.
  resolved->path = known.empty() ? "/" : known;
  if (fstatat(AT_FDCWD, resolved->path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return false;
  resolved->id = FileId::Of(status);
  resolved->is_directory = S_ISDIR(status.st_mode);
  return true;
}

std::vector<std::string> PathResolver::Expand(std::string_view path) {
  const size_t slash = path.rfind('/');
  const std::string_view pattern = path.substr(slash + 1);
  if (slash == std::string_view::npos || pattern.find('*') == std::string_view::npos) {
    return {std::string(path)};
  }
  std::vector<std::string> paths;
  ResolvedPath directory;
  if (!Resolve(path.substr(0, slash), &directory)) return paths;
  const std::string prefix = directory.path == "/" ? "/" : directory.path + "/";
  const bool listed = List(directory.path, [&](const char* name, unsigned char) {
    if (MatchesPattern(name, pattern)) paths.push_back(prefix + name);
  });
  // A name can be guessed where it cannot be seen.
  if (!listed) return {directory.path};
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool PathResolver::List(const std::string& directory,
                        const std::function<void(const char*, unsigned char)>& visit) {
  stamps_->Add(directory);
  const sys::UniqueFd fd(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.valid()) return false;
  return sys::ForEachEntry(fd.get(), [&visit](const sys::DirectoryEntry& entry) {
    if (!entry.IsDotOrDotDot()) visit(entry.name, entry.type);
    return true;
  });
}

bool MatchesPattern(std::string_view name, std::string_view pattern) {
  // Back to the last star, with one more character for it, whenever something does not match.
  size_t star = std::string_view::npos;
  size_t after = 0;
  size_t n = 0;
  size_t p = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++after;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace bashward::sandbox
