// What was found behind the watched paths, in memory of a fixed size.
#ifndef BASHWARD_SUPERVISOR_WATCH_TABLE_H_
#define BASHWARD_SUPERVISOR_WATCH_TABLE_H_

#include <stddef.h>
#include <stdint.h>

#include "supervisor/path_state.h"
#include "supervisor/relative_path.h"

namespace bashward::supervisor {

enum class Change : uint8_t {
  kUnseen,  // nobody has looked again
  kNone,
  kContent,  // or permissions
  kCreated,
  kReplaced,  // by something of another type
  kRemoved,
};

// Of a directory: what has become of its entries follows from it.
inline bool SaysEnough(Change change) {
  return change == Change::kCreated || change == Change::kRemoved || change == Change::kReplaced;
}

struct WatchedPath {
  PathState before;
  uint32_t text;  // in the table
  uint32_t hash;
  uint16_t length;
  uint8_t root;
  bool crowded;  // a directory with more entries than are looked at
  Change change;
};

class WatchTable {
 public:
  static constexpr size_t kCapacity = 1024;

  void Clear() { count_ = text_size_ = next_ = 0; }
  // Null when it is not there.
  WatchedPath* Find(size_t root, const char* path, size_t length);
  // Null when the table is full.
  WatchedPath* Add(size_t root, const RelativePath& path, const PathState& before);
  // Forgets what was added last.
  void Truncate(size_t count);

  size_t count() const { return count_; }
  WatchedPath& operator[](size_t i) { return paths_[i]; }
  const char* TextOf(const WatchedPath& path) const { return texts_ + path.text; }

 private:
  static constexpr size_t kTexts = 64 * 1024;

  size_t count_ = 0;
  size_t text_size_ = 0;
  size_t next_ = 0;  // behind the one that was found last
  WatchedPath paths_[kCapacity];
  char texts_[kTexts];
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WATCH_TABLE_H_
