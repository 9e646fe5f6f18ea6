// A package whose files a command may write to.
#ifndef BASHWARD_NAPI_PACKAGE_SEAL_H_
#define BASHWARD_NAPI_PACKAGE_SEAL_H_

#include <napi.h>

namespace bashward::addon {

// copySupervisor(path): copies the program to memory now rather than when it is first needed.
Napi::Value CopySupervisor(const Napi::CallbackInfo& info);

// sealPackage(supervisor, sources): 0 when this process executes neither what is written to the addon's file,
// which holds from the start, nor to the supervisor's, which holds from now on for good. Otherwise an errno.
// The first call keeps a text for sealedSources().
Napi::Value SealPackage(const Napi::CallbackInfo& info);

// sealedAt(): when the process was first sealed, in milliseconds of CLOCK_MONOTONIC; 0 when it is not.
Napi::Value SealedAt(const Napi::CallbackInfo& info);

// sealedSources(): the text of the first sealPackage(); empty when the process is not sealed.
Napi::Value SealedSources(const Napi::CallbackInfo& info);

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_PACKAGE_SEAL_H_
