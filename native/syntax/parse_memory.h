// The memory of one parse, and the way out of it.
//
// tree-sitter asks its progress callback too seldom to keep a deadline: it has been seen to recover from an
// error for 26 seconds without asking. But it allocates and frees all the time. So its allocator looks at the
// clock, and jumps out of the parse when the time is over. Nothing is left of that parse: all it had, the
// parser included, was in here.
#ifndef BASHWARD_SYNTAX_PARSE_MEMORY_H_
#define BASHWARD_SYNTAX_PARSE_MEMORY_H_

#include <setjmp.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace bashward::syntax {

struct ParseLimits {
  std::chrono::steady_clock::time_point deadline;
  // Looked at as often as the clock; may be null.
  const std::atomic<bool>* cancelled = nullptr;
  size_t bytes = size_t{128} * 1024 * 1024;
};

class ParseMemory {
 public:
  explicit ParseMemory(const ParseLimits& limits) : limits_(limits) {}
  ~ParseMemory();
  ParseMemory(const ParseMemory&) = delete;
  ParseMemory& operator=(const ParseMemory&) = delete;

  // Calls step(argument) with tree-sitter's allocations in this thread coming from here. False when a limit
  // was reached: then the step was left by longjmp, which runs no destructors. So neither it nor what it
  // calls may have a local variable with one, and nothing that it allocated may be used any more.
  bool Run(void (*step)(void*), void* argument);

  // For what runs in a step: leaves it if a limit has been reached. CheckLimits looks only now and then, as
  // every allocation does.
  static void CheckLimits();
  static void LookAtLimits();

 private:
  struct TreeSitterAllocator;
  struct Chunk;
  struct Large;
  struct FreeBlock;

  // Blocks up to this size are cut from chunks, and kept in lists by size when they are freed.
  static constexpr size_t kLargestSmall = 512;
  static constexpr size_t kUnit = 8;

  void* Allocate(size_t size);
  void* Reallocate(void* block, size_t size);
  void Free(void* block);

  void* AllocateSmall(size_t units);
  void* AllocateLarge(size_t size);
  void* ReallocateLarge(Large* large, size_t size);
  void AddChunk();
  void Take(size_t bytes);
  void Check();
  void Look();
  [[noreturn]] void Leave();

  const ParseLimits limits_;
  size_t bytes_ = 0;  // taken from the C library
  uint32_t checks_until_look_ = 1;
  Chunk* chunks_ = nullptr;
  char* unused_ = nullptr;  // of the newest chunk
  char* unused_end_ = nullptr;
  FreeBlock* free_[kLargestSmall / kUnit + 1] = {};  // by units
  Large* large_ = nullptr;
  jmp_buf way_out_;
};

}  // namespace bashward::syntax

#endif  // BASHWARD_SYNTAX_PARSE_MEMORY_H_
