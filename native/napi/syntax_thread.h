// The thread on which one Node environment parses, and the way back to its JavaScript.
#ifndef BASHWARD_NAPI_SYNTAX_THREAD_H_
#define BASHWARD_NAPI_SYNTAX_THREAD_H_

#include <napi.h>

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "process/worker_thread.h"
#include "syntax/flat_tree.h"

namespace bashward::addon {

// The thread starts with the first text and ends with the environment, giving up what it is parsing.
class SyntaxThread final : public std::enable_shared_from_this<SyntaxThread> {
 public:
  // Null, with a JavaScript exception pending, when Node refuses.
  static std::shared_ptr<SyntaxThread> Create(Napi::Env env);

  explicit SyntaxThread(Napi::Env env) : env_(env) {}

  // parseAsync(text, deadlineMs, onTree): like parse; the deadline counts from this text's turn. Texts are
  // parsed one after the other; onTree is called once, later, and keeps the event loop alive until then.
  Napi::Value ParseAsync(const Napi::CallbackInfo& info);

 private:
  static void DispatchAll(napi_env env, napi_value, void* context, void*);
  static void OnTeardown(void* self);
  void Post(syntax::FlatTree tree);

  Napi::Env env_;
  std::deque<Napi::FunctionReference> waiting_;  // on the JavaScript thread only, in the order of the texts
  const std::shared_ptr<process::WorkerThread> thread_ =
      std::make_shared<process::WorkerThread>("bashward-syntax");
  std::atomic<bool> ending_{false};

  std::mutex mutex_;                         // guards what follows
  napi_threadsafe_function wake_ = nullptr;  // null once the environment is ending
  std::vector<syntax::FlatTree> trees_;
};

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_SYNTAX_THREAD_H_
