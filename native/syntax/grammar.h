// The grammar of bash: tree-sitter-bash, compiled into the addon.
#ifndef BASHWARD_SYNTAX_GRAMMAR_H_
#define BASHWARD_SYNTAX_GRAMMAR_H_

#include <tree_sitter/api.h>

extern "C" const TSLanguage* tree_sitter_bash(void);

#endif  // BASHWARD_SYNTAX_GRAMMAR_H_
