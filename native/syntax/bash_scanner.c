/* The hand-written part of the grammar: with the core's allocator, and the same in every locale. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <wctype.h>

#define TREE_SITTER_REUSE_ALLOCATOR
#include <tree-sitter-bash/src/tree_sitter/alloc.h>

/* Which letters and blanks there are beyond ASCII would be up to the host's locale and C library; for bash there are
   none. isdigit must be replaced anyhow: a C library may look it up in a table of 256, and these are code points. */
static bool is_digit(int c) { return c >= '0' && c <= '9'; }
static bool is_letter(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

#undef isdigit
#undef iswdigit
#undef iswalpha
#undef iswalnum
#undef iswspace
#define isdigit is_digit
#define iswdigit is_digit
#define iswalpha is_letter
#define iswalnum(c) (is_letter(c) || is_digit(c))
#define iswspace is_space

/* It calls these two by their names. */
#define calloc ts_calloc
#define free ts_free

#include <tree-sitter-bash/src/scanner.c>
