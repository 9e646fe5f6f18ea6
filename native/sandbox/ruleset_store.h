// Rulesets for reading that serve several commands: made once, and used as long as nothing has changed that
// they were made from.
#ifndef BASHWARD_SANDBOX_RULESET_STORE_H_
#define BASHWARD_SANDBOX_RULESET_STORE_H_

#include <cstdint>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/directory_stamps.h"
#include "sandbox/excluded_paths.h"
#include "sandbox/landlock.h"
#include "sandbox/mount_list.h"
#include "sys/unique_fd.h"

namespace bashward::sandbox {

// What the policy of one command has of paths: all absolute.
struct PathPolicy {
  std::vector<std::string> unreadable;  // also such as are not there; `*` in a last component
  std::vector<std::string> usual;       // likewise, but see UnreadablePaths
  std::vector<std::string> roots;       // that can be written to; without symbolic links
  std::string scratch;                  // a directory to be made; empty for none
  bool shared_memory = false;
  bool terminal = false;  // of its own, to be made
};

struct CommandRuleset {
  std::shared_ptr<const sys::UniqueFd> fd;  // null when there is a refusal
  // No other command has it, and the scratch directory and the terminal have to be added to it.
  bool own = false;
  bool opens_devices = false;        // in a root
  uint32_t roots_that_may_hang = 0;  // a bit for each whose file system may not answer
  Refusal refusal;
};

// For one thread.
class RulesetStore {
 public:
  // One for reading, if the command can write somewhere; else for everything.
  CommandRuleset For(const PathPolicy& policy);
  uint64_t MountsVersion();
  // See MountList. Nothing where no mounts are known; then there is no policy with roots, either.
  std::vector<std::string> OtherNames(const std::string& path);
  std::vector<std::string> MountsBelow(const std::string& path);
  void Clear() { kept_.clear(); }
  size_t size() const { return kept_.size(); }

 private:
  struct Kept {
    std::string key;
    Ruleset ruleset;
    std::shared_ptr<const sys::UniqueFd> fd;
    uint64_t mounts_version = 0;
    ExcludedPaths excluded;
    LookupRecord lookups;
    DirectoryStamps walked;
    std::set<FileId> allowed;
  };

  // Kept, or else made and also put into `made`. Null with a refusal.
  Kept* Get(const PathPolicy& policy, const std::set<FileId>& spared, std::unique_ptr<Kept>* made,
            Refusal* refusal);
  std::unique_ptr<Kept> Make(const PathPolicy& policy, const std::set<FileId>& spared,
                             Refusal* refusal) const;
  // Unless it is null, or something has changed meanwhile.
  void Keep(std::unique_ptr<Kept> made);
  bool IsCurrent(Kept* kept) const;
  Kept* Find(const std::string& key);
  bool AllowRoots(const PathPolicy& policy, const ExcludedPaths& excluded, Refusal* refusal) const;

  MountList mounts_;
  bool knows_mounts_ = false;
  std::list<std::unique_ptr<Kept>> kept_;  // the last used first
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_RULESET_STORE_H_
