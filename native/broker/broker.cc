#include "broker/broker.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "broker/answer.h"
#include "broker/notification.h"
#include "broker/own_capabilities.h"
#include "freestanding/syscall.h"
#include "util/text.h"

namespace bashward::broker {
namespace {

using freestanding::Syscall;
using protocol::Step;

long Address(const void* pointer) {
  return reinterpret_cast<long>(pointer);
}

// To change what root's tar and cp change, and to read the memory of what has made itself unreadable to
// others. CAP_FSETID keeps the set-group-id bit of directories.
constexpr uint64_t kCapabilities = OnlyCapability(CAP_CHOWN) | OnlyCapability(CAP_DAC_OVERRIDE) |
                                   OnlyCapability(CAP_DAC_READ_SEARCH) | OnlyCapability(CAP_FOWNER) |
                                   OnlyCapability(CAP_FSETID) | OnlyCapability(CAP_SYS_PTRACE);

// SECCOMP_IOCTL_NOTIF_SET_FLAGS with SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP, which the headers have from 6.6 on.
constexpr unsigned long kSetFlags = _IOW('!', 4, uint64_t);
constexpr uint64_t kSyncWakeUp = 1;

// One of the two always waits: so the caller wakes this thread on its own processor, and is woken there,
// whatever runs on the others. Kernels before 6.6 do without.
void StayWithCallers(int listener) {
  Syscall(SYS_ioctl, listener, kSetFlags, kSyncWakeUp);
}

// Whether waiting for a notification ends with the last caller: from Linux 6.11 on. Before, it lasts for
// ever, and poll(2) has to wait instead.
bool ReceivingEnds() {
  utsname names{};
  if (Syscall(SYS_uname, Address(&names)) != 0) return false;
  const char* release = names.release;
  const uint64_t major = util::TakeNumber(&release);
  if (*release++ != '.') return false;
  return major > 6 || (major == 6 && util::TakeNumber(&release) >= 11);
}

union Request {
  seccomp_notif notification;
  char room[kNotificationRoom];
};

}  // namespace

bool Broker::Start(sandbox::WritableRoots* roots, protocol::Failed* failure) {
  roots_ = roots;
  sockets.Prepare(roots, &denials_);
  seccomp_notif_sizes sizes{};
  const long asked = Syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, Address(&sizes));
  if (asked != 0 || sizes.seccomp_notif > kNotificationRoom || sizes.seccomp_notif_resp > kNotificationRoom) {
    *failure = {Step::kBroker, asked != 0 ? static_cast<int>(-asked) : EOVERFLOW};
    return false;
  }
  ended_fd_.reset(static_cast<int>(Syscall(SYS_eventfd2, 0, EFD_CLOEXEC)));
  if (!ended_fd_.valid() || !sys::StartThread(Run, this, stack_)) {
    *failure = {Step::kBroker, errno};
    return false;
  }
  return true;
}

bool Broker::WatchDenials() {
  denials_fd_.reset(static_cast<int>(Syscall(SYS_eventfd2, 0, EFD_CLOEXEC | EFD_NONBLOCK)));
  denials_.WakeBy(denials_fd_.get());
  return denials_fd_.valid();
}

void Broker::Serve(int listener) {
  __atomic_store_n(&listener_, static_cast<uint32_t>(listener) + 1, __ATOMIC_RELEASE);
  Syscall(SYS_futex, Address(&listener_), FUTEX_WAKE_PRIVATE, 1);
}

int Broker::WaitForListener(int former) {
  const auto known = static_cast<uint32_t>(former + 1);
  for (;;) {
    const uint32_t listener = __atomic_load_n(&listener_, __ATOMIC_ACQUIRE);
    if (listener != known) return static_cast<int>(listener - 1);
    Syscall(SYS_futex, Address(&listener_), FUTEX_WAIT_PRIVATE, known, 0);
  }
}

int Broker::Run(void* broker) {
  auto* self = static_cast<Broker*>(broker);
  const long kept = KeepOnlyCapabilities(kCapabilities);
  self->error_ = kept == 0 ? self->Loop() : static_cast<int>(-kept);
  __atomic_store_n(&self->ended_, 1, __ATOMIC_RELEASE);
  const uint64_t one = 1;
  Syscall(SYS_write, self->ended_fd_.get(), Address(&one), sizeof one);
  // Nobody waits for an answer any more. Calls fail from now on (ENOSYS), and the filter goes on refusing
  // listeners of the command's own.
  Syscall(SYS_close, self->WaitForListener(-1));
  return 0;
}

int Broker::Loop() {
  const bool receiving_ends = ReceivingEnds();
  int listener = WaitForListener(-1);
  StayWithCallers(listener);
  bool polls = !receiving_ends;
  for (;;) {
    pollfd ready{listener, POLLIN, 0};
    if (polls) Syscall(SYS_ppoll, Address(&ready), 1, 0, 0, 0);
    // Nobody is left who could call: this process ends now, or a shell that did not start is tried once more.
    if ((ready.revents & (POLLIN | POLLHUP)) == POLLHUP) {
      listener = WaitForListener(listener);
      StayWithCallers(listener);
      continue;
    }
    Request request;
    memset(&request, 0, sizeof request);  // the kernel insists
    const long received = Syscall(SYS_ioctl, listener, SECCOMP_IOCTL_NOTIF_RECV, Address(&request));
    // ENOENT: the caller has been killed meanwhile, or nobody is left.
    polls = !receiving_ends || received == -ENOENT;
    if (received == -EINTR || received == -ENOENT) continue;
    if (received != 0) return static_cast<int>(-received);
    int error = 0;
    if (IsSocketCall(request.notification.data.nr)) {
      error = sockets.Take(request.notification, listener);
      if (error == 0) continue;
    } else {
      error = Answer(request.notification, listener, *roots_, &denials_);
    }
    SendAnswer(error, request.notification.id, listener);
  }
}

}  // namespace bashward::broker
