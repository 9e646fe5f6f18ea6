#include "syntax/flat_tree.h"

#include <unordered_map>

#include "syntax/grammar.h"
#include "syntax/parse_memory.h"

namespace bashward::syntax {
namespace {

// tree-sitter's own symbol for what it could not parse; the grammar's symbols are numbered from 0.
constexpr TSSymbol kErrorSymbol = static_cast<TSSymbol>(-1);

struct Grammar {
  Names names;
  std::vector<int32_t> kind_of;  // by symbol; the last one is kErrorSymbol's

  Grammar() {
    const TSLanguage* language = tree_sitter_bash();
    std::unordered_map<std::string_view, int32_t> index;
    const auto add = [&](std::string_view name) {
      const auto [entry, is_new] = index.try_emplace(name, static_cast<int32_t>(names.kinds.size()));
      if (is_new) names.kinds.push_back(name);
      kind_of.push_back(entry->second);
    };
    const uint32_t symbols = ts_language_symbol_count(language);
    for (uint32_t symbol = 0; symbol < symbols; ++symbol) {
      add(ts_language_symbol_name(language, static_cast<TSSymbol>(symbol)));
    }
    add(ts_language_symbol_name(language, kErrorSymbol));

    names.fields.push_back("");
    const uint32_t fields = ts_language_field_count(language);
    for (uint32_t field = 1; field <= fields; ++field) {
      names.fields.push_back(ts_language_field_name_for_id(language, static_cast<TSFieldId>(field)));
    }
  }

  int32_t KindOf(TSSymbol symbol) const { return symbol < kind_of.size() ? kind_of[symbol] : kind_of.back(); }
};

const Grammar& GetGrammar() {
  static const Grammar grammar;
  return grammar;
}

int32_t FlagsOf(TSNode node) {
  return (ts_node_is_named(node) ? kNamed : 0) | (ts_node_is_error(node) ? kError : 0) |
         (ts_node_is_missing(node) ? kMissing : 0) | (ts_node_has_error(node) ? kHasError : 0) |
         (ts_node_is_extra(node) ? kExtra : 0);
}

}  // namespace

const Names& GetNames() {
  return GetGrammar().names;
}

size_t CountNodes(const TSTree* tree) {
  return ts_node_descendant_count(ts_tree_root_node(tree));
}

void Flatten(const TSTree* tree, int32_t* nodes) {
  constexpr uint32_t kBytesPerUnit = 2;
  const Grammar& grammar = GetGrammar();
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  int32_t count = 0;
  // The ancestors of the node that is visited, by their kNext: until it is known, that is the parent's index.
  int32_t parent = -1;
  for (;;) {
    ParseMemory::CheckLimits();
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const int32_t index = count++;
    int32_t* fields = nodes + index * kFieldsPerNode;
    fields[kKind] = grammar.KindOf(ts_node_symbol(node));
    fields[kRole] = ts_tree_cursor_current_field_id(&cursor);
    fields[kStart] = static_cast<int32_t>(ts_node_start_byte(node) / kBytesPerUnit);
    fields[kEnd] = static_cast<int32_t>(ts_node_end_byte(node) / kBytesPerUnit);
    fields[kFlags] = FlagsOf(node);
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      fields[kNext] = parent;
      parent = index;
      continue;
    }
    fields[kNext] = count;
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (parent == -1) return;
      ts_tree_cursor_goto_parent(&cursor);
      int32_t& next = nodes[parent * kFieldsPerNode + kNext];
      parent = next;
      next = count;
    }
  }
}

}  // namespace bashward::syntax
