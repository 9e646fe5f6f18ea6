// Parses bash with tree-sitter's grammar, into a flat tree that crosses to JavaScript in one piece.
#ifndef BASHWARD_SYNTAX_BASH_PARSER_H_
#define BASHWARD_SYNTAX_BASH_PARSER_H_

#include <string_view>

#include "syntax/flat_tree.h"
#include "syntax/parse_memory.h"

namespace bashward::syntax {

// Null when a limit was reached, or there is no memory. Any text will do, valid UTF-16 or not. Keeps nothing
// from one text to the next, and is safe in several threads at once.
FlatTree Parse(std::u16string_view text, const ParseLimits& limits);

}  // namespace bashward::syntax

#endif  // BASHWARD_SYNTAX_BASH_PARSER_H_
