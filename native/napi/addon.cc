// The addon's entry point: one Environment for each Node environment that loads it.
#include <napi.h>

#include "napi/environment.h"
#include "napi/file_lock.h"
#include "napi/host_environment.h"
#include "napi/host_protection.h"
#include "napi/input.h"
#include "napi/package_seal.h"
#include "napi/process_signal.h"
#include "napi/sandbox_support.h"
#include "napi/syntax.h"
#include "napi/syntax_thread.h"

namespace {

using bashward::addon::Environment;
using bashward::addon::SyntaxThread;

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  const std::shared_ptr<Environment> environment = Environment::Create(env);
  if (!environment) return exports;
  const std::shared_ptr<SyntaxThread> syntax_thread = SyntaxThread::Create(env);
  if (!syntax_thread) return exports;
  exports.Set("start", Napi::Function::New(env, [environment](const Napi::CallbackInfo& info) {
                return environment->Start(info);
              }));
  exports.Set("cancel", Napi::Function::New(env, [environment](const Napi::CallbackInfo& info) {
                return environment->Cancel(info);
              }));
  exports.Set("awaitExit", Napi::Function::New(env, [environment](const Napi::CallbackInfo& info) {
                return environment->AwaitExit(info);
              }));
  exports.Set("forgetExit", Napi::Function::New(env, [environment](const Napi::CallbackInfo& info) {
                return environment->ForgetExit(info);
              }));
  exports.Set("mountsVersion", Napi::Function::New(env, [environment](const Napi::CallbackInfo& info) {
                return environment->MountsVersion(info);
              }));
  exports.Set("otherNames", Napi::Function::New(env, [environment](const Napi::CallbackInfo& info) {
                return environment->OtherNames(info);
              }));
  exports.Set("mountsBelow", Napi::Function::New(env, [environment](const Napi::CallbackInfo& info) {
                return environment->MountsBelow(info);
              }));
  exports.Set("stampOf", Napi::Function::New(env, [environment](const Napi::CallbackInfo& info) {
                return environment->StampOf(info);
              }));
  exports.Set("environmentVersion", Napi::Function::New(env, bashward::addon::EnvironmentVersion));
  exports.Set("signalProcess", Napi::Function::New(env, bashward::addon::SignalKnownProcess));
  exports.Set("isOwned", Napi::Function::New(env, bashward::addon::IsOwned));
  exports.Set("isLocked", Napi::Function::New(env, bashward::addon::IsLocked));
  exports.Set("lockFile", Napi::Function::New(env, bashward::addon::LockFile));
  exports.Set("unlockFile", Napi::Function::New(env, bashward::addon::UnlockFile));
  exports.Set("isReadable", Napi::Function::New(env, bashward::addon::IsReadable));
  exports.Set("makePipe", Napi::Function::New(env, bashward::addon::MakePipe));
  exports.Set("protectHost", Napi::Function::New(env, bashward::addon::ProtectHost));
  exports.Set("copySupervisor", Napi::Function::New(env, bashward::addon::CopySupervisor));
  exports.Set("sealPackage", Napi::Function::New(env, bashward::addon::SealPackage));
  exports.Set("sealedAt", Napi::Function::New(env, bashward::addon::SealedAt));
  exports.Set("sealedSources", Napi::Function::New(env, bashward::addon::SealedSources));
  exports.Set("sandboxSupport", Napi::Function::New(env, bashward::addon::SandboxSupport));
  exports.Set("claimSandboxWarning", Napi::Function::New(env, bashward::addon::ClaimSandboxWarning));
  exports.Set("parse", Napi::Function::New(env, bashward::addon::ParseBash));
  exports.Set("parseAsync", Napi::Function::New(env, [syntax_thread](const Napi::CallbackInfo& info) {
                return syntax_thread->ParseAsync(info);
              }));
  exports.Set("syntaxNames", Napi::Function::New(env, bashward::addon::SyntaxNames));
  return exports;
}

}  // namespace

NODE_API_MODULE(bashward, Init)
