// Small numbers and paths as text, without stdio.
#ifndef BASHWARD_SUPERVISOR_TEXT_H_
#define BASHWARD_SUPERVISOR_TEXT_H_

#include <stddef.h>

namespace bashward::supervisor {

// A path such as /proc/123/task/124/children, put together from pieces. What does not fit is cut off; the paths here
// are far shorter.
class Path {
 public:
  Path& operator<<(const char* text) {
    while (*text != '\0' && length_ < sizeof text_ - 1) text_[length_++] = *text++;
    text_[length_] = '\0';
    return *this;
  }
  Path& operator<<(int number) {
    char digits[12];
    size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    while (count > 0 && length_ < sizeof text_ - 1) text_[length_++] = digits[--count];
    text_[length_] = '\0';
    return *this;
  }
  const char* c_str() const { return text_; }

 private:
  char text_[96] = {};
  size_t length_ = 0;
};

inline bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads a decimal number and moves `*position` behind it; 0 where there is none. Numbers here fit an int.
inline int TakeNumber(const char** position) {
  int number = 0;
  while (IsDigit(**position)) number = number * 10 + (*(*position)++ - '0');
  return number;
}

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_TEXT_H_
