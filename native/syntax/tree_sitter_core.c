/* tree-sitter's core, with looks at the limits in the two loops that run over a whole stack, or all the children of one
   node, without allocating. Elsewhere it allocates often enough: a look in more places costs ordinary commands more. */
#include "syntax/check_limits.h"

#include <tree-sitter/vendor/tree-sitter/lib/src/subtree.h>

/* In stack.c: each of its turns has an assertion. Assertions are nothing else in a release. */
#undef ts_assert
#define ts_assert(condition) \
  ((void)(condition), __builtin_strcmp(__func__, "stack__iter") == 0 ? bashward_check_limits() : (void)0)

/* In subtree.c: ts_subtree_summarize_children asks this of every child. */
#define ts_subtree_has_external_scanner_state_change(child) \
  (bashward_check_limits(), (ts_subtree_has_external_scanner_state_change)(child))

#include <tree-sitter/vendor/tree-sitter/lib/src/lib.c>
