// What a live view sees of a stream: a limited number of bytes between two looks, and a count of what it
// missed.
#ifndef BASHWARD_UTIL_LIVE_WINDOW_H_
#define BASHWARD_UTIL_LIVE_WINDOW_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace bashward::util {

class LiveWindow {
 public:
  struct Piece {
    std::string bytes;
    uint64_t dropped;  // bytes of the stream between the previous piece and this one
  };

  explicit LiveWindow(size_t limit) : limit_(limit) {}

  // Takes what still fits; the rest is dropped.
  void Append(const char* data, size_t size);
  void Skip(uint64_t size) { dropped_after_ += size; }

  bool full() const { return bytes_.size() == limit_; }
  // Nothing to show, not even that something was dropped.
  bool empty() const { return bytes_.empty() && dropped_before_ == 0 && dropped_after_ == 0; }

  // The next piece, and room for another. Over all pieces, bytes and drops add up to the stream; a piece may
  // hold no bytes when the stream ends in a drop.
  Piece Take();

 private:
  size_t limit_;
  std::string bytes_;
  uint64_t dropped_before_ = 0;
  uint64_t dropped_after_ = 0;
};

}  // namespace bashward::util

#endif  // BASHWARD_UTIL_LIVE_WINDOW_H_
