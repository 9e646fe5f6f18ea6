#include "napi/package_seal.h"

#include <errno.h>

#include <mutex>
#include <string>

#include "process/sealed_program.h"
#include "sys/own_mapping.h"

namespace bashward::addon {
namespace {

// Something in the addon's own file.
const char in_this_file = 0;

int DetachAddon() {
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  return sys::DetachFromFile(&in_this_file) ? 0 : errno;
}

}  // namespace

Napi::Value SealPackage(const Napi::CallbackInfo& info) {
  const std::string supervisor = info[0].As<Napi::String>().Utf8Value();
  int error = process::SealProgram(supervisor);
  if (error == 0) error = DetachAddon();
  return Napi::Number::New(info.Env(), error);
}

}  // namespace bashward::addon
