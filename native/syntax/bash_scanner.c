/* The hand-written part of the grammar, with the core's allocator. */
#include <stdlib.h>

#define TREE_SITTER_REUSE_ALLOCATOR
#include <tree-sitter-bash/src/tree_sitter/alloc.h>

/* It calls these two by their names. */
#define calloc ts_calloc
#define free ts_free

#include <tree-sitter-bash/src/scanner.c>
