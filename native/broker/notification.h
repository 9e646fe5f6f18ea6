// What is the same for every notified system call, whatever it is about (seccomp_unotify(2)).
#ifndef BASHWARD_BROKER_NOTIFICATION_H_
#define BASHWARD_BROKER_NOTIFICATION_H_

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

#include "broker/kernel.h"

namespace bashward::broker {

#if defined(__x86_64__)
inline constexpr uint32_t kOwnArchitecture = AUDIT_ARCH_X86_64;
#else
inline constexpr uint32_t kOwnArchitecture = AUDIT_ARCH_AARCH64;
#endif

// For the kernel's structures, which may be longer than those that this was built with.
inline constexpr size_t kNotificationRoom = 512;

// Whether the caller still waits for its answer. If not, its number can be another process's by now.
inline bool IsStillThere(uint64_t id, int listener) {
  return kernel::Call(SYS_ioctl, listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

// `error`: 0 or -errno. A caller that has been killed meanwhile gets no answer.
inline void SendAnswer(int error, uint64_t id, int listener) {
  union {
    seccomp_notif_resp response;
    char room[kNotificationRoom];
  } answer;
  memset(&answer, 0, sizeof answer);
  answer.response.id = id;
  answer.response.error = error;
  kernel::Call(SYS_ioctl, listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_NOTIFICATION_H_
