#include "syntax/bash_parser.h"

#include <new>

#include "syntax/grammar.h"

namespace bashward::syntax {
namespace {

struct Delete {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
};

const char* ReadText(void* text, uint32_t byte, TSPoint, uint32_t* bytes) {
  const auto& units = *static_cast<const std::u16string_view*>(text);
  const size_t size = units.size() * sizeof(char16_t);
  *bytes = byte < size ? static_cast<uint32_t>(size - byte) : 0;
  return reinterpret_cast<const char*>(units.data()) + (byte < size ? byte : size);
}

// Instead of tree-sitter's own UTF-16, which reads beyond the end after a leading surrogate. A surrogate
// without its partner is a character like any other.
uint32_t DecodeUnit(const uint8_t* bytes, uint32_t size, int32_t* character) {
  const auto* units = reinterpret_cast<const char16_t*>(bytes);
  *character = units[0];
  if ((units[0] & 0xfc00) != 0xd800 || size < 2 * sizeof(char16_t) || (units[1] & 0xfc00) != 0xdc00) {
    return sizeof(char16_t);
  }
  *character = 0x10000 + ((units[0] & 0x3ff) << 10) + (units[1] & 0x3ff);
  return 2 * sizeof(char16_t);
}

bool IsOver(TSParseState* state) {
  const auto& limits = *static_cast<const ParseLimits*>(state->payload);
  return (limits.cancelled != nullptr && limits.cancelled->load(std::memory_order_relaxed)) ||
         std::chrono::steady_clock::now() >= limits.deadline;
}

}  // namespace

FlatTree Parse(std::u16string_view text, const ParseLimits& limits) {
  const std::unique_ptr<TSParser, Delete> parser(ts_parser_new());
  ts_parser_set_language(parser.get(), tree_sitter_bash());
  TSParseOptions options = {};
  options.payload = const_cast<ParseLimits*>(&limits);
  options.progress_callback = IsOver;
  const TSInput input = {&text, ReadText, TSInputEncodingCustom, DecodeUnit};
  const std::unique_ptr<TSTree, Delete> tree(
      ts_parser_parse_with_options(parser.get(), nullptr, input, options));
  if (!tree) return {};
  FlatTree flat;
  flat.size = size_t{ts_node_descendant_count(ts_tree_root_node(tree.get()))} * kFieldsPerNode;
  flat.nodes.reset(new (std::nothrow) int32_t[flat.size]);
  if (flat.nodes) Flatten(tree.get(), flat.nodes.get());
  return flat;
}

}  // namespace bashward::syntax
