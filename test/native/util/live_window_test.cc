#include "util/live_window.h"

#include <gtest/gtest.h>

#include <string>

namespace bashward::util {
namespace {

void Append(LiveWindow* window, const std::string& bytes) {
  window->Append(bytes.data(), bytes.size());
}

TEST(LiveWindow, IsEmptyAtFirst) {
  EXPECT_TRUE(LiveWindow(4).empty());
}

TEST(LiveWindow, ShowsWhatFits) {
  LiveWindow window(4);
  Append(&window, "ab");
  Append(&window, "cd");
  EXPECT_TRUE(window.full());
  const LiveWindow::Piece piece = window.Take();
  EXPECT_EQ(piece.bytes, "abcd");
  EXPECT_EQ(piece.dropped, 0U);
  EXPECT_TRUE(window.empty());
}

TEST(LiveWindow, HasRoomAgainAfterALook) {
  LiveWindow window(4);
  Append(&window, "abcd");
  window.Take();
  EXPECT_FALSE(window.full());
  Append(&window, "efgh");
  EXPECT_EQ(window.Take().bytes, "efgh");
}

TEST(LiveWindow, CountsADropBeforeThePieceThatFollowsIt) {
  LiveWindow window(4);
  Append(&window, "abcdefg");
  const LiveWindow::Piece first = window.Take();
  EXPECT_EQ(first.bytes, "abcd");
  EXPECT_EQ(first.dropped, 0U);
  Append(&window, "hi");
  const LiveWindow::Piece second = window.Take();
  EXPECT_EQ(second.bytes, "hi");
  EXPECT_EQ(second.dropped, 3U);
}

TEST(LiveWindow, DropsWhatComesAfterADropUntilTheNextLook) {
  LiveWindow window(4);
  Append(&window, "ab");
  window.Skip(10);
  Append(&window, "cd");
  EXPECT_EQ(window.Take().bytes, "ab");
  EXPECT_EQ(window.Take().dropped, 12U);
}

TEST(LiveWindow, ReportsADropAtTheEndInAPieceWithoutBytes) {
  LiveWindow window(4);
  Append(&window, "abcdefg");
  window.Take();
  EXPECT_FALSE(window.empty());
  const LiveWindow::Piece last = window.Take();
  EXPECT_EQ(last.bytes, "");
  EXPECT_EQ(last.dropped, 3U);
  EXPECT_TRUE(window.empty());
}

TEST(LiveWindow, ShowsNothingWithALimitOfZeroAndCountsAll) {
  LiveWindow window(0);
  EXPECT_TRUE(window.full());
  Append(&window, "abc");
  EXPECT_EQ(window.Take().bytes, "");
  EXPECT_EQ(window.Take().dropped, 3U);
}

TEST(LiveWindow, AddsUpToTheStreamWhateverTheOrder) {
  LiveWindow window(16);
  uint64_t streamed = 0;
  uint64_t shown = 0;
  const auto look = [&] {
    const LiveWindow::Piece piece = window.Take();
    EXPECT_LE(piece.bytes.size(), 16U);
    shown += piece.bytes.size() + piece.dropped;
  };
  uint32_t random = 1;
  for (int i = 0; i < 10'000; ++i) {
    random = random * 1664525 + 1013904223;
    const uint32_t size = (random >> 8) % 23;
    switch (random >> 30) {
      case 0:
        look();
        break;
      case 1:
        window.Skip(size);
        streamed += size;
        break;
      default:
        Append(&window, std::string(size, 'x'));
        streamed += size;
    }
  }
  while (!window.empty()) look();
  EXPECT_EQ(shown, streamed);
}

}  // namespace
}  // namespace bashward::util
