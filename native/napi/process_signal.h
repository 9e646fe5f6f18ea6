// Signalling a process that is known by its pid and start time.
#ifndef BASHWARD_NAPI_PROCESS_SIGNAL_H_
#define BASHWARD_NAPI_PROCESS_SIGNAL_H_

#include <napi.h>

namespace bashward::addon {

// signalProcess(pid, startTime, signal) → 0, or the errno: ESRCH when the process is gone, even if its pid
// has gone to another by now. Uses a pidfd, so it cannot hit another process.
Napi::Value SignalKnownProcess(const Napi::CallbackInfo& info);

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_PROCESS_SIGNAL_H_
