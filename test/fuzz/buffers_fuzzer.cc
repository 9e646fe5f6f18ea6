// What is kept of output, and what a live view is shown of it, in whatever pieces it comes: compared with all
// of it.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <string>

#include "require.h"
#include "util/head_tail_buffer.h"
#include "util/live_window.h"

namespace bashward::util {
namespace {

// Bytes of a stream that tell where in it they are.
std::string StreamFrom(uint64_t position, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(position++ % 251);
  return bytes;
}

class View {
 public:
  explicit View(size_t limit) : limit_(limit), window_(limit) {}

  LiveWindow& window() { return window_; }

  void Look() {
    const LiveWindow::Piece piece = window_.Take();
    Require(piece.bytes.size() <= limit_, "a piece is longer than the limit");
    seen_ += piece.dropped;
    Require(piece.bytes == StreamFrom(seen_, piece.bytes.size()), "a piece is not where it is said to be");
    seen_ += piece.bytes.size();
  }

  uint64_t seen() const { return seen_; }

 private:
  size_t limit_;
  LiveWindow window_;
  uint64_t seen_ = 0;
};

}  // namespace
}  // namespace bashward::util

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace bashward;
  using namespace bashward::util;
  FuzzedDataProvider input(data, size);
  const auto head_limit = input.ConsumeIntegralInRange<size_t>(0, 100);
  const auto tail_limit = input.ConsumeIntegralInRange<size_t>(0, 100);
  HeadTailBuffer buffer(head_limit, tail_limit);
  View view(input.ConsumeIntegralInRange<size_t>(1, 100));
  uint64_t total = 0;
  uint64_t tail_start = 0;  // what was skipped is in no tail
  while (input.remaining_bytes() > 0) {
    const auto count = input.ConsumeIntegralInRange<size_t>(0, 300);
    // Nothing is skipped before the head is full.
    if (input.ConsumeIntegralInRange(0, 3) == 0 && buffer.head_full()) {
      buffer.Skip(count);
      view.window().Skip(count);
      tail_start = total + count;
    } else {
      const std::string bytes = StreamFrom(total, count);
      buffer.Append(bytes.data(), bytes.size());
      view.window().Append(bytes.data(), bytes.size());
    }
    total += count;
    if (input.ConsumeBool()) view.Look();
  }
  // The first look may show bytes, and the second what was dropped behind them.
  view.Look();
  view.Look();
  Require(view.seen() == total, "the pieces do not add up to the stream");
  Require(view.window().empty(), "there is always something more to see");

  Require(buffer.total() == total, "the total is another one");
  const std::string head = buffer.TakeHead();
  Require(head == StreamFrom(0, std::min<uint64_t>(head_limit, total)), "the head is not the beginning");
  const std::string tail = buffer.TakeTail();
  const uint64_t free_start = std::max<uint64_t>(head.size(), tail_start);
  const uint64_t expected = std::min<uint64_t>(tail_limit, total - std::min(total, free_start));
  Require(tail == StreamFrom(total - expected, expected), "the tail is not the end");
  return 0;
}
