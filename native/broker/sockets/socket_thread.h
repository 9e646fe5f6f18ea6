// The thread that answers system calls about sockets. Apart from that for files, as it can be made to wait: a
// caller can clear O_NONBLOCK of a socket that is being connected, or have its closing take seconds.
//
// It starts with the first such call: most commands make none.
#ifndef BASHWARD_BROKER_SOCKETS_SOCKET_THREAD_H_
#define BASHWARD_BROKER_SOCKETS_SOCKET_THREAD_H_

#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

#include "broker/denial_log.h"
#include "broker/kernel.h"
#include "broker/sockets/socket_broker.h"
#include "sandbox/writable_roots.h"
#include "sys/thread.h"

namespace bashward::broker {

class SocketThread {
 public:
  // Both must outlive the process.
  void Prepare(const sandbox::WritableRoots* roots, DenialLog* denials);
  // Set before the first call.
  SocketRules rules;
  // From any thread: the proxy has ended, and its port may be somebody else's by now.
  void ForgetProxy() { __atomic_store_n(&proxy_gone_, 1, __ATOMIC_RELEASE); }

  // From the thread that receives notifications, with one about a socket. 0: this thread answers it; or
  // -errno, which the other has to answer.
  int Take(const seccomp_notif& notification, int listener);

 private:
  struct Item {
    seccomp_notif notification;
    int listener;
  };
  static constexpr uint32_t kCapacity = 1024;

  int Start();
  static int Run(void* thread);
  void Loop();
  void Wait();
  bool Next(Item* item);
  void Handle(const Item& item);
  void RetryDue();
  void Install(const SocketAnswer& answer, uint64_t id, int listener);

  const sandbox::WritableRoots* roots_ = nullptr;
  DenialLog* denials_ = nullptr;
  bool started_ = false;
  uint32_t proxy_gone_ = 0;
  kernel::Descriptor wake_;
  SocketBroker* broker_ = nullptr;
  // One thread adds, the other takes. Both count all items so far.
  uint32_t added_ = 0;
  uint32_t taken_ = 0;
  Item items_[kCapacity];
  // Made by the thread itself: what is never used takes no memory.
  alignas(SocketBroker) char storage_[sizeof(SocketBroker)];
  alignas(16) char stack_[sys::kThreadStackSize];
};

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_SOCKET_THREAD_H_
