#include "process/worker_thread.h"

#include <pthread.h>

#include "sys/signals.h"

namespace bashward::process {
namespace {

// What musl would give, 128 KiB, is too little for tree-sitter's recursions.
constexpr size_t kStackSize = size_t{1024} * 1024;

}  // namespace

int StartDetachedThread(const char* name, void* (*run)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, kStackSize);
  pthread_t thread;
  int result = 0;
  {
    const sys::SignalBlock block(sys::kHostSignals);  // the new thread inherits the mask
    result = pthread_create(&thread, &attributes, run, argument);
  }
  pthread_attr_destroy(&attributes);
  if (result == 0) pthread_setname_np(thread, name);
  return result;
}

int WorkerThread::Post(std::function<void()> task) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!started_) {
    const auto run = [](void* argument) -> void* {
      const std::unique_ptr<std::shared_ptr<WorkerThread>> self(
          static_cast<std::shared_ptr<WorkerThread>*>(argument));
      (*self)->Run();
      return nullptr;
    };
    auto* self = new std::shared_ptr<WorkerThread>(shared_from_this());
    const int error = StartDetachedThread(name_, run, self);
    if (error != 0) {
      delete self;
      return error;
    }
    started_ = true;
  }
  tasks_.push_back(std::move(task));
  wake_.notify_one();
  return 0;
}

void WorkerThread::Stop() {
  std::lock_guard<std::mutex> lock(mutex_);
  stopped_ = true;
  wake_.notify_one();
}

void WorkerThread::Run() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [this] { return stopped_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace bashward::process
