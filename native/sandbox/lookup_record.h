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

class LookupRecord {
 public:
  // lstat(2) of an entry, recorded. False with errno when it is not there.
  bool LookUp(const std::string& directory, const std::string& name, struct stat* status);
  // ListMatching(), recorded.
  std::optional<std::vector<std::string>> List(const std::string& directory, const std::string& pattern);

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
  };
  static Answer Ask(const std::string& directory, const std::string& name, struct stat* status);
  static bool AnswersTheSame(const std::string& path, const Directory& directory);
  Directory& At(const std::string& path);

  std::map<std::string, Directory> directories_;
  int error_ = 0;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_LOOKUP_RECORD_H_
