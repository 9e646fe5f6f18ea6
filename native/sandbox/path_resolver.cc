#include "sandbox/path_resolver.h"

#include <errno.h>
#include <fcntl.h>

#include <algorithm>

namespace bashward::sandbox {
namespace {

// As many as the kernel follows (path_resolution(7)).
constexpr int kMaxLinks = 40;

std::string_view TakeComponent(std::string_view* path) {
  path->remove_prefix(std::min(path->find_first_not_of('/'), path->size()));
  const size_t end = std::min(path->find('/'), path->size());
  const std::string_view component = path->substr(0, end);
  path->remove_prefix(end);
  return component;
}

}  // namespace

std::vector<std::string> DirectoriesAbove(const std::string& path) {
  std::vector<std::string> above{"/"};
  for (size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
    above.push_back(path.substr(0, end));
  }
  return above;
}

bool PathResolver::Resolve(std::string_view path, ResolvedPath* resolved) {
  std::string rest(path);
  std::string known;  // without links; empty: "/"
  struct stat status{};
  if (!Look("/", &status)) return false;
  int links = 0;
  for (std::string_view left = rest;;) {
    const std::string_view component = TakeComponent(&left);
    if (component.empty()) break;
    if (component == ".") continue;
    if (component == "..") {
      known.resize(known.empty() ? 0 : known.rfind('/'));
      if (!Look(known, &status)) return false;
      continue;
    }
    const std::string next = known + "/" + std::string(component);
    if (!record_->LookUp(known.empty() ? "/" : known, std::string(component), &status)) {
      if (errno == ENOENT) SetMissing(next, resolved);
      return false;
    }
    if (!S_ISLNK(status.st_mode)) {
      known = next;
      continue;
    }
    if (++links > kMaxLinks) return false;
    resolved->links.push_back(next);
    const std::string target = ReadLink(next);
    if (target.empty()) return record_->Fail(errno), false;
    if (target[0] == '/') known.clear();
    rest = target + "/" + std::string(left);
    left = rest;
  }
  // After a `..` or a link to "/", what was looked at last may be something else.
  resolved->path = known.empty() ? "/" : known;
  if (!Look(resolved->path, &status)) return false;
  resolved->id = FileId::Of(status);
  resolved->is_directory = S_ISDIR(status.st_mode);
  return true;
}

void PathResolver::SetMissing(const std::string& path, ResolvedPath* resolved) {
  const size_t slash = path.rfind('/');
  struct stat status{};
  // A directory that has gone has no entries.
  if (!Look(path.substr(0, slash), &status) || !S_ISDIR(status.st_mode)) return;
  resolved->path = path;
  resolved->id = FileId::Of(status);
  resolved->is_missing = true;
}

bool PathResolver::Look(const std::string& path, struct stat* status) {
  const char* name = path.empty() ? "/" : path.c_str();
  if (fstatat(AT_FDCWD, name, status, AT_SYMLINK_NOFOLLOW) == 0) return true;
  record_->Fail(errno);
  return false;
}

std::vector<std::string> PathResolver::Expand(std::string_view path) {
  const size_t slash = path.rfind('/');
  const std::string_view pattern = path.substr(slash + 1);
  if (slash == std::string_view::npos || pattern.find('*') == std::string_view::npos) {
    return {std::string(path)};
  }
  ResolvedPath directory;
  if (!Resolve(path.substr(0, slash), &directory)) return {};
  auto names = record_->List(directory.path, std::string(pattern));
  // A name can be guessed where it cannot be seen.
  if (!names) return {directory.path};
  for (std::string& name : *names) name = (directory.path == "/" ? "" : directory.path) + "/" + name;
  return *names;
}

}  // namespace bashward::sandbox
