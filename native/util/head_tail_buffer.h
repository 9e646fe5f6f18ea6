// The first and the last bytes of a stream of any length, in bounded memory.
#ifndef BASHWARD_UTIL_HEAD_TAIL_BUFFER_H_
#define BASHWARD_UTIL_HEAD_TAIL_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace bashward::util {

class HeadTailBuffer {
 public:
  HeadTailBuffer(size_t head_limit, size_t tail_limit) : head_limit_(head_limit), tail_limit_(tail_limit) {}

  void Append(const char* data, size_t size);
  // Counts bytes that were discarded unseen. The tail starts anew after them.
  void Skip(uint64_t size);

  bool head_full() const { return head_room() == 0; }
  size_t head_room() const { return head_limit_ - head_.size(); }
  const std::string& head() const { return head_; }
  // What TakeTail() would give.
  std::string tail() const;
  size_t tail_limit() const { return tail_limit_; }
  // Bytes appended and skipped so far.
  uint64_t total() const { return total_; }

  std::string TakeHead() { return std::move(head_); }
  // At most `tail_limit` bytes: those just before `total`, never a byte that the head has too.
  std::string TakeTail();

 private:
  size_t head_limit_;
  size_t tail_limit_;
  uint64_t total_ = 0;
  std::string head_;
  std::string tail_;  // up to twice the limit, so that its front is cut off only now and then
};

}  // namespace bashward::util

#endif  // BASHWARD_UTIL_HEAD_TAIL_BUFFER_H_
