// Names that were looked up in directories, and whether the answers would still be the same.
#ifndef BASHWARD_SANDBOX_LOOKUP_RECORD_H_
#define BASHWARD_SANDBOX_LOOKUP_RECORD_H_

#include <sys/stat.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/directory_stamps.h"

namespace bashward::sandbox {

// Where a symbolic link leads; empty on failure, with errno.
std::string ReadLink(const std::string& path);

// The entries of a directory that lead further.
struct Branches {
  std::vector<std::string> links;        // symbolic ones, in order
  std::vector<std::string> directories;  // in order
  size_t entries = 0;                    // of any kind, as far as they were read

  // Files come and go, and lead nowhere.
  bool operator==(const Branches& other) const {
    return links == other.links && directories == other.directories;
  }
};

class LookupRecord {
 public:
  // Of one directory: what has more is not read to its end.
  static constexpr size_t kMaxEntries = size_t{1} << 20;

  // lstat(2) of an entry, recorded. False with errno when it is not there.
  bool LookUp(const std::string& directory, const std::string& name, struct stat* status);
  // ListMatching(), recorded.
  std::optional<std::vector<std::string>> List(const std::string& directory, const std::string& pattern);

  // The links and directories in a directory that is not reached by a link, recorded. Nothing, with errno,
  // when it cannot be listed.
  std::optional<Branches> ListBranches(const std::string& directory);

  // The first error of a system call that leaves open what is there, or 0. What cannot be reached is not
  // there: a command can reach no more than this process.
  int error() const { return error_; }
  void Fail(int error);

  // A directory that has changed, such as /tmp always does, is asked again for what was asked before.
  // `current`: directories that were found to be as they were.
  bool IsCurrent(const DirectoryStamps& current = {});

 private:
  struct Answer {
    bool is_there = false;
    FileId id;
    std::string target;  // of a symbolic link: another one may get its inode, in the same second
    bool operator==(const Answer& other) const;
  };
  struct Directory {
    DirectoryStamp stamp;
    std::map<std::string, Answer> names;
    std::map<std::string, std::optional<std::vector<std::string>>> patterns;
    bool has_branches = false;  // they were asked for
    std::optional<Branches> branches;
  };
  static Answer Ask(const std::string& directory, const std::string& name, struct stat* status);
  static bool AnswersTheSame(const std::string& path, const Directory& directory);
  Directory& At(const std::string& path);

  std::map<std::string, Directory> directories_;
  int error_ = 0;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_LOOKUP_RECORD_H_
