// Hiding this process's environment and memory from the commands it runs.
#ifndef BASHWARD_NAPI_HOST_PROTECTION_H_
#define BASHWARD_NAPI_HOST_PROTECTION_H_

#include <napi.h>

namespace bashward::addon {

// protectHost() → {environmentWiped, notDumpable}, each a boolean. Process-wide and for good.
Napi::Value ProtectHost(const Napi::CallbackInfo& info);

// Whether commands started from now on lose the capabilities that reach into other processes.
bool IntrospectionDropped();

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_HOST_PROTECTION_H_
