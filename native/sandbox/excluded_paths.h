// The files and directories that a command cannot read, under all names that this machine has for them.
#ifndef BASHWARD_SANDBOX_EXCLUDED_PATHS_H_
#define BASHWARD_SANDBOX_EXCLUDED_PATHS_H_

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/directory_stamps.h"
#include "sandbox/mount_list.h"
#include "sandbox/path_resolver.h"

namespace bashward::sandbox {

// Why a policy cannot be had: a path of it and what is wrong with it; or, without a path, the error of a
// system call.
struct Refusal {
  int error = 0;
  std::string path;
  std::string reason;
};

class ExcludedPaths {
 public:
  // Resolves `unreadable`, a list of absolute paths of which some may not be there, and adds /dev and other
  // mounts of devices. `lookups` records what this depends on. False with a refusal.
  //
  // A path has as many names as there are mounts of its file system that show it. A symbolic link makes what
  // it leads to unreadable, and so do the links in an unreadable directory, as dotfiles kept elsewhere have
  // them.
  bool Resolve(const std::vector<std::string>& unreadable, const MountList& mounts, LookupRecord* lookups,
               Refusal* refusal);

  bool Has(const FileId& id) const { return excluded_.count(id) != 0; }
  // The names of those entries of a directory that lead to an excluded path; null when none does.
  const std::set<std::string>* Below(const FileId& directory) const;
  // Whether a directory can be a writable root: nothing unreadable is in it, and it is in nothing unreadable.
  bool AllowRoot(std::string_view root, Refusal* refusal) const;

 private:
  struct Above {
    std::set<std::string> names;
    std::string excluded;  // one of the paths, for people
  };
  struct Candidate {
    std::string path;
    std::string given;  // for people: what led here
    bool with_mounts = true;
    bool must_be = false;  // `id`, or it is the name of something else
    FileId id;
  };

  bool Take(const Candidate& candidate, Refusal* refusal);
  bool Insert(const ResolvedPath& resolved, const Candidate& candidate, Refusal* refusal);
  void AddLinksIn(const ResolvedPath& directory);
  void AddViews(const ResolvedPath& resolved, const Candidate& candidate);
  void AddViewsThrough(const Mount& mount, const std::string& inner, const Candidate& view);

  const MountList* mounts_ = nullptr;  // while resolving
  PathResolver* resolver_ = nullptr;   // while resolving
  std::vector<Candidate> candidates_;  // while resolving
  std::set<std::string> paths_;
  std::map<FileId, std::string> excluded_;  // with a name for people
  std::map<FileId, Above> above_;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_EXCLUDED_PATHS_H_
