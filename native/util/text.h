// Small texts put together from pieces, without stdio.
#ifndef BASHWARD_UTIL_TEXT_H_
#define BASHWARD_UTIL_TEXT_H_

#include <stddef.h>
#include <stdint.h>

namespace bashward::util {

// A text of at most `kCapacity - 1` bytes; what does not fit is cut off.
template <size_t kCapacity>
class Text {
 public:
  Text& operator<<(const char* text) {
    while (*text != '\0') Add(*text++);
    return *this;
  }
  Text& operator<<(uint64_t number) {
    char digits[20];
    size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    while (count > 0) Add(digits[--count]);
    return *this;
  }
  Text& operator<<(int number) {
    if (number < 0) Add('-');
    const int64_t wide = number;
    return *this << static_cast<uint64_t>(wide < 0 ? -wide : wide);
  }
  const char* c_str() const { return text_; }
  size_t size() const { return length_; }

 private:
  void Add(char c) {
    if (length_ + 1 == kCapacity) return;
    text_[length_++] = c;
    text_[length_] = '\0';
  }

  char text_[kCapacity] = {};
  size_t length_ = 0;
};

// Bytes for people, as lib/processes/output/bytes.ts writes them: 512B, 128.0KB, 3.0MB.
template <size_t kCapacity>
void AppendSize(Text<kCapacity>* text, uint64_t bytes) {
  static constexpr const char* kUnits[] = {"KB", "MB", "GB"};
  if (bytes < 1024) {
    *text << bytes << "B";
    return;
  }
  uint64_t divisor = 1024;
  size_t unit = 0;
  // In tenths, rounded: what would be printed as 1024.0 is 1.0 of the next unit.
  const auto tenths = [&] { return (bytes * 10 + divisor / 2) / divisor; };
  for (; unit + 1 < sizeof kUnits / sizeof *kUnits && tenths() >= 10240; ++unit) divisor *= 1024;
  *text << tenths() / 10 << "." << tenths() % 10 << kUnits[unit];
}

// Such as /proc/123/task/124/children.
using ProcPath = Text<96>;

inline bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// Reads a decimal number and moves `*position` behind it; 0 where there is none.
inline uint64_t TakeNumber(const char** position) {
  uint64_t number = 0;
  while (IsDigit(**position)) number = number * 10 + static_cast<uint64_t>(*(*position)++ - '0');
  return number;
}

}  // namespace bashward::util

#endif  // BASHWARD_UTIL_TEXT_H_
