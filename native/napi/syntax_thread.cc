#include "napi/syntax_thread.h"

#include <chrono>
#include <string>
#include <utility>

#include "napi/syntax.h"
#include "syntax/bash_parser.h"

namespace bashward::addon {

std::shared_ptr<SyntaxThread> SyntaxThread::Create(Napi::Env env) {
  auto self = std::make_shared<SyntaxThread>(env);
  napi_threadsafe_function wake = nullptr;
  const Napi::String name = Napi::String::New(env, "bashward");
  napi_status status = napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr,
                                                       self.get(), DispatchAll, &wake);
  if (status == napi_ok) status = napi_unref_threadsafe_function(env, wake);
  // As in Environment: this hook runs before the thread-safe function's own, and keeps the object until then.
  auto* owner = new std::shared_ptr<SyntaxThread>(self);
  if (status == napi_ok) status = napi_add_env_cleanup_hook(env, OnTeardown, owner);
  if (status != napi_ok) {
    delete owner;
    Napi::Error::New(env, "bashward: the parser could not be attached to this environment")
        .ThrowAsJavaScriptException();
    return nullptr;
  }
  self->wake_ = wake;
  return self;
}

void SyntaxThread::OnTeardown(void* data) {
  const std::unique_ptr<std::shared_ptr<SyntaxThread>> owner(
      static_cast<std::shared_ptr<SyntaxThread>*>(data));
  SyntaxThread& self = **owner;
  self.ending_ = true;
  self.thread_->Stop();
  napi_threadsafe_function wake = nullptr;
  {
    std::lock_guard<std::mutex> lock(self.mutex_);
    wake = std::exchange(self.wake_, nullptr);
    self.trees_.clear();
  }
  self.waiting_.clear();
  if (wake != nullptr) napi_release_threadsafe_function(wake, napi_tsfn_abort);
}

Napi::Value SyntaxThread::ParseAsync(const Napi::CallbackInfo& info) {
  auto parse = [self = shared_from_this(), text = info[0].As<Napi::String>().Utf16Value(),
                time = ToDuration(info[1])] {
    syntax::ParseLimits limits;
    limits.deadline = std::chrono::steady_clock::now() + time;
    limits.cancelled = &self->ending_;
    if (!self->ending_) self->Post(syntax::Parse(text, limits));
  };
  const int error = thread_->Post(std::move(parse));
  if (error != 0) {
    Napi::Error failure = Napi::Error::New(env_, "bashward: the parser's thread cannot be started");
    failure.Set("errno", Napi::Number::New(env_, error));
    failure.ThrowAsJavaScriptException();
    return env_.Undefined();
  }
  if (waiting_.empty()) napi_ref_threadsafe_function(env_, wake_);
  waiting_.push_back(Napi::Persistent(info[2].As<Napi::Function>()));
  return env_.Undefined();
}

void SyntaxThread::Post(syntax::FlatTree tree) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (wake_ == nullptr) return;
  trees_.push_back(std::move(tree));
  if (trees_.size() == 1) napi_call_threadsafe_function(wake_, nullptr, napi_tsfn_nonblocking);
}

void SyntaxThread::DispatchAll(napi_env env, napi_value, void* context, void*) {
  if (env == nullptr) return;  // the environment is ending
  const auto self = static_cast<SyntaxThread*>(context)->shared_from_this();
  std::vector<syntax::FlatTree> trees;
  {
    std::lock_guard<std::mutex> lock(self->mutex_);
    trees.swap(self->trees_);
  }
  const Napi::Env self_env(env);
  for (syntax::FlatTree& tree : trees) {
    // Both gone if a callback has ended this environment.
    if (self->waiting_.empty()) return;
    const Napi::HandleScope scope(env);
    const Napi::FunctionReference on_tree = std::move(self->waiting_.front());
    self->waiting_.pop_front();
    if (self->waiting_.empty()) napi_unref_threadsafe_function(env, self->wake_);
    on_tree.Call({ToTypedArray(env, std::move(tree))});
    if (self_env.IsExceptionPending()) {
      napi_fatal_exception(env, self_env.GetAndClearPendingException().Value());
    }
  }
}

}  // namespace bashward::addon
