#include "util/live_window.h"

#include <algorithm>
#include <utility>

namespace bashward::util {

void LiveWindow::Append(const char* data, size_t size) {
  // Once something was dropped, later bytes are dropped too until the next look: a piece is contiguous.
  const size_t room = dropped_after_ == 0 ? limit_ - bytes_.size() : 0;
  const size_t taken = std::min(size, room);
  bytes_.append(data, taken);
  dropped_after_ += size - taken;
}

LiveWindow::Piece LiveWindow::Take() {
  Piece piece{std::move(bytes_), dropped_before_};
  bytes_.clear();
  dropped_before_ = dropped_after_;
  dropped_after_ = 0;
  return piece;
}

}  // namespace bashward::util
