#include "napi/syntax.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>

#include "syntax/bash_parser.h"

namespace bashward::addon {
namespace {

// A tree of this many bytes or more is not copied: that would block JavaScript for milliseconds.
constexpr size_t kLarge = size_t{64} * 1024;

Napi::Array ToArray(Napi::Env env, const std::vector<std::string_view>& names) {
  Napi::Array array = Napi::Array::New(env, names.size());
  uint32_t index = 0;
  for (const std::string_view name : names) {
    array.Set(index++, Napi::String::New(env, name.data(), name.size()));
  }
  return array;
}

}  // namespace

Napi::Value ToTypedArray(Napi::Env env, syntax::FlatTree tree) {
  if (!tree) return env.Null();
  const size_t bytes = tree.size * sizeof(int32_t);
  if (bytes >= kLarge) {
    const auto free = [](napi_env, void* nodes, void*) { delete[] static_cast<int32_t*>(nodes); };
    napi_value buffer = nullptr;
    // Some hosts allow no such buffers.
    if (napi_create_external_arraybuffer(env, tree.nodes.get(), bytes, free, nullptr, &buffer) == napi_ok) {
      tree.nodes.release();
      return Napi::Int32Array::New(env, tree.size, Napi::ArrayBuffer(env, buffer), 0);
    }
  }
  Napi::Int32Array array = Napi::Int32Array::New(env, tree.size);
  std::memcpy(array.Data(), tree.nodes.get(), bytes);
  return array;
}

std::chrono::steady_clock::duration ToDuration(const Napi::Value& ms) {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  const double count = ms.As<Napi::Number>().DoubleValue();
  const Milliseconds duration(count > 0 ? count : 0);  // not a number: none
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::min<Milliseconds>(duration, std::chrono::hours(24)));
}

Napi::Value ParseBash(const Napi::CallbackInfo& info) {
  const std::u16string text = info[0].As<Napi::String>();
  syntax::ParseLimits limits;
  limits.deadline = std::chrono::steady_clock::now() + ToDuration(info[1]);
  return ToTypedArray(info.Env(), syntax::Parse(text, limits));
}

Napi::Value SyntaxNames(const Napi::CallbackInfo& info) {
  const syntax::Names& names = syntax::GetNames();
  Napi::Object result = Napi::Object::New(info.Env());
  result.Set("kinds", ToArray(info.Env(), names.kinds));
  result.Set("fields", ToArray(info.Env(), names.fields));
  return result;
}

}  // namespace bashward::addon
