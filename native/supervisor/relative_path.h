// A path in a root, put together component by component.
#ifndef BASHWARD_SUPERVISOR_RELATIVE_PATH_H_
#define BASHWARD_SUPERVISOR_RELATIVE_PATH_H_

#include <stddef.h>
#include <string.h>

namespace bashward::supervisor {

class RelativePath {
 public:
  static constexpr size_t kCapacity = 1024;

  RelativePath() { text_[0] = '\0'; }

  // A slash, if the path is not empty, and the text. False, and nothing happens, when that is too long.
  bool Push(const char* text, size_t size) {
    const size_t slash = length_ == 0 ? 0 : 1;
    if (length_ + slash + size >= kCapacity) return false;
    if (slash != 0) text_[length_] = '/';
    memcpy(text_ + length_ + slash, text, size);
    length_ += slash + size;
    text_[length_] = '\0';
    return true;
  }
  bool Push(const char* text) { return Push(text, strlen(text)); }
  // Back to the length that it had.
  void Cut(size_t length) {
    length_ = length;
    text_[length] = '\0';
  }
  const char* c_str() const { return text_; }
  size_t length() const { return length_; }

 private:
  size_t length_ = 0;
  char text_[kCapacity];
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_RELATIVE_PATH_H_
