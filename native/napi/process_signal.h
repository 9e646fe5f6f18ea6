// Signalling a process that is known by its pid and start time.
#ifndef BASHWARD_NAPI_PROCESS_SIGNAL_H_
#define BASHWARD_NAPI_PROCESS_SIGNAL_H_

#include <napi.h>

namespace bashward::addon {

// signalProcess(pid, startTime, signal) → 0, or the errno: ESRCH when there is no such process, also when its
// pid belongs to another one by now. Through a pidfd, so that no other process can be hit.
Napi::Value SignalKnownProcess(const Napi::CallbackInfo& info);

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_PROCESS_SIGNAL_H_
