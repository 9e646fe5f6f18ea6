// The files and directories that a command cannot read, under all names that this machine has for them.
#ifndef BASHWARD_SANDBOX_EXCLUDED_PATHS_H_
#define BASHWARD_SANDBOX_EXCLUDED_PATHS_H_

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/directory_stamps.h"
#include "sandbox/links_below.h"
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

// Absolute paths, whose last component may have `*`.
struct UnreadablePaths {
  std::vector<std::string> listed;  // by the caller, who is told if one cannot be had
  // By nobody: one that leads to what cannot be left out is passed over, as a link is in a directory where
  // everybody can make one, and what belongs to other users there.
  std::vector<std::string> usual;
};

class ExcludedPaths {
 public:
  // Resolves `unreadable`, and adds /dev and other mounts of devices. `lookups` records what this depends on.
  // False with a refusal.
  //
  // A path that is not there is left out as if it were, for it may come while a command runs: what is walked
  // has no rule for it. A pattern stands for what is there now.
  //
  // A path has as many names as there are mounts of its file system that show it. A symbolic link makes what
  // it leads to unreadable, and so do the links in an unreadable directory and in all below it, as dotfiles
  // kept elsewhere have them. Not those on file systems of the kernel, nor, of a usual path, those that lead
  // to the programs of the system, as the environments of Python have them.
  //
  // `spared`: directories that nothing which is missing is left out of, see ConflictsOf().
  bool Resolve(const UnreadablePaths& unreadable, const std::set<FileId>& spared, const MountList& mounts,
               LookupRecord* lookups, Refusal* refusal);

  bool Has(const FileId& id) const { return excluded_.count(id) != 0; }
  // The names of those entries of a directory that lead to an excluded path; null when none does.
  const std::set<std::string>* Below(const FileId& directory) const;
  // What has to be spared for a writable root: itself where only missing paths are in it, since a command
  // must be able to read what it makes there, and what links of the usual paths lead to, if it is or contains
  // the root.
  std::set<FileId> ConflictsOf(std::string_view root) const;
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
    FileId id{};
    bool is_usual = false;
    bool is_link = false;  // or another name of what one leads to; known of usual ones
    bool may_be_missing = false;
    bool is_found = false;  // a link in an unreadable directory, or another name of what it leads to
  };

  void AddListed(const std::string& path);
  void AddUsual(const std::string& path);
  bool IsTrusted(const std::string& path);

  bool Take(const Candidate& candidate, Refusal* refusal);
  static bool RefuseUnlessUsual(const Candidate& candidate, const char* reason, Refusal* refusal);
  bool IsInProc(std::string_view path) const;
  bool PassesProc(const ResolvedPath& resolved) const;
  bool Insert(const ResolvedPath& resolved, const Candidate& candidate, Refusal* refusal);
  bool InsertMissing(const ResolvedPath& missing, const Candidate& candidate, Refusal* refusal);
  // The directories above it get its name, or that of the next one on the way.
  bool AddPath(const std::string& path, const Candidate& candidate, Refusal* refusal);
  bool AddLinksIn(const std::string& directory, const Candidate& candidate, Refusal* refusal);
  void AddViews(const ResolvedPath& resolved, const Candidate& candidate);
  void AddViewsThrough(const Mount& mount, const std::string& inner, const Candidate& view);

  const MountList* mounts_ = nullptr;  // while resolving
  PathResolver* resolver_ = nullptr;   // while resolving
  LookupRecord* lookups_ = nullptr;    // while resolving
  LinksBelow links_;
  std::set<FileId> spared_;
  std::vector<Candidate> candidates_;  // while resolving
  std::set<std::string> paths_;
  std::map<FileId, std::string> excluded_;  // with a name for people
  std::set<FileId> avoidable_;              // of those, what a link of the usual paths leads to
  std::map<FileId, Above> above_;
  std::set<FileId> above_missing_;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_EXCLUDED_PATHS_H_
