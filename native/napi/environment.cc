#include "napi/environment.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "napi/convert.h"
#include "process/reactor.h"
#include "sandbox/unlinked_directory.h"
#include "sys/signals.h"
#include "sys/unique_fd.h"

namespace bashward::addon {
namespace {

// Live output that may wait for a JavaScript thread that is busy with something else.
constexpr size_t kMaxWaitingOutput = 8 * 1024 * 1024;

}  // namespace

std::shared_ptr<Environment> Environment::Create(Napi::Env env) {
  auto environment = std::make_shared<Environment>(env);
  napi_threadsafe_function wake = nullptr;
  const Napi::String name = Napi::String::New(env, "bashward");
  napi_status status = napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr,
                                                       environment.get(), DispatchAll, &wake);
  // An idle engine does not keep the process alive.
  if (status == napi_ok) status = napi_unref_threadsafe_function(env, wake);
  // Hooks run in reverse order: ours comes before the one that ends the thread-safe function. The hook's
  // shared pointer keeps this object until then.
  auto* owner = new std::shared_ptr<Environment>(environment);
  if (status == napi_ok) status = napi_add_env_cleanup_hook(env, OnTeardown, owner);
  if (status != napi_ok) {
    delete owner;
    Napi::Error::New(env, "bashward: the engine could not be attached to this environment")
        .ThrowAsJavaScriptException();
    return nullptr;
  }
  environment->wake_ = wake;
  return environment;
}

void Environment::OnTeardown(void* data) {
  const std::unique_ptr<std::shared_ptr<Environment>> owner(static_cast<std::shared_ptr<Environment>*>(data));
  Environment& self = **owner;
  napi_threadsafe_function wake = nullptr;
  {
    std::lock_guard<std::mutex> lock(self.mutex_);
    wake = std::exchange(self.wake_, nullptr);
    self.events_.clear();
  }
  self.pending_.clear();
  self.exits_.clear();
  self.rulesets_.Clear();
  process::Reactor* reactor = process::Reactor::Running();
  if (reactor != nullptr) reactor->Abandon(*owner);
  if (reactor != nullptr) reactor->ForgetExits(*owner);
  if (wake != nullptr) napi_release_threadsafe_function(wake, napi_tsfn_abort);
}

Napi::Value Environment::Refuse(const char* message, int error) {
  Napi::Error failure = Napi::Error::New(env_, message);
  failure.Set("errno", Napi::Number::New(env_, error));
  failure.ThrowAsJavaScriptException();
  return env_.Undefined();
}

Napi::Value Environment::Refuse(const sandbox::Refusal& refusal) {
  Napi::Error failure = Napi::Error::New(env_, "bashward: the ruleset of a command cannot be made");
  failure.Set("errno", Napi::Number::New(env_, refusal.error));
  if (refusal.path.empty()) {
    failure.Set("step", Napi::String::New(env_, "landlock ruleset"));
  } else {
    failure.Set("path", Napi::String::New(env_, refusal.path));
    failure.Set("reason", Napi::String::New(env_, refusal.reason));
  }
  failure.ThrowAsJavaScriptException();
  return env_.Undefined();
}

Napi::Value Environment::MountsVersion(const Napi::CallbackInfo&) {
  return Napi::Number::New(env_, static_cast<double>(rulesets_.MountsVersion()));
}

Napi::Value Environment::OtherNames(const Napi::CallbackInfo& info) {
  return ArrayOf(rulesets_.OtherNames(info[0].ToString().Utf8Value()));
}

Napi::Value Environment::MountsBelow(const Napi::CallbackInfo& info) {
  return ArrayOf(rulesets_.MountsBelow(info[0].ToString().Utf8Value()));
}

Napi::Array Environment::ArrayOf(const std::vector<std::string>& texts) {
  Napi::Array array = Napi::Array::New(env_, texts.size());
  for (uint32_t i = 0; i < texts.size(); ++i) array.Set(i, texts[i]);
  return array;
}

Napi::Value Environment::StampOf(const Napi::CallbackInfo& info) {
  const std::string joined = info[0].ToString().Utf8Value();
  std::string stamp = std::to_string(rulesets_.MountsVersion()) + " " + std::to_string(geteuid());
  for (size_t start = 0; start <= joined.size();) {
    const size_t end = std::min(joined.find('\0', start), joined.size());
    const std::optional<uid_t> owner = sandbox::OwnerOfUnlinked(joined.substr(start, end - start));
    if (!owner) return Napi::String::New(env_, "");
    stamp.append(" ").append(std::to_string(*owner));
    start = end + 1;
  }
  return Napi::String::New(env_, stamp);
}

Napi::Value Environment::Start(const Napi::CallbackInfo& info) {
  int error = 0;
  process::Reactor* reactor = process::Reactor::Get(&error);
  if (reactor == nullptr) return Refuse("bashward: the engine's thread cannot be started", error);
  std::shared_ptr<const sys::UniqueFd> input;
  if (!ToInput(info[7], &input)) return Refuse("bashward: the input of a command cannot be kept", errno);
  sandbox::Refusal refusal;
  std::optional<process::CommandSpec> spec =
      ToCommandSpec(&rulesets_, &refusal, info[0].As<Napi::String>(), info[1].As<Napi::Float64Array>(),
                    info[2].As<Napi::Buffer<char>>(), info[5], info[6], std::move(input));
  if (!spec && refusal.error != 0) return Refuse(refusal);
  if (!spec) return Refuse("bashward: a NUL in the path of a request", EINVAL);
  const bool live = info[4].IsFunction();
  spec->live = live;
  const uint64_t id = reactor->Submit(std::move(*spec), shared_from_this());

  Pending pending;
  pending.on_completion = Napi::Persistent(info[3].As<Napi::Function>());
  if (live) pending.on_output = Napi::Persistent(info[4].As<Napi::Function>());
  if (pending_.empty()) napi_ref_threadsafe_function(env_, wake_);
  pending_.emplace(id, std::move(pending));
  return Napi::Number::New(env_, static_cast<double>(id));
}

Napi::Value Environment::Cancel(const Napi::CallbackInfo& info) {
  process::Reactor* reactor = process::Reactor::Running();
  if (reactor != nullptr) reactor->Cancel(static_cast<uint64_t>(info[0].As<Napi::Number>().Int64Value()));
  return env_.Undefined();
}

Napi::Value Environment::AwaitExit(const Napi::CallbackInfo& info) {
  const auto failed = [this](int error) { return Napi::Number::New(env_, -error); };
  sys::UniqueFd pidfd(sys::OpenPidfd(info[0].As<Napi::Number>().Int32Value()));
  if (!pidfd.valid()) return failed(errno);
  int error = 0;
  process::Reactor* reactor = process::Reactor::Get(&error);
  if (reactor == nullptr) return failed(error);
  const uint64_t id = reactor->AwaitExit(std::move(pidfd), shared_from_this());
  exits_.emplace(id, Napi::Persistent(info[1].As<Napi::Function>()));
  return Napi::Number::New(env_, static_cast<double>(id));
}

Napi::Value Environment::ForgetExit(const Napi::CallbackInfo& info) {
  const auto id = static_cast<uint64_t>(info[0].As<Napi::Number>().Int64Value());
  process::Reactor* reactor = process::Reactor::Running();
  if (exits_.erase(id) != 0 && reactor != nullptr) reactor->ForgetExit(id);
  return env_.Undefined();
}

void Environment::OnOutput(uint64_t id, int stream, util::LiveWindow::Piece piece) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (output_bytes_ + piece.bytes.size() > kMaxWaitingOutput) {
    piece.dropped += piece.bytes.size();
    piece.bytes.clear();
    // Two gaps in a row count as one.
    auto* last =
        events_.empty() || events_.back().id != id ? nullptr : std::get_if<Output>(&events_.back().what);
    if (last != nullptr && last->stream == stream && last->piece.bytes.empty()) {
      last->piece.dropped += piece.dropped;
      return;
    }
  }
  output_bytes_ += piece.bytes.size();
  Post({id, Output{stream, std::move(piece)}});
}

void Environment::OnSurvivors(uint64_t id) {
  std::lock_guard<std::mutex> lock(mutex_);
  Post({id, Survivors()});
}

void Environment::OnSoftLimit(uint64_t id) {
  std::lock_guard<std::mutex> lock(mutex_);
  Post({id, SoftLimit()});
}

void Environment::OnCompletion(uint64_t id, process::Completion completion) {
  std::lock_guard<std::mutex> lock(mutex_);
  Post({id, std::move(completion)});
}

void Environment::OnExit(uint64_t id) {
  std::lock_guard<std::mutex> lock(mutex_);
  Post({id, Exit()});
}

void Environment::Post(Event event) {
  if (wake_ == nullptr) return;
  events_.push_back(std::move(event));
  if (events_.size() == 1) napi_call_threadsafe_function(wake_, nullptr, napi_tsfn_nonblocking);
}

void Environment::DispatchAll(napi_env env, napi_value, void* context, void*) {
  if (env == nullptr) return;  // the environment is ending
  const auto self = static_cast<Environment*>(context)->shared_from_this();
  std::vector<Event> events;
  {
    std::lock_guard<std::mutex> lock(self->mutex_);
    events.swap(self->events_);
    self->output_bytes_ = 0;
  }
  for (Event& event : events) {
    const Napi::HandleScope scope(env);
    self->Dispatch(std::move(event));
    // A callback's exception is the program's business; the other events are delivered all the same.
    const Napi::Env self_env(env);
    if (self_env.IsExceptionPending()) {
      napi_fatal_exception(env, self_env.GetAndClearPendingException().Value());
    }
  }
}

void Environment::Dispatch(Event event) {
  if (std::holds_alternative<Exit>(event.what)) {
    const auto exit = exits_.find(event.id);
    if (exit == exits_.end()) return;
    const Napi::FunctionReference on_exit = std::move(exit->second);
    exits_.erase(exit);
    on_exit.Call({});
    return;
  }
  auto pending = pending_.find(event.id);
  if (pending == pending_.end()) return;
  if (auto* output = std::get_if<Output>(&event.what)) {
    const std::string& bytes = output->piece.bytes;
    pending->second.on_output.Call({Napi::Number::New(env_, output->stream),
                                    Napi::Buffer<char>::Copy(env_, bytes.data(), bytes.size()),
                                    Napi::Number::New(env_, static_cast<double>(output->piece.dropped))});
    return;
  }
  if (std::holds_alternative<Survivors>(event.what)) {
    const Napi::Value job = pending->second.on_completion.Call({});
    process::Reactor::Running()->Release(event.id, ToJobPlan(job));
    return;
  }
  if (std::holds_alternative<SoftLimit>(event.what)) {
    const Napi::Value job = pending->second.on_completion.Call({Napi::Boolean::New(env_, true)});
    process::Reactor::Running()->HandOver(event.id, ToJobPlan(job));
    return;
  }
  const Napi::FunctionReference on_completion = std::move(pending->second.on_completion);
  pending_.erase(pending);
  if (pending_.empty()) napi_unref_threadsafe_function(env_, wake_);
  on_completion.Call(FromCompletion(env_, std::get<process::Completion>(event.what)));
}

}  // namespace bashward::addon
