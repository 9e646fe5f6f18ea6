// Noticing changes of this process's environment.
#ifndef BASHWARD_NAPI_HOST_ENVIRONMENT_H_
#define BASHWARD_NAPI_HOST_ENVIRONMENT_H_

#include <napi.h>

namespace bashward::addon {

// environmentVersion() → a number that changes with the process's environment. Main thread only: the C
// library does not protect `environ` against a setenv in another thread.
Napi::Value EnvironmentVersion(const Napi::CallbackInfo& info);

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_HOST_ENVIRONMENT_H_
