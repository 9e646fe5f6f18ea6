// One Node environment (the main thread, or a worker) that runs commands: what is pending there, and the way
// from the reactor's thread back to its JavaScript.
#ifndef BASHWARD_NAPI_ENVIRONMENT_H_
#define BASHWARD_NAPI_ENVIRONMENT_H_

#include <napi.h>

#include <memory>
#include <mutex>
#include <unordered_map>
#include <variant>
#include <vector>

#include "process/command_spec.h"
#include "process/process_exits.h"
#include "sandbox/ruleset_store.h"

namespace bashward::addon {

// Events wait in a list that is emptied in one turn of the event loop: a thousand commands that end together
// wake JavaScript once.
class Environment final : public process::CommandListener,
                          public process::ExitListener,
                          public std::enable_shared_from_this<Environment> {
 public:
  // Null, with a JavaScript exception pending, when Node refuses. Ends with the environment, and kills its
  // commands.
  static std::shared_ptr<Environment> Create(Napi::Env env);

  explicit Environment(Napi::Env env) : env_(env) {}

  // start(texts, numbers, environment, onCompletion, onOutput?, prologue?, variables?, input?) → id, a
  // number; see convert.h. Keeps the event loop alive until onCompletion is called. It is called without
  // arguments before, where the request says so, when something of the command lives on: it returns the job
  // that this becomes. And with `true` alone when it is time to hand the command over: it returns the job
  // that the command becomes.
  Napi::Value Start(const Napi::CallbackInfo& info);
  // cancel(id): does nothing when that command has ended.
  Napi::Value Cancel(const Napi::CallbackInfo& info);

  // awaitExit(pid, onExit) → id, a number, or a negative errno: ESRCH when there is no such process. Calls
  // onExit once the process has ended; does not keep the event loop alive.
  Napi::Value AwaitExit(const Napi::CallbackInfo& info);
  // forgetExit(id): does nothing when that process has ended.
  Napi::Value ForgetExit(const Napi::CallbackInfo& info);

  // mountsVersion() → another number after each change of the mounts, and whenever they cannot be read.
  Napi::Value MountsVersion(const Napi::CallbackInfo& info);
  // otherNames(path) → an array of the paths at which other mounts show the same.
  Napi::Value OtherNames(const Napi::CallbackInfo& info);
  // mountsBelow(path) → an array of the paths below it at which something is mounted.
  Napi::Value MountsBelow(const Napi::CallbackInfo& info);
  // stampOf(paths) → a text that is the same as long as the mounts, this process's user and the owners of the
  // directories are, where each of the paths, joined by NULs, is absolute, without `.` or `..`, and leads to
  // a directory by no symbolic link; otherwise, and where the kernel does not tell, "".
  Napi::Value StampOf(const Napi::CallbackInfo& info);

  void OnOutput(uint64_t id, int stream, util::LiveWindow::Piece piece) override;
  void OnSurvivors(uint64_t id) override;
  void OnSoftLimit(uint64_t id) override;
  void OnCompletion(uint64_t id, process::Completion completion) override;
  void OnExit(uint64_t id) override;

 private:
  Napi::Array ArrayOf(const std::vector<std::string>& texts);

  struct Output {
    int stream;
    util::LiveWindow::Piece piece;
  };
  struct Survivors {};
  struct SoftLimit {};
  struct Exit {};
  struct Event {
    uint64_t id;
    std::variant<Output, Survivors, SoftLimit, Exit, process::Completion> what;
  };
  struct Pending {
    Napi::FunctionReference on_completion;
    Napi::FunctionReference on_output;
  };

  static void DispatchAll(napi_env env, napi_value, void* context, void*);
  static void OnTeardown(void* self);
  // Throws an exception with the errno; and with a path and what is wrong with it.
  Napi::Value Refuse(const char* message, int error);
  Napi::Value Refuse(const sandbox::Refusal& refusal);
  void Post(Event event);  // with the mutex held
  void Dispatch(Event event);

  Napi::Env env_;
  // On the JavaScript thread only:
  std::unordered_map<uint64_t, Pending> pending_;
  std::unordered_map<uint64_t, Napi::FunctionReference> exits_;
  sandbox::RulesetStore rulesets_;

  std::mutex mutex_;                         // guards what follows
  napi_threadsafe_function wake_ = nullptr;  // null once the environment is ending
  std::vector<Event> events_;
  size_t output_bytes_ = 0;  // in events_
};

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_ENVIRONMENT_H_
