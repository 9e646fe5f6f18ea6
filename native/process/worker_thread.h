// A thread that runs tasks one after the other, for work that may block.
#ifndef BASHWARD_PROCESS_WORKER_THREAD_H_
#define BASHWARD_PROCESS_WORKER_THREAD_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace bashward::process {

// Never destroyed, like the reactor that uses it.
class WorkerThread {
 public:
  // Starts the thread with the first task. 0, or the errno of pthread_create: the task does not run then.
  int Post(std::function<void()> task);

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool started_ = false;
};

// Starts a detached thread with every signal blocked: the host's signals are for the host's threads. 0 or errno.
int StartDetachedThread(const char* name, void* (*run)(void*), void* argument);

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_WORKER_THREAD_H_
