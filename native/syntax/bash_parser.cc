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

constexpr std::string_view kOrdinary =
    "\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x10\x11\x12\x13"
    "\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x7f";

// Input and output of a step of ParseMemory::Run.
struct Job {
  std::u16string_view text;
  const TSTree* tree = nullptr;
  int32_t* nodes = nullptr;
};

const char* ReadText(void* job, uint32_t byte, TSPoint, uint32_t* bytes) {
  ParseMemory::LookAtLimits();
  const std::u16string_view text = static_cast<const Job*>(job)->text;
  const size_t from = std::min(byte / kBytesPerUnit, text.size());
  *bytes = static_cast<uint32_t>(std::min(kPortion, text.size() - from) * kBytesPerUnit);
  return reinterpret_cast<const char*>(text.data() + from);
}

// To bash, whatever is neither printable ASCII nor a tab or a newline is a word character like any other.
// The grammar disagrees about some: it takes NUL for the end and CR for a blank, and compares delimiters of
// here-documents by the lowest eight bits. It agrees about 27 control characters; one of them, chosen by
// the code unit, stands in for each of the others. Neither minds that half a surrogate pair is no
// character.
uint32_t DecodeUnit(const uint8_t* bytes, uint32_t, int32_t* character) {
  const char16_t unit = *reinterpret_cast<const char16_t*>(bytes);
  const bool is_known = (unit >= ' ' && unit <= '~') || unit == '\t' || unit == '\n';
  *character = is_known ? unit : kOrdinary[unit % kOrdinary.size()];
  return kBytesPerUnit;
}

bool GoOn(TSParseState*) {
  ParseMemory::CheckLimits();
  return false;
}

void ParseText(void* argument) {
  auto* job = static_cast<Job*>(argument);
  TSParser* parser = ts_parser_new();
  ts_parser_set_language(parser, tree_sitter_bash());
  const TSInput input = {job, ReadText, TSInputEncodingCustom, DecodeUnit};
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
