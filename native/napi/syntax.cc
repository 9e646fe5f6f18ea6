#include "napi/syntax.h"

#include <chrono>
#include <cstring>
#include <string>

#include "syntax/bash_parser.h"

namespace bashward::addon {
namespace {

Napi::Array ToArray(Napi::Env env, const std::vector<std::string_view>& names) {
  Napi::Array array = Napi::Array::New(env, names.size());
  uint32_t index = 0;
  for (const std::string_view name : names) {
    array.Set(index++, Napi::String::New(env, name.data(), name.size()));
  }
  return array;
}

}  // namespace

Napi::Value ToTypedArray(Napi::Env env, const syntax::FlatTree& tree) {
  if (!tree) return env.Null();
  Napi::Int32Array array = Napi::Int32Array::New(env, tree.size);
  std::memcpy(array.Data(), tree.nodes.get(), tree.size * sizeof(int32_t));
  return array;
}

Napi::Value ParseBash(const Napi::CallbackInfo& info) {
  const std::u16string text = info[0].As<Napi::String>();
  syntax::ParseLimits limits;
  limits.deadline =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(info[1].As<Napi::Number>().Int64Value());
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
