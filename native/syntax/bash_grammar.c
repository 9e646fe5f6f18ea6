/* The generated part of the grammar, optimised: it forbids that to save compilers time, except to Microsoft's, whose
   pragma means nothing to others. */
#include <tree-sitter-bash/src/tree_sitter/parser.h>

#define _MSC_VER 1
#include <tree-sitter-bash/src/parser.c>
