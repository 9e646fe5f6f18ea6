// For ThreadSanitizer, which does not see threads that clone(2) makes: the supervisor's thread that looks, as
// one of the C library.
#include <pthread.h>
#include <sched.h>

#include "sys/thread.h"

namespace bashward::sys {
namespace {

struct Start {
  int (*function)(void*);
  void* argument;
};

void* Run(void* start) {
  const Start copy = *static_cast<Start*>(start);
  delete static_cast<Start*>(start);
  if (unshare(CLONE_FILES) == 0) copy.function(copy.argument);
  return nullptr;
}

}  // namespace

bool StartThreadWithOwnDescriptors(int (*function)(void*), void* argument, void*) {
  auto* const start = new Start{function, argument};
  pthread_t thread{};
  if (pthread_create(&thread, nullptr, Run, start) == 0) return pthread_detach(thread) == 0;
  delete start;
  return false;
}

}  // namespace bashward::sys
