#include "broker/sockets/socket_thread.h"

#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>

#include <new>

#include "broker/notification.h"
#include "broker/own_capabilities.h"

#ifndef SECCOMP_ADDFD_FLAG_SEND
#define SECCOMP_ADDFD_FLAG_SEND (1UL << 1)
#endif

namespace bashward::broker {
namespace {

// What the command has, without which its processes would be closed to this thread, and CAP_SYS_PTRACE for
// those that have made themselves unreadable. None of them means anything for sockets.
constexpr uint64_t kCapabilities =
    OnlyCapability(CAP_DAC_OVERRIDE) | OnlyCapability(CAP_DAC_READ_SEARCH) | OnlyCapability(CAP_SYS_PTRACE);

constexpr uint64_t kDescriptors = 4096;

// Every socket that is held takes a descriptor. The command has got its own limit before.
void RaiseDescriptorLimit() {
  uint64_t limits[2] = {};  // soft, hard
  if (kernel::Call(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, limits) != 0) return;
  const uint64_t wanted = limits[1] < kDescriptors ? limits[1] : kDescriptors;
  if (limits[0] >= wanted) return;
  limits[0] = wanted;
  kernel::Call(SYS_prlimit64, 0, RLIMIT_NOFILE, limits, nullptr);
}

}  // namespace

void SocketThread::Prepare(const sandbox::WritableRoots* roots, DenialLog* denials) {
  roots_ = roots;
  denials_ = denials;
}

int SocketThread::Take(const seccomp_notif& notification, int listener) {
  if (!started_) {
    const int error = Start();
    if (error != 0) return error;
  }
  if (added_ - __atomic_load_n(&taken_, __ATOMIC_ACQUIRE) == kCapacity) return -ENOMEM;
  items_[added_ % kCapacity] = {notification, listener};
  __atomic_store_n(&added_, added_ + 1, __ATOMIC_RELEASE);
  const uint64_t one = 1;
  kernel::Call(SYS_write, wake_.get(), &one, sizeof one);
  return 0;
}

int SocketThread::Start() {
  if (!wake_.valid()) wake_ = kernel::Descriptor(kernel::Call(SYS_eventfd2, 0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_.valid()) return wake_.error() == -EMFILE ? -ENFILE : wake_.error();
  const long error = sys::StartThreadOfItsOwn(Run, this, stack_);
  started_ = error == 0;
  return static_cast<int>(error);
}

int SocketThread::Run(void* thread) {
  auto* const self = static_cast<SocketThread*>(thread);
  const bool is_ready = KeepOnlyCapabilities(kCapabilities) == 0;
  RaiseDescriptorLimit();
  self->broker_ = new (self->storage_) SocketBroker;
  self->broker_->Begin(&self->rules, self->roots_, self->denials_);
  if (is_ready) self->Loop();
  // Nothing is let through.
  for (;;) {
    self->Wait();
    Item item;
    while (self->Next(&item)) SendAnswer(-EPERM, item.notification.id, item.listener);
  }
}

void SocketThread::Loop() {
  for (;;) {
    Wait();
    if (__atomic_load_n(&proxy_gone_, __ATOMIC_ACQUIRE) != 0) rules.proxy_port = 0;
    Item item;
    while (Next(&item)) {
      Handle(item);
      RetryDue();
    }
    RetryDue();
  }
}

void SocketThread::Wait() {
  const uint64_t next = broker_->waiting().NextMs();
  const uint64_t now = next == UINT64_MAX ? 0 : ClockMs();
  const uint64_t left = next > now ? next - now : 0;
  const timespec timeout{static_cast<time_t>(left / 1000), static_cast<long>(left % 1000) * 1'000'000};
  pollfd ready{wake_.get(), POLLIN, 0};
  kernel::Call(SYS_ppoll, &ready, 1, next == UINT64_MAX ? nullptr : &timeout, nullptr, 0);
  uint64_t count = 0;
  if (ready.revents != 0) kernel::Call(SYS_read, wake_.get(), &count, sizeof count);
}

bool SocketThread::Next(Item* item) {
  if (__atomic_load_n(&added_, __ATOMIC_ACQUIRE) == taken_) return false;
  *item = items_[taken_ % kCapacity];
  __atomic_store_n(&taken_, taken_ + 1, __ATOMIC_RELEASE);
  return true;
}

void SocketThread::Handle(const Item& item) {
  const SocketAnswer answer = broker_->Answer(item.notification, item.listener);
  const uint64_t id = item.notification.id;
  if (answer.kind == SocketAnswer::Kind::kReturn) SendAnswer(answer.error, id, item.listener);
  if (answer.kind == SocketAnswer::Kind::kInstall) Install(answer, id, item.listener);
}

void SocketThread::RetryDue() {
  const uint64_t now = ClockMs();
  while (WaitingConnect* const waiting = broker_->waiting().Due(now)) {
    int error = 0;
    if (!broker_->Retry(waiting, &error)) continue;
    SendAnswer(error, waiting->id, waiting->listener);
    WaitingConnects::Remove(waiting);
  }
}

// Installing and answering are one: the caller cannot have the descriptor without the answer.
void SocketThread::Install(const SocketAnswer& answer, uint64_t id, int listener) {
  seccomp_notif_addfd add{};
  add.id = id;
  add.flags = SECCOMP_ADDFD_FLAG_SEND;
  add.srcfd = static_cast<uint32_t>(answer.socket->handle.get());
  add.newfd_flags = answer.close_on_exec ? O_CLOEXEC : 0;
  const long result = kernel::Call(SYS_ioctl, listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
  if (result >= 0) return;
  broker_->Withdraw(answer.socket);
  // The caller has no descriptor left, say.
  SendAnswer(static_cast<int>(result), id, listener);
}

}  // namespace bashward::broker
