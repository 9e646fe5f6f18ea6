// The parser of bash for JavaScript; syntax_thread.h has the same off its thread.
#ifndef BASHWARD_NAPI_SYNTAX_H_
#define BASHWARD_NAPI_SYNTAX_H_

#include <napi.h>

#include <chrono>

#include "syntax/flat_tree.h"

namespace bashward::addon {

// A number of milliseconds, fractions and all; anything from nothing to a day.
std::chrono::steady_clock::duration ToDuration(const Napi::Value& ms);
// An Int32Array, or null for no tree.
Napi::Value ToTypedArray(Napi::Env env, syntax::FlatTree tree);

// parse(text, deadlineMs) → Int32Array, or null when the deadline has passed; see syntax/flat_tree.h.
Napi::Value ParseBash(const Napi::CallbackInfo& info);
// syntaxNames() → {kinds, fields}: what the tree's numbers stand for.
Napi::Value SyntaxNames(const Napi::CallbackInfo& info);

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_SYNTAX_H_
