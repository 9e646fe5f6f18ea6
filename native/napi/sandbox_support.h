// What this kernel offers for Restricted mode.
#ifndef BASHWARD_NAPI_SANDBOX_SUPPORT_H_
#define BASHWARD_NAPI_SANDBOX_SUPPORT_H_

#include <napi.h>

namespace bashward::addon {

// {landlock, signals, seccomp}: Landlock's ABI version or the negative errno, whether it confines signals,
// and whether there are seccomp filters. Costs a few system calls and changes nothing.
Napi::Value SandboxSupport(const Napi::CallbackInfo& info);

// True for the first caller in the process, of whatever thread; then false.
Napi::Value ClaimSandboxWarning(const Napi::CallbackInfo& info);

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_SANDBOX_SUPPORT_H_
