#include "napi/sandbox_support.h"

#include <errno.h>

#include <atomic>

#include "sandbox/landlock.h"
#include "sandbox/seccomp_filter.h"

namespace bashward::addon {

Napi::Value SandboxSupport(const Napi::CallbackInfo& info) {
  const int abi = sandbox::LandlockAbi();
  const int answer = abi < 0 ? -errno : abi;
  Napi::Object support = Napi::Object::New(info.Env());
  support.Set("landlock", answer);
  support.Set("signals", abi > 0 && sandbox::CreateSignalScope().fd.valid());
  support.Set("seccomp", sandbox::HasSeccompFilters());
  return support;
}

Napi::Value ClaimSandboxWarning(const Napi::CallbackInfo& info) {
  static std::atomic<bool> claimed{false};
  return Napi::Boolean::New(info.Env(), !claimed.exchange(true));
}

}  // namespace bashward::addon
