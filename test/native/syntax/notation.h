// Trees as text, for expectations.
#ifndef BASHWARD_TEST_SYNTAX_NOTATION_H_
#define BASHWARD_TEST_SYNTAX_NOTATION_H_

#include <chrono>
#include <string>
#include <string_view>

#include "syntax/bash_parser.h"

namespace bashward::syntax {

inline ParseLimits Within(std::chrono::milliseconds time) {
  ParseLimits limits;
  limits.deadline = std::chrono::steady_clock::now() + time;
  return limits;
}

// Far longer than any of these tests may take.
inline ParseLimits AnHour() {
  return Within(std::chrono::hours(1));
}

inline size_t CountNodes(const FlatTree& tree) {
  return tree.size / kFieldsPerNode;
}

inline int32_t Get(const FlatTree& tree, int32_t node, NodeField field) {
  return tree.nodes[node * kFieldsPerNode + field];
}

// field:kind[start,end](children), children separated by blanks; a token's kind in quotes, and ! for an
// error, ? for something missing, + for an extra behind the kind. "none" without a tree.
inline std::string Notation(const FlatTree& tree, int32_t node = 0) {
  if (!tree) return "none";
  const auto get = [&](NodeField field) { return Get(tree, node, field); };
  const std::string field(GetNames().fields[get(kRole)]);
  const std::string kind(GetNames().kinds[get(kKind)]);
  const int32_t flags = get(kFlags);
  std::string text = field.empty() ? "" : field + ":";
  text += (flags & kNamed) != 0 ? kind : "'" + kind + "'";
  if ((flags & kError) != 0) text += '!';
  if ((flags & kMissing) != 0) text += '?';
  if ((flags & kExtra) != 0) text += '+';
  text += "[" + std::to_string(get(kStart)) + "," + std::to_string(get(kEnd)) + "]";
  std::string children;
  for (int32_t child = node + 1; child < get(kNext); child = Get(tree, child, kNext)) {
    children += (children.empty() ? "" : " ") + Notation(tree, child);
  }
  return children.empty() ? text : text + "(" + children + ")";
}

inline std::string Repeat(std::string_view text, size_t times) {
  std::string result;
  result.reserve(text.size() * times);
  for (size_t i = 0; i < times; ++i) result += text;
  return result;
}

// Of ASCII.
inline std::u16string Wide(std::string_view text) {
  return std::u16string(text.begin(), text.end());
}

}  // namespace bashward::syntax

#endif  // BASHWARD_TEST_SYNTAX_NOTATION_H_
