#include "syntax/parse_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "syntax/notation.h"

// As tree-sitter calls its allocator.
extern "C" {
extern void* (*ts_current_malloc)(size_t size);
extern void* (*ts_current_calloc)(size_t count, size_t size);
extern void* (*ts_current_realloc)(void* block, size_t size);
extern void (*ts_current_free)(void* block);
}

namespace bashward::syntax {
namespace {

constexpr size_t kLimit = size_t{1024} * 1024;

class ParseMemoryTest : public testing::Test {
 protected:
  // The steps have no variables with destructors: they may be left.
  bool Run(void (*step)(void*), void* argument = nullptr) { return memory_.Run(step, argument); }

 private:
  static ParseLimits Limits() {
    ParseLimits limits = AnHour();
    limits.bytes = kLimit;
    return limits;
  }
  ParseMemory memory_{Limits()};
};

TEST_F(ParseMemoryTest, GivesBlocksThatDoNotOverlap) {
  EXPECT_TRUE(Run([](void*) {
    constexpr int kBlocks = 400;
    char* blocks[kBlocks];
    for (int i = 0; i < kBlocks; ++i) {
      blocks[i] = static_cast<char*>(ts_current_malloc(3 * i));
      std::memset(blocks[i], i, 3 * i);
    }
    for (int i = 0; i < kBlocks; ++i) {
      for (int at = 0; at < 3 * i; ++at) ASSERT_EQ(blocks[i][at], static_cast<char>(i));
    }
  }));
}

TEST_F(ParseMemoryTest, KeepsTheContentsOfABlockThatGrowsAndShrinks) {
  EXPECT_TRUE(Run([](void*) {
    char* block = static_cast<char*>(ts_current_realloc(nullptr, 5));
    std::memcpy(block, "abcd", 5);
    for (const size_t size : {8, 9, 100, 512, 513, 5000, 100'000, 600, 5}) {
      block = static_cast<char*>(ts_current_realloc(block, size));
      ASSERT_STREQ(block, "abcd");
    }
  }));
}

TEST_F(ParseMemoryTest, KeepsOtherLargeBlocksWhenOneMovesOrIsFreed) {
  EXPECT_TRUE(Run([](void*) {
    char* blocks[3];
    for (char*& block : blocks) block = static_cast<char*>(std::memset(ts_current_malloc(1000), 'x', 1000));
    blocks[1] = static_cast<char*>(ts_current_realloc(blocks[1], 200'000));
    ts_current_free(blocks[0]);
    blocks[2] = static_cast<char*>(ts_current_realloc(blocks[2], 200'000));
    ts_current_free(blocks[1]);
    ASSERT_EQ(blocks[2][999], 'x');
  }));
}

TEST_F(ParseMemoryTest, ZeroesWhatShallBeZero) {
  EXPECT_TRUE(Run([](void*) {
    void* used = std::memset(ts_current_malloc(96), 'x', 96);
    ts_current_free(used);
    const char* zeroed = static_cast<char*>(ts_current_calloc(8, 12));
    for (int at = 0; at < 96; ++at) ASSERT_EQ(zeroed[at], 0);
  }));
}

TEST_F(ParseMemoryTest, TakesWhatIsFreedAgain) {
  EXPECT_TRUE(Run([](void*) {
    for (const size_t size : {size_t{40}, kLimit / 2}) {
      for (size_t total = 0; total < 4 * kLimit; total += size) ts_current_free(ts_current_malloc(size));
    }
  }));
}

TEST_F(ParseMemoryTest, LeavesAStepThatTakesTooMuchInSmallBlocks) {
  EXPECT_FALSE(Run([](void*) {
    for (size_t total = 0; total < 2 * kLimit; total += 40) ts_current_malloc(40);
  }));
}

TEST_F(ParseMemoryTest, LeavesAStepThatTakesTooMuchAtOnce) {
  for (const size_t size : {kLimit + 1, SIZE_MAX - 8, SIZE_MAX}) {
    size_t taken = size;
    EXPECT_FALSE(Run([](void* argument) { ts_current_malloc(*static_cast<size_t*>(argument)); }, &taken));
  }
  EXPECT_FALSE(Run([](void*) { ts_current_calloc(SIZE_MAX / 2, 3); }));
  EXPECT_FALSE(Run([](void*) { ts_current_realloc(ts_current_malloc(1000), SIZE_MAX); }));
}

TEST_F(ParseMemoryTest, KeepsBlocksFromOneStepToTheNext) {
  char* block = nullptr;
  ASSERT_TRUE(Run(
      [](void* argument) {
        *static_cast<char**>(argument) = static_cast<char*>(std::memset(ts_current_malloc(2000), 'x', 2000));
      },
      &block));
  ASSERT_TRUE(Run([](void* argument) { ts_current_free(*static_cast<char**>(argument)); }, &block));
}

}  // namespace
}  // namespace bashward::syntax
