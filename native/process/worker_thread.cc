#include "process/worker_thread.h"

#include <pthread.h>

#include "sys/signals.h"

namespace bashward::process {

int StartDetachedThread(const char* name, void* (*run)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  int result = 0;
  {
    const sys::SignalBlock block;  // the new thread inherits the mask
    result = pthread_create(&thread, &attributes, run, argument);
  }
  pthread_attr_destroy(&attributes);
  if (result == 0) pthread_setname_np(thread, name);
  return result;
}

int WorkerThread::Post(std::function<void()> task) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!started_) {
    const auto run = [](void* self) -> void* {
      static_cast<WorkerThread*>(self)->Run();
      return nullptr;
    };
    const int error = StartDetachedThread("bashward-files", run, this);
    if (error != 0) return error;
    started_ = true;
  }
  tasks_.push_back(std::move(task));
  wake_.notify_one();
  return 0;
}

void WorkerThread::Run() {
  for (;;) {
    std::function<void()> task;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [this] { return !tasks_.empty(); });
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }
}

}  // namespace bashward::process
