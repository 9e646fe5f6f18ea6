// SipHash-1-3 of bytes that come in pieces. Without the key nobody finds two contents of one hash.
#ifndef BASHWARD_SUPERVISOR_KEYED_HASH_H_
#define BASHWARD_SUPERVISOR_KEYED_HASH_H_

#include <stddef.h>
#include <stdint.h>

namespace bashward::supervisor {

struct HashKey {
  uint64_t low;
  uint64_t high;
};

class KeyedHash {
 public:
  explicit KeyedHash(const HashKey& key)
      : v0_(key.low ^ 0x736f6d6570736575),
        v1_(key.high ^ 0x646f72616e646f6d),
        v2_(key.low ^ 0x6c7967656e657261),
        v3_(key.high ^ 0x7465646279746573) {}

  void Add(const void* bytes, size_t size) {
    const auto* position = static_cast<const unsigned char*>(bytes);
    const unsigned char* const end = position + size;
    for (; position != end && length_ % kWord != 0; ++position) AddByte(*position);
    for (; end - position >= static_cast<ptrdiff_t>(kWord); position += kWord) {
      uint64_t word;
      __builtin_memcpy(&word, position, kWord);  // both architectures are little-endian
      Mix(word);
      length_ += kWord;
    }
    for (; position != end; ++position) AddByte(*position);
  }

  uint64_t Finish() {
    Mix(pending_ | length_ << 56);
    v2_ ^= 0xff;
    for (int round = 0; round < 3; ++round) Round();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  static constexpr size_t kWord = sizeof(uint64_t);

  static uint64_t Rotate(uint64_t value, unsigned bits) { return value << bits | value >> (64 - bits); }

  void AddByte(unsigned char byte) {
    pending_ |= static_cast<uint64_t>(byte) << (8 * (length_ % kWord));
    if (++length_ % kWord != 0) return;
    Mix(pending_);
    pending_ = 0;
  }
  void Mix(uint64_t word) {
    v3_ ^= word;
    Round();
    v0_ ^= word;
  }
  void Round() {
    v0_ += v1_;
    v1_ = Rotate(v1_, 13) ^ v0_;
    v0_ = Rotate(v0_, 32);
    v2_ += v3_;
    v3_ = Rotate(v3_, 16) ^ v2_;
    v0_ += v3_;
    v3_ = Rotate(v3_, 21) ^ v0_;
    v2_ += v1_;
    v1_ = Rotate(v1_, 17) ^ v2_;
    v2_ = Rotate(v2_, 32);
  }

  uint64_t v0_, v1_, v2_, v3_;
  uint64_t pending_ = 0;  // the bytes of a word that is not complete
  uint64_t length_ = 0;
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_KEYED_HASH_H_
