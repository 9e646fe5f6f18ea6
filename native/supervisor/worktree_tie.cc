#include "supervisor/worktree_tie.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

namespace bashward::supervisor {
namespace {

using sandbox::WritableRoot;
using sys::UniqueFd;

bool EndsWith(const char* text, size_t length, const char* ending) {
  const size_t size = strlen(ending);
  return length >= size && strcmp(text + length - size, ending) == 0;
}

// What is behind `beginning`; null when the text begins otherwise.
const char* RestBehind(const char* text, const char* beginning) {
  while (*beginning != '\0' && *text == *beginning) ++text, ++beginning;
  return *beginning == '\0' ? text : nullptr;
}

// Leads to the directory two above, and no component on the way was a link.
bool LeadsToOwnRepository(int fd) {
  char text[16];
  return PathReader::ReadText(fd, text, sizeof text) && strcmp(text, "../..\n") == 0;
}

// The length of what precedes "/worktrees/NAME", the end of the path; 0 when that is not there.
size_t LengthOfRepository(const char* path) {
  constexpr char kWorktrees[] = "/worktrees";
  size_t end = strlen(path);
  size_t name = end;
  while (name > 0 && path[name - 1] != '/') --name;
  if (name <= sizeof kWorktrees || name == end || path[name] == '.') return 0;
  const size_t length = name - sizeof kWorktrees;
  return RestBehind(path + length, kWorktrees) == path + name - 1 ? length : 0;
}

// `target`: from the root on, where a `.git` file leads.
bool IsWorktreeIn(size_t root, const WritableRoot& held, const char* target, Mounts mounts,
                  WatchTable* table) {
  const size_t length = LengthOfRepository(target);
  const WatchedPath* const repository = length == 0 ? nullptr : table->Find(root, target, length);
  if (repository == nullptr || repository->change == Change::kCreated || !S_ISDIR(repository->before.mode) ||
      !(length == 4 || target[length - 5] == '/') || RestBehind(target + length - 4, ".git") == nullptr) {
    return false;
  }
  RelativePath path;
  if (!path.Push(target)) return false;
  const size_t end = path.length();
  if (!path.Push("commondir")) return false;
  const UniqueFd common = PathReader::Open(held.fd.get(), path.c_str(), mounts);
  if (!common.valid() || !LeadsToOwnRepository(common.get())) return false;
  // Settings of its own.
  path.Cut(end);
  if (!path.Push("config.worktree")) return false;
  int error = 0;
  return !PathReader::Open(held.fd.get(), path.c_str(), mounts, &error).valid() && error == ENOENT;
}

}  // namespace

bool IsWorktreeTie(int fd, const PathState& state, const RelativePath& path,
                   const sandbox::WritableRoots& roots, size_t root_count, Mounts mounts, WatchTable* table) {
  if (!S_ISREG(state.mode)) return false;
  if (EndsWith(path.c_str(), path.length(), "/commondir")) {
    RelativePath worktree;
    worktree.Push(path.c_str(), path.length() - strlen("/commondir"));
    return LengthOfRepository(worktree.c_str()) != 0 && LeadsToOwnRepository(fd);
  }
  if (!EndsWith(path.c_str(), path.length(), "/.git")) return false;
  char text[PATH_MAX];
  if (!PathReader::ReadText(fd, text, sizeof text)) return false;
  const char* const target = RestBehind(text, "gitdir: ");
  const size_t length = strlen(text);
  if (target == nullptr || text[length - 1] != '\n') return false;
  text[length - 1] = '\0';
  for (size_t root = 0; root < root_count; ++root) {
    const char* const rest = RestBehind(target, roots[root].path);
    if (rest != nullptr && *rest == '/' && IsWorktreeIn(root, roots[root], rest + 1, mounts, table))
      return true;
  }
  return false;
}

}  // namespace bashward::supervisor
