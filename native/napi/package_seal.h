// A package whose files a command may write to.
#ifndef BASHWARD_NAPI_PACKAGE_SEAL_H_
#define BASHWARD_NAPI_PACKAGE_SEAL_H_

#include <napi.h>

namespace bashward::addon {

// sealPackage(supervisor): from now on this process executes neither what is written to the addon's file nor
// to the supervisor's. 0, or an errno. Process-wide and for good.
Napi::Value SealPackage(const Napi::CallbackInfo& info);

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_PACKAGE_SEAL_H_
