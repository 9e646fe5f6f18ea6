// A syntax tree as one array of integers: pre-order, kFieldsPerNode of them for each node.
#ifndef BASHWARD_SYNTAX_FLAT_TREE_H_
#define BASHWARD_SYNTAX_FLAT_TREE_H_

#include <tree_sitter/api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace bashward::syntax {

// What each node has, in this order; lib/processes/engine/native/syntax-tree.ts has the same.
enum NodeField : size_t {
  kKind,   // index into Names::kinds
  kRole,   // index into Names::fields: what it is to its parent; 0 for none
  kStart,  // in UTF-16 code units
  kEnd,
  kFlags,
  kNext,  // index of the node after its subtree
  kFieldsPerNode,
};

enum NodeFlag : int32_t {
  kNamed = 1,
  kError = 2,
  kMissing = 4,
  kHasError = 8,  // somewhere in it
  kExtra = 16,
};

struct FlatTree {
  std::unique_ptr<int32_t[]> nodes;
  size_t size = 0;  // in integers

  explicit operator bool() const { return nodes != nullptr; }
};

// Both without duplicates: a kind that the grammar has as a token and as a rule is told apart by kNamed.
struct Names {
  std::vector<std::string_view> kinds;
  std::vector<std::string_view> fields;
};
const Names& GetNames();

size_t CountNodes(const TSTree* tree);

// Writes them to an array with room for that many. Run it in ParseMemory, which gives the cursor its
// memory.
void Flatten(const TSTree* tree, int32_t* nodes);

}  // namespace bashward::syntax

#endif  // BASHWARD_SYNTAX_FLAT_TREE_H_
