#include "broker/other_names.h"

#include <string.h>

#include "sys/directory.h"

namespace bashward::broker {
namespace {

constexpr int kMaxEntries = 1024;
constexpr char kDeleted[] = " (deleted)";

}  // namespace

bool IsDeletedName(const char* path) {
  const size_t length = strlen(path);
  return length > strlen(kDeleted) && strcmp(path + length - strlen(kDeleted), kDeleted) == 0;
}

OtherNames::OtherNames(int root, const char* path, uint64_t inode)
    : inode_(inode), entries_left_(kMaxEntries) {
  size_t length = strlen(path);
  while (length > 0 && path[length - 1] != '/') --length;
  if (length >= PATH_MAX) return;
  memcpy(path_, path, length);
  path_[length] = '\0';
  directory_length_ = length;
  const uint64_t how[] = {O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0,
                          kernel::kBeneath | kernel::kNoMagicLinks | kernel::kNoSymlinks};
  directory_ = kernel::Descriptor(
      kernel::Call(sandbox::number::kOpenat2, root, length == 0 ? "." : path_, how, sizeof how));
}

const char* OtherNames::Next() {
  while (directory_.valid() && entries_left_-- > 0) {
    if (position_ >= filled_ && !Fill()) return nullptr;
    const auto* const entry = reinterpret_cast<const sys::DirectoryEntry*>(entries_ + position_);
    position_ += entry->size;
    const size_t size = strlen(entry->name) + 1;
    if (entry->inode != inode_ || size > sizeof path_ - directory_length_) continue;
    memcpy(path_ + directory_length_, entry->name, size);
    return path_;
  }
  return nullptr;
}

bool OtherNames::Fill() {
  const long size =
      kernel::Call(SYS_getdents64, directory_.get(), static_cast<char*>(entries_), sizeof entries_);
  if (size <= 0) return false;
  position_ = 0;
  filled_ = static_cast<size_t>(size);
  return true;
}

}  // namespace bashward::broker
