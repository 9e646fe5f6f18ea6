// Parses bash with tree-sitter's grammar, into a flat tree that crosses to JavaScript in one piece.
#ifndef BASHWARD_SYNTAX_BASH_PARSER_H_
#define BASHWARD_SYNTAX_BASH_PARSER_H_

#include <atomic>
#include <chrono>
#include <string_view>

#include "syntax/flat_tree.h"

namespace bashward::syntax {

struct ParseLimits {
  std::chrono::steady_clock::time_point deadline;
  // Looked at now and then; may be null.
  const std::atomic<bool>* cancelled = nullptr;
};

// Null when a limit was reached. Any text will do, valid UTF-16 or not. Safe in several threads at once.
FlatTree Parse(std::u16string_view text, const ParseLimits& limits);

}  // namespace bashward::syntax

#endif  // BASHWARD_SYNTAX_BASH_PARSER_H_
