// Looking for another name of a file whose own was deleted.
#ifndef BASHWARD_BROKER_OTHER_NAMES_H_
#define BASHWARD_BROKER_OTHER_NAMES_H_

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "broker/kernel.h"

namespace bashward::broker {

// Whether that is the kernel's path of something deleted; something else can be called so.
bool IsDeletedName(const char* path);

// The entries with an inode's number in the directory where a file was. They are hints: numbers are those
// of one file system, and any entry can be another file by now.
class OtherNames {
 public:
  // `path`: from the root on, of the deleted file.
  OtherNames(int root, const char* path, uint64_t inode);

  // From the root on, until the next call; null when there are no more, or after a thousand entries.
  const char* Next();

 private:
  bool Fill();

  kernel::Descriptor directory_;
  uint64_t inode_;
  int entries_left_;
  size_t directory_length_ = 0;  // with its slash
  size_t position_ = 0;
  size_t filled_ = 0;
  char path_[PATH_MAX + NAME_MAX + 1];
  alignas(8) char entries_[4096];
};

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_OTHER_NAMES_H_
