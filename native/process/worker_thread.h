// A thread that runs tasks one after the other, for work that may block.
#ifndef BASHWARD_PROCESS_WORKER_THREAD_H_
#define BASHWARD_PROCESS_WORKER_THREAD_H_

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace bashward::process {

// The thread lives as long as somebody has a pointer to this, and until its last task is done.
class WorkerThread : public std::enable_shared_from_this<WorkerThread> {
 public:
  // `name` of at most 15 characters, for ps and debuggers; kept as a pointer.
  explicit WorkerThread(const char* name) : name_(name) {}

  // Starts the thread with the first task. 0, or the errno of pthread_create: the task does not run then.
  int Post(std::function<void()> task);
  // The thread ends when it has done everything that was posted before.
  void Stop();

 private:
  void Run();

  const char* const name_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool started_ = false;
  bool stopped_ = false;
};

// Starts a detached thread that leaves signals to the host's threads. 0 or errno.
int StartDetachedThread(const char* name, void* (*run)(void*), void* argument);

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_WORKER_THREAD_H_
