#include "util/head_tail_buffer.h"

#include <algorithm>

namespace bashward::util {

void HeadTailBuffer::Append(const char* data, size_t size) {
  total_ += size;
  if (head_.size() < head_limit_) {
    const size_t taken = std::min(size, head_limit_ - head_.size());
    head_.append(data, taken);
    data += taken;
    size -= taken;
  }
  if (size >= tail_limit_) {
    tail_.assign(data + (size - tail_limit_), tail_limit_);
    return;
  }
  if (tail_.size() + size > 2 * tail_limit_) tail_.erase(0, tail_.size() - (tail_limit_ - size));
  tail_.append(data, size);
}

void HeadTailBuffer::Skip(uint64_t size) {
  total_ += size;
  tail_.clear();
}

std::string HeadTailBuffer::tail() const {
  return tail_.substr(tail_.size() > tail_limit_ ? tail_.size() - tail_limit_ : 0);
}

std::string HeadTailBuffer::TakeTail() {
  if (tail_.size() > tail_limit_) tail_.erase(0, tail_.size() - tail_limit_);
  return std::move(tail_);
}

}  // namespace bashward::util
