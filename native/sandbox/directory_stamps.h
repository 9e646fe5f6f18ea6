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

// A directory as it was at some moment: as long as it is the same, no entry of it has been made, removed or
// renamed.
class DirectoryStamp {
 public:
  DirectoryStamp() = default;
  // `now`: a moment before `status` was.
  DirectoryStamp(const struct stat& status, const timespec& now);
  static DirectoryStamp Of(const std::string& path);

  // One of a directory that has just changed is never current: in the same tick of the kernel's clock, a
  // later change leaves the same time. Nor is that of a directory that was not there.
  bool IsCurrent(const std::string& path) const;
  bool has_settled() const { return settled_; }
  bool operator==(const DirectoryStamp& other) const;
  const FileId& id() const { return id_; }

 private:
  bool settled_ = false;
  FileId id_;
  timespec modified_{};
  timespec changed_{};
};

// The same of several.
class DirectoryStamps {
 public:
  // To be called before the directory is read: what changes from then on shows. Only the first time counts.
  void Add(const std::string& path);
  bool AreCurrent() const;
  // Whether that of a directory is among them, and says as much.
  bool Has(const std::string& path, const DirectoryStamp& stamp) const;

 private:
  std::map<std::string, DirectoryStamp> stamps_;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_DIRECTORY_STAMPS_H_
