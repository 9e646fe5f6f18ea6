// Locks on files: how the supervisor of a job shows that it lives (supervisor/job.h), and a consumer of the
// ends of jobs that it watches (lib/commands/jobs/watch/).
#ifndef BASHWARD_NAPI_FILE_LOCK_H_
#define BASHWARD_NAPI_FILE_LOCK_H_

#include <napi.h>

namespace bashward::addon {

// (path) → 1 when another process has it locked, 0 when none has, or the negative errno.
Napi::Value IsLocked(const Napi::CallbackInfo& info);

// The same of a lock as LockFile takes it, and supervisors on the marks of calls: this process counts, too.
Napi::Value IsOwned(const Napi::CallbackInfo& info);

// (path) → a descriptor for UnlockFile, whose lock ends with it or this process, or the negative errno:
// EAGAIN when it is locked. The file is made if there is none. A lock of its own kind, which IsLocked does
// not see.
Napi::Value LockFile(const Napi::CallbackInfo& info);
void UnlockFile(const Napi::CallbackInfo& info);

}  // namespace bashward::addon

#endif  // BASHWARD_NAPI_FILE_LOCK_H_
