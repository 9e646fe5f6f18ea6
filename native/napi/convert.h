// Between JavaScript values and the engine's structs.
#ifndef BASHWARD_NAPI_CONVERT_H_
#define BASHWARD_NAPI_CONVERT_H_

#include <napi.h>

#include "process/command_spec.h"

namespace bashward::addon {

// From the object that lib/engine/native.ts describes. That side has checked every field; a field of another type
// reads as empty or 0.
process::CommandSpec ToCommandSpec(const Napi::Object& request);

Napi::Object FromCompletion(Napi::Env env, process::Completion completion);

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_CONVERT_H_
