#include "supervisor/far_watch.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>

#include "process/control_protocol.h"
#include "sys/clock.h"
#include "sys/raw_call.h"

namespace bashward::supervisor {
namespace {

using sys::RawCall;

// A distant server gets its time. What the host says meanwhile comes first.
constexpr uint64_t kLookLimitMs = 3'000;

constexpr long kCloseRange = 436;           // of close_range(2), on every architecture
constexpr unsigned int kUnshare = 1U << 1;  // CLOSE_RANGE_UNSHARE

// Nothing when there is no number between them.
bool CloseBetween(int before, int after, unsigned int flags) {
  if (after - before <= 1) return true;
  return RawCall(kCloseRange, before + 1, after - 1, flags) == 0;
}

}  // namespace

void FarWatch::Record(const sandbox::WritableRoots& roots, const char* watched, uint32_t count,
                      WatchScope scope) {
  roots_ = &roots;
  watched_ = watched;
  count_ = count;
  scope_ = scope;
  const long fd = RawCall(SYS_eventfd2, 0, EFD_CLOEXEC);
  if (fd < 0) return;
  finished_fd_.reset(static_cast<int>(fd));
  keeps_up_ = sys::StartThread(Run, this, stack_) && WaitFor(1, Until::kHostSpeaks);
}

bool FarWatch::FindChanges(Until until) {
  if (!keeps_up_) return false;
  const uint32_t look = __atomic_add_fetch(&asked_, 1, __ATOMIC_RELEASE);
  RawCall(SYS_futex, &asked_, FUTEX_WAKE_PRIVATE, 1);
  keeps_up_ = WaitFor(look, until);
  return keeps_up_;
}

// In the thread: nothing here or in WatchedPaths touches errno, which is the main thread's.
int FarWatch::Run(void* watch) {
  auto* self = static_cast<FarWatch*>(watch);
  self->LeaveDescriptors();
  self->paths_.Record(*self->roots_, self->watched_, self->count_, self->scope_);
  for (uint32_t look = 1;; ++look) {
    self->Finish(look);
    while (__atomic_load_n(&self->asked_, __ATOMIC_ACQUIRE) == look) {
      RawCall(SYS_futex, &self->asked_, FUTEX_WAIT_PRIVATE, look, nullptr);
    }
    self->paths_.FindChanges();
  }
}

// To close a file can take for ever, too: the shell would do so with its copies when it is executed, and what
// this process closes would stay open here. Where that cannot be had, they stay shared.
void FarWatch::LeaveDescriptors() {
  unsigned int flags = kUnshare;
  for (int last = -1; last < INT_MAX;) {
    const int next = NextNeeded(last);
    if (!CloseBetween(last, next, flags)) return;
    if (next - last > 1) flags = 0;
    last = next;
  }
}

int FarWatch::NextNeeded(int last) const {
  const int finished = finished_fd_.get();
  int next = finished > last ? finished : INT_MAX;
  for (size_t i = 0; i < roots_->size(); ++i) {
    const int root = (*roots_)[i].fd.get();
    if (root > last && root < next) next = root;
  }
  return next;
}

void FarWatch::Finish(uint32_t look) {
  __atomic_store_n(&finished_, look, __ATOMIC_RELEASE);
  const uint64_t one = 1;
  RawCall(SYS_write, finished_fd_.get(), &one, sizeof one);
}

bool FarWatch::WaitFor(uint32_t look, Until until) {
  const int host = until == Until::kHostSpeaks ? protocol::kControlFd : -1;
  const uint64_t end = sys::NowMs() + kLookLimitMs;
  for (;;) {
    if (__atomic_load_n(&finished_, __ATOMIC_ACQUIRE) == look) break;
    const uint64_t now = sys::NowMs();
    if (now >= end) return false;
    const uint64_t left = end - now;
    const timespec timeout{static_cast<time_t>(left / 1000), static_cast<long>(left % 1000) * 1'000'000};
    pollfd ready[] = {{finished_fd_.get(), POLLIN, 0}, {host, POLLIN, 0}};
    if (ppoll(ready, 2, &timeout, nullptr) < 0) return false;
    if (ready[0].revents == 0 && ready[1].revents != 0) return false;
  }
  uint64_t count = 0;
  RawCall(SYS_read, finished_fd_.get(), &count, sizeof count);
  return true;
}

}  // namespace bashward::supervisor
