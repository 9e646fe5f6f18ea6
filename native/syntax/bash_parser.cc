#include "syntax/bash_parser.h"

#include <algorithm>
#include <limits>
#include <new>

#include "syntax/grammar.h"

namespace bashward::syntax {
namespace {

constexpr size_t kBytesPerUnit = sizeof(char16_t);
// tree-sitter counts bytes in 32 bits.
constexpr size_t kMaxUnits = std::numeric_limits<uint32_t>::max() / kBytesPerUnit / 2;
// The limits are looked at before each portion of the text.
constexpr size_t kPortion = 1024;

// What goes into a step of ParseMemory::Run and what comes out.
struct Job {
  std::u16string_view text;
  const TSTree* tree = nullptr;
  int32_t* nodes = nullptr;
};

bool IsLeading(char16_t unit) {
  return (unit & 0xfc00) == 0xd800;
}

const char* ReadText(void* job, uint32_t byte, TSPoint, uint32_t* bytes) {
  ParseMemory::LookAtLimits();
  const std::u16string_view text = static_cast<const Job*>(job)->text;
  const size_t from = std::min(byte / kBytesPerUnit, text.size());
  size_t units = std::min(kPortion, text.size() - from);
  if (units == kPortion && IsLeading(text[from + units - 1]) && from + units < text.size()) ++units;
  *bytes = static_cast<uint32_t>(units * kBytesPerUnit);
  return reinterpret_cast<const char*>(text.data() + from);
}

// Instead of tree-sitter's own UTF-16, which reads beyond the end after a leading surrogate. A surrogate
// without its partner is a character like any other.
uint32_t DecodeCharacter(const uint8_t* bytes, uint32_t size, int32_t* character) {
  const auto* units = reinterpret_cast<const char16_t*>(bytes);
  *character = units[0];
  if (!IsLeading(units[0]) || size < 2 * kBytesPerUnit || (units[1] & 0xfc00) != 0xdc00) {
    return kBytesPerUnit;
  }
  *character = 0x10000 + ((units[0] & 0x3ff) << 10) + (units[1] & 0x3ff);
  return 2 * kBytesPerUnit;
}

bool GoOn(TSParseState*) {
  ParseMemory::CheckLimits();
  return false;
}

void ParseText(void* argument) {
  auto* job = static_cast<Job*>(argument);
  TSParser* parser = ts_parser_new();
  ts_parser_set_language(parser, tree_sitter_bash());
  const TSInput input = {job, ReadText, TSInputEncodingCustom, DecodeCharacter};
  job->tree = ts_parser_parse_with_options(parser, nullptr, input, {nullptr, GoOn});
}

void FlattenTree(void* argument) {
  const auto* job = static_cast<Job*>(argument);
  Flatten(job->tree, job->nodes);
}

}  // namespace

FlatTree Parse(std::u16string_view text, const ParseLimits& limits) {
  if (text.size() > kMaxUnits) return {};
  ParseMemory memory(limits);
  Job job{text};
  if (!memory.Run(ParseText, &job) || job.tree == nullptr) return {};
  FlatTree flat;
  flat.size = CountNodes(job.tree) * kFieldsPerNode;
  flat.nodes.reset(new (std::nothrow) int32_t[flat.size]);
  job.nodes = flat.nodes.get();
  if (job.nodes == nullptr || !memory.Run(FlattenTree, &job)) return {};
  return flat;
}

}  // namespace bashward::syntax
