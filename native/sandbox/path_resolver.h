// Where paths lead, with a record of everything that the answer depends on.
#ifndef BASHWARD_SANDBOX_PATH_RESOLVER_H_
#define BASHWARD_SANDBOX_PATH_RESOLVER_H_

#include <string>
#include <string_view>
#include <vector>

#include "sandbox/directory_stamps.h"
#include "sandbox/lookup_record.h"

namespace bashward::sandbox {

// All directories above an absolute path, from "/" on.
std::vector<std::string> DirectoriesAbove(const std::string& path);

struct ResolvedPath {
  std::string path;  // absolute, without symbolic links
  FileId id;
  bool is_directory = false;
  // Nothing is there: `path` is what could be made, and `id` that of the directory where.
  bool is_missing = false;
  std::vector<std::string> links;  // the symbolic ones on the way, also when it leads nowhere
};

class PathResolver {
 public:
  explicit PathResolver(LookupRecord* record) : record_(record) {}

  // Of an absolute path. False when it leads nowhere; a path is set then if it may lead somewhere one day.
  bool Resolve(std::string_view path, ResolvedPath* resolved);

  // What an absolute path with `*` in its last component stands for: paths, the directory itself when it
  // cannot be listed, or the path itself without one.
  std::vector<std::string> Expand(std::string_view path);

 private:
  void SetMissing(const std::string& path, ResolvedPath* resolved);
  // stat(2), where there is no link.
  bool Look(const std::string& path, struct stat* status);

  LookupRecord* const record_;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_PATH_RESOLVER_H_
