#include "syntax/parse_memory.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "syntax/check_limits.h"

#if defined(__SANITIZE_ADDRESS__)
#define BASHWARD_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BASHWARD_ASAN 1
#endif
#endif

namespace bashward::syntax {
namespace {

// A few microseconds of parsing.
constexpr uint32_t kChecksBetweenLooks = 128;
// The first one is all that an ordinary command needs.
constexpr size_t kFirstChunk = size_t{32} * 1024;
constexpr size_t kLargestChunk = size_t{1024} * 1024;

#ifdef BASHWARD_ASAN
constexpr bool kHasSmallBlocks =
    false;  // AddressSanitizer sees the C library's blocks, not the parts of a chunk
#else
constexpr bool kHasSmallBlocks = true;
#endif

thread_local ParseMemory* running = nullptr;

// Stands before every block. Eight bytes are all the alignment that tree-sitter's types ask for.
struct Header {
  size_t units;  // 0: a large block
};

Header* HeaderOf(void* block) {
  return static_cast<Header*>(block) - 1;
}

}  // namespace

struct ParseMemory::Chunk {
  Chunk* older;
  size_t size;
};

struct ParseMemory::FreeBlock {
  FreeBlock* next;
};

struct ParseMemory::Large {
  Large* previous;
  Large* next;
  size_t size;  // of the block
  Header header;

  static Large* Of(void* block) { return static_cast<Large*>(block) - 1; }
  void* block() { return this + 1; }
};

struct ParseMemory::TreeSitterAllocator {
  TreeSitterAllocator() { ts_set_allocator(Allocate, AllocateZeroed, Reallocate, Free); }

  static void* Allocate(size_t size) { return running->Allocate(size); }
  static void* AllocateZeroed(size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size) running->Leave();
    return std::memset(running->Allocate(count * size), 0, count * size);
  }
  static void* Reallocate(void* block, size_t size) { return running->Reallocate(block, size); }
  static void Free(void* block) { running->Free(block); }
};

ParseMemory::~ParseMemory() {
  for (Chunk* chunk = chunks_; chunk != nullptr;) std::free(std::exchange(chunk, chunk->older));
  for (Large* large = large_; large != nullptr;) std::free(std::exchange(large, large->next));
}

bool ParseMemory::Run(void (*step)(void*), void* argument) {
  static const TreeSitterAllocator allocator;
  running = this;
  if (setjmp(way_out_) != 0) {
    running = nullptr;
    return false;
  }
  step(argument);
  running = nullptr;
  return true;
}

void ParseMemory::CheckLimits() {
  running->Check();
}

void ParseMemory::LookAtLimits() {
  running->Look();
}

void ParseMemory::Check() {
  if (--checks_until_look_ == 0) Look();
}

void ParseMemory::Look() {
  checks_until_look_ = kChecksBetweenLooks;
  if (limits_.cancelled != nullptr && limits_.cancelled->load(std::memory_order_relaxed)) Leave();
  if (std::chrono::steady_clock::now() >= limits_.deadline) Leave();
}

void ParseMemory::Leave() {
  longjmp(way_out_, 1);
}

void ParseMemory::Take(size_t bytes) {
  if (bytes > limits_.bytes || bytes_ > limits_.bytes - bytes) Leave();
  bytes_ += bytes;
}

void* ParseMemory::Allocate(size_t size) {
  Check();
  if (!kHasSmallBlocks || size > kLargestSmall) return AllocateLarge(size);
  return AllocateSmall(std::max<size_t>((size + kUnit - 1) / kUnit, 1));
}

void* ParseMemory::AllocateSmall(size_t units) {
  if (FreeBlock* block = free_[units]; block != nullptr) {
    free_[units] = block->next;
    return block;
  }
  const size_t size = sizeof(Header) + units * kUnit;
  if (static_cast<size_t>(unused_end_ - unused_) < size) AddChunk();
  auto* header = reinterpret_cast<Header*>(unused_);
  unused_ += size;
  header->units = units;
  return header + 1;
}

void ParseMemory::AddChunk() {
  const size_t size = chunks_ == nullptr ? kFirstChunk : std::min(2 * chunks_->size, kLargestChunk);
  Take(size);
  auto* chunk = static_cast<Chunk*>(std::malloc(size));
  if (chunk == nullptr) Leave();
  chunk->older = chunks_;
  chunk->size = size;
  chunks_ = chunk;
  unused_ = reinterpret_cast<char*>(chunk + 1);
  unused_end_ = reinterpret_cast<char*>(chunk) + size;
}

void* ParseMemory::AllocateLarge(size_t size) {
  Take(size);
  auto* large = static_cast<Large*>(std::malloc(sizeof(Large) + size));
  if (large == nullptr) Leave();
  *large = {nullptr, large_, size, {0}};
  if (large_ != nullptr) large_->previous = large;
  large_ = large;
  return large->block();
}

void* ParseMemory::Reallocate(void* block, size_t size) {
  if (block == nullptr) return Allocate(size);
  Check();
  const size_t units = HeaderOf(block)->units;
  if (units == 0) return ReallocateLarge(Large::Of(block), size);
  if (size <= units * kUnit) return block;
  void* larger = Allocate(size);
  std::memcpy(larger, block, units * kUnit);
  Free(block);
  return larger;
}

void* ParseMemory::ReallocateLarge(Large* large, size_t size) {
  if (size > large->size) Take(size - large->size);
  auto* moved = static_cast<Large*>(std::realloc(large, sizeof(Large) + size));
  if (moved == nullptr) Leave();
  if (size < moved->size) bytes_ -= moved->size - size;
  moved->size = size;
  (moved->previous != nullptr ? moved->previous->next : large_) = moved;
  if (moved->next != nullptr) moved->next->previous = moved;
  return moved->block();
}

void ParseMemory::Free(void* block) {
  Check();
  if (block == nullptr) return;
  if (const size_t units = HeaderOf(block)->units; units != 0) {
    auto* freed = static_cast<FreeBlock*>(block);
    freed->next = free_[units];
    free_[units] = freed;
    return;
  }
  Large* large = Large::Of(block);
  bytes_ -= large->size;
  (large->previous != nullptr ? large->previous->next : large_) = large->next;
  if (large->next != nullptr) large->next->previous = large->previous;
  std::free(large);
}

}  // namespace bashward::syntax
extern "C" void bashward_check_limits() {
  bashward::syntax::ParseMemory::CheckLimits();
}
