#include "supervisor/keyed_hash.h"

#include <gtest/gtest.h>

#include <string>

namespace bashward::supervisor {
namespace {

constexpr HashKey kNoKey{0, 0};

uint64_t HashOf(const std::string& text, const HashKey& key = kNoKey) {
  KeyedHash hash(key);
  hash.Add(text.data(), text.size());
  return hash.Finish();
}

// As Python 3.11 has it with PYTHONHASHSEED=0.
TEST(KeyedHash, IsSipHash13) {
  EXPECT_EQ(HashOf("a"), 0x407448d2b89b1813U);
  EXPECT_EQ(HashOf("abc"), 0xc03bc3a0042630f2U);
  EXPECT_EQ(HashOf("abcdefgh"), 0x3f7b849c0b8e35eaU);
  EXPECT_EQ(HashOf("abcdefghijklmno"), 0x1fd27a29b0e9dc7aU);
  std::string bytes;
  for (char byte = 0; byte < 100; ++byte) bytes += byte;
  EXPECT_EQ(HashOf(bytes), 0x1c6a66e1506e7908U);
}

TEST(KeyedHash, IsTheSameHoweverTheBytesCome) {
  std::string bytes;
  for (int i = 0; i < 61; ++i) bytes += static_cast<char>(i * 7);
  for (size_t first = 0; first <= bytes.size(); ++first) {
    for (size_t second = first; second <= bytes.size(); ++second) {
      KeyedHash hash(kNoKey);
      hash.Add(bytes.data(), first);
      hash.Add(bytes.data() + first, second - first);
      hash.Add(bytes.data() + second, bytes.size() - second);
      ASSERT_EQ(hash.Finish(), HashOf(bytes)) << first << " " << second;
    }
  }
}

TEST(KeyedHash, DependsOnTheKey) {
  EXPECT_NE(HashOf("content", {1, 0}), HashOf("content", {0, 0}));
  EXPECT_NE(HashOf("content", {0, 1}), HashOf("content", {0, 0}));
}

}  // namespace
}  // namespace bashward::supervisor
