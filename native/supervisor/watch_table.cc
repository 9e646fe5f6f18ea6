#include "supervisor/watch_table.h"

#include <string.h>

namespace bashward::supervisor {
namespace {

uint32_t HashOf(size_t root, const char* path, size_t length) {
  // FNV-1a. Who makes many paths of one hash only makes the search slower.
  uint32_t hash = 2166136261U ^ static_cast<uint32_t>(root);
  for (size_t i = 0; i < length; ++i) hash = (hash ^ static_cast<unsigned char>(path[i])) * 16777619U;
  return hash;
}

bool IsEqual(const char* a, const char* b, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace

WatchedPath* WatchTable::Find(size_t root, const char* path, size_t length) {
  const uint32_t hash = HashOf(root, path, length);
  // They are looked for in the order in which they were added, unless something has changed.
  for (size_t step = 0; step < count_; ++step) {
    const size_t i = next_ + step < count_ ? next_ + step : next_ + step - count_;
    WatchedPath& candidate = paths_[i];
    if (candidate.hash != hash || candidate.root != root || candidate.length != length) continue;
    if (!IsEqual(texts_ + candidate.text, path, length)) continue;
    next_ = i + 1 < count_ ? i + 1 : 0;
    return &candidate;
  }
  return nullptr;
}

WatchedPath* WatchTable::Add(size_t root, const RelativePath& path, const PathState& before) {
  if (count_ == kCapacity || kTexts - text_size_ <= path.length()) return nullptr;
  WatchedPath& added = paths_[count_++];
  added = {before,
           static_cast<uint32_t>(text_size_),
           HashOf(root, path.c_str(), path.length()),
           static_cast<uint16_t>(path.length()),
           static_cast<uint8_t>(root),
           false,
           Change::kUnseen};
  memcpy(texts_ + text_size_, path.c_str(), path.length() + 1);
  text_size_ += path.length() + 1;
  return &added;
}

void WatchTable::Truncate(size_t count) {
  if (count >= count_) return;
  text_size_ = paths_[count].text;
  count_ = count;
  next_ = 0;
}

}  // namespace bashward::supervisor
