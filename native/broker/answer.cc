#include "broker/answer.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "broker/act.h"
#include "broker/beneath.h"
#include "broker/call.h"
#include "broker/caller_memory.h"
#include "broker/naming.h"
#include "broker/notification.h"

namespace bashward::broker {
namespace {

using kernel::Descriptor;
using protocol::Operation;

// Pipes, sockets and memory files: nothing outside was to be changed. They are refused all the same, as
// they cannot be told from the host's own, such as those that the command got for its output.
bool HasNoPlace(const Checked& checked) {
  const char* memory = "/memfd:";
  const char* path = checked.path;
  if (*path != '/') return true;
  while (*memory != '\0' && *path == *memory) ++path, ++memory;
  return *memory == '\0';
}

int Refuse(Operation operation, const char* target, size_t size, DenialLog* denials) {
  denials->Add(operation, target, size);
  return operation == Operation::kTruncate ? -EACCES : -EPERM;
}

// truncate says this of anything, wherever it lies.
int CheckCanBeTruncated(const Checked& checked) {
  if (S_ISDIR(checked.status.mode)) return -EISDIR;
  return S_ISREG(checked.status.mode) ? 0 : -EINVAL;
}

}  // namespace

int Answer(const seccomp_notif& notification, int listener, const sandbox::WritableRoots& roots,
           DenialLog* denials) {
  // The filter lets none of another architecture come here. A pid of 0 is in a PID namespace that ours does
  // not see.
  if (notification.data.arch != kOwnArchitecture) return -ENOSYS;
  const auto thread = static_cast<pid_t>(notification.pid);
  if (thread <= 0) return -EPERM;

  CallerMemory memory(thread);
  Call call;
  bool done = false;
  int error = TakeCall(notification.data, memory, &call, &done);
  if (error != 0 || done) return error;
  Taken taken;
  error = TakeNamed(call.named, thread, memory, &taken);
  if (error != 0) return error;
  if (!IsStillThere(notification.id, listener)) return -ESRCH;

  const Descriptor named = Resolve(&taken);
  if (!named.valid()) {
    if (named.error() != -EPERM) return named.error();
    return Refuse(call.operation, taken.text, strlen(taken.text), denials);
  }
  Checked checked;
  const int place = CheckBeneath(named.get(), roots, &checked);
  if (place < 0) return place;
  if (call.operation == Operation::kTruncate) {
    error = CheckCanBeTruncated(checked);
    if (error != 0) return error;
  }
  if (place == kOutside && HasNoPlace(checked)) return -EPERM;
  if (place == kOutside) return Refuse(call.operation, checked.path, checked.path_size, denials);
  if (HasAlready(call, checked.status)) return 0;
  if (checked.is_root && call.operation != Operation::kChangeTimes) {
    return Refuse(call.operation, checked.path, checked.path_size, denials);
  }
  return Act(call, checked.fd, checked.status);
}

}  // namespace bashward::broker
