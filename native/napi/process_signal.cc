#include "napi/process_signal.h"

#include <errno.h>

#include "sys/process_stat.h"
#include "sys/signals.h"
#include "sys/unique_fd.h"

namespace bashward::addon {
namespace {

int SendSignal(pid_t pid, uint64_t start_time, int signal) {
  if (pid <= 1) return ESRCH;
  // First the descriptor, which holds on to one process; then its start time tells whether that is the one
  // meant.
  const sys::UniqueFd pidfd(sys::OpenPidfd(pid));
  if (!pidfd.valid()) return errno;
  sys::ProcessStat stat{};
  if (!sys::ReadStatOf(pidfd.get(), pid, &stat)) return errno == ENOENT ? ESRCH : errno;
  if (stat.start_time != start_time) return ESRCH;
  return sys::SignalPidfd(pidfd.get(), signal) == 0 ? 0 : errno;
}

}  // namespace

Napi::Value SignalKnownProcess(const Napi::CallbackInfo& info) {
  const auto number = [&info](size_t i) { return info[i].As<Napi::Number>(); };
  const int error = SendSignal(number(0).Int32Value(), static_cast<uint64_t>(number(1).Int64Value()),
                               number(2).Int32Value());
  return Napi::Number::New(info.Env(), error);
}

}  // namespace bashward::addon
