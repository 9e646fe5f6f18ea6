// Whether somebody holds a lock on a file: how the supervisor of a job shows that it lives, see
// supervisor/job.h.
#ifndef BASHWARD_NAPI_FILE_LOCK_H_
#define BASHWARD_NAPI_FILE_LOCK_H_

#include <napi.h>

namespace bashward::addon {

// (path) → 1 when another process has it locked, 0 when none has, or the negative errno.
Napi::Value IsLocked(const Napi::CallbackInfo& info);

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_FILE_LOCK_H_
