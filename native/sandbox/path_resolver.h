// Where paths lead, with a record of every directory that the answer depends on.
#ifndef BASHWARD_SANDBOX_PATH_RESOLVER_H_
#define BASHWARD_SANDBOX_PATH_RESOLVER_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/directory_stamps.h"

namespace bashward::sandbox {

struct ResolvedPath {
  std::string path;  // absolute, without symbolic links
  FileId id;
  bool is_directory = false;
};

class PathResolver {
 public:
  // `stamps` gets every directory in which a name is looked up.
  explicit PathResolver(DirectoryStamps* stamps) : stamps_(stamps) {}

  // Of an absolute path. False when it leads nowhere.
  bool Resolve(std::string_view path, ResolvedPath* resolved);

  // What an absolute path with `*` in its last component stands for: paths, the directory itself when it
  // cannot be listed, or the path itself without one.
  std::vector<std::string> Expand(std::string_view path);

  // Calls visit(name, type) for each entry of a directory but `.` and `..`. False with errno when it cannot
  // be listed.
  bool List(const std::string& directory, const std::function<void(const char*, unsigned char)>& visit);

 private:
  DirectoryStamps* const stamps_;
};

// Whether a name matches a pattern in which `*` stands for any characters; a dot in front is one of them.
bool MatchesPattern(std::string_view name, std::string_view pattern);

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_PATH_RESOLVER_H_
