#include "supervisor/out_of_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include "sys/unique_fd.h"
#include "util/text.h"

namespace bashward::supervisor {

void OfferToOutOfMemoryKiller() {
  constexpr int kMost = 1000;
  constexpr int kRaise = 100;
  const char path[] = "/proc/self/oom_score_adj";
  char text[16]{};
  const sys::UniqueFd file(open(path, O_RDWR | O_CLOEXEC));
  if (!file.valid() || read(file.get(), text, sizeof text - 1) <= 0) return;
  const bool negative = text[0] == '-';
  const char* position = text + (negative ? 1 : 0);
  const int number = static_cast<int>(util::TakeNumber(&position));
  const int score = (negative ? -number : number) + kRaise;
  util::Text<16> raised;
  raised << (score < kMost ? score : kMost);
  const bool written = pwrite(file.get(), raised.c_str(), raised.size(), 0) > 0;
  static_cast<void>(written);  // a second line of defence
}

}  // namespace bashward::supervisor
