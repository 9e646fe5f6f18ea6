// Whether directories still hold what they held.
#ifndef BASHWARD_SANDBOX_DIRECTORY_STAMPS_H_
#define BASHWARD_SANDBOX_DIRECTORY_STAMPS_H_

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <string>

namespace bashward::sandbox {

// A file or directory, whatever its name.
struct FileId {
  uint64_t device = 0;
  uint64_t inode = 0;

  static FileId Of(const struct stat& status) { return {status.st_dev, status.st_ino}; }
  bool operator==(const FileId& other) const { return device == other.device && inode == other.inode; }
  bool operator<(const FileId& other) const {
    return device != other.device ? device < other.device : inode < other.inode;
  }
};

class DirectoryStamps {
 public:
  // Before the directory is read, or a name looked up in it: what changes from then on shows. Only the first
  // time counts.
  void Add(const std::string& path);

  // Whether no entry of any of them has been made, removed or renamed since, and each is the directory that
  // it was. One that changed just before it was added counts as changed: in the same tick of the kernel's
  // clock, a later change would leave the same time.
  bool AreCurrent() const;
  bool empty() const { return stamps_.empty(); }

 private:
  struct Stamp {
    bool settled;
    FileId id;
    timespec modified;
    timespec changed;
  };
  static bool Take(const std::string& path, Stamp* stamp);

  std::map<std::string, Stamp> stamps_;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_DIRECTORY_STAMPS_H_
