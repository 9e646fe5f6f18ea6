// The rules that let everything be read but what is excluded.
#ifndef BASHWARD_SANDBOX_READING_RULES_H_
#define BASHWARD_SANDBOX_READING_RULES_H_

#include <set>
#include <string>
#include <string_view>

#include "sandbox/directory_stamps.h"
#include "sandbox/excluded_paths.h"
#include "sandbox/landlock.h"

namespace bashward::sandbox {

// Rules only ever add rights: nothing can be taken out of a rule for a directory. So no directory above an
// excluded path gets one, but each entry beside the way down to it, and a rule is for an inode, whatever the
// path is: the inodes decide. Names can be listed everywhere.
class ReadingRules {
 public:
  // `walked` gets the directories whose entries have rules: an entry that comes later has none.
  ReadingRules(const Ruleset& ruleset, const ExcludedPaths& excluded, DirectoryStamps* walked)
      : ruleset_(ruleset), excluded_(excluded), walked_(walked) {}

  // False with a refusal.
  bool Add(Refusal* refusal);
  // What has a rule: it and everything in it can be read.
  std::set<FileId> TakeAllowed() { return std::move(allowed_); }

 private:
  // A directory above an excluded path. `leading`: the names of those entries that lead to one.
  bool AddEntries(const std::string& directory, const std::set<std::string>& leading, int depth,
                  Refusal* refusal);
  bool AddEntry(int directory, const std::string& path, const std::string& name, bool is_leading, int depth,
                Refusal* refusal);

  const Ruleset& ruleset_;
  const ExcludedPaths& excluded_;
  DirectoryStamps* const walked_;
  std::set<FileId> allowed_;
};

// Whether a directory has a rule, or one above it has.
bool IsCoveredBy(const std::set<FileId>& allowed, std::string_view directory);

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_READING_RULES_H_
