// What Restricted mode answered before there were other policies, rule by rule: the oracle for the program
// that is put together today. Its promise has not changed since, and these stay as they are.
#ifndef BASHWARD_TEST_SUPPORT_RESTRICTED_FILTER_RULES_H_
#define BASHWARD_TEST_SUPPORT_RESTRICTED_FILTER_RULES_H_

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "sandbox/bpf_program.h"
#include "sandbox/seccomp_filter.h"
#include "sandbox/system_calls.h"
#include "support/restricted_filter_checks.h"

namespace bashward::test::restricted {

using sandbox::LandlockGaps;
namespace number = sandbox::number;

struct FilterRule {
  uint32_t number;
  int error;  // 0: `check` decides by the arguments
  void (*check)(BpfProgram*) = nullptr;
};

// Always refused with EPERM. Numbers that an architecture does not have are left out: arm64 has none of the
// calls that newer ones have replaced.
inline constexpr uint32_t kRefusedCalls[] = {
// Modes, owners, times and attributes: Landlock leaves all of them open.
#ifdef __x86_64__
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
#endif
    SYS_fchmod,
    SYS_fchmodat,
    number::kFchmodat2,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    number::kSetxattrat,
    number::kRemovexattrat,
    number::kFileSetattr,
    // Servers. Of sockets there are only pairs and a kernel interface, see CheckSocket.
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    // System V and POSIX objects and keyrings outlive the command, and others read them.
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_semget,
    SYS_semop,
    SYS_semctl,
    SYS_semtimedop,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_mq_open,
    SYS_mq_unlink,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    // Other processes.
    number::kPidfdGetfd,
    // Namespaces, roots and mounts.
    SYS_setns,
    SYS_chroot,
    SYS_pivot_root,
    SYS_mount,
    SYS_umount2,
    number::kOpenTree,
    number::kOpenTreeAttr,
    number::kMoveMount,
    number::kFsopen,
    number::kFsconfig,
    number::kFsmount,
    number::kFspick,
    number::kMountSetattr,
    number::kFchroot,
    SYS_open_by_handle_at,
    // Its contexts are counted for the whole machine, and one process can use them up.
    SYS_io_setup,
    // Interfaces through which everything else can be done, or that are large and new.
    number::kIoUringSetup,
    number::kIoUringEnter,
    number::kIoUringRegister,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_fanotify_init,
    // The machine. Root has lost the capabilities for these; a capability may also come from elsewhere.
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_acct,
    SYS_quotactl,
    number::kQuotactlFd,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_vhangup,
#ifdef __x86_64__
    SYS_iopl,
    SYS_ioperm,
#endif
};

inline constexpr FilterRule kCheckedCalls[] = {
    {SYS_socket, 0, CheckSocket},
    {SYS_socketpair, 0, CheckSocketpair},
    {SYS_bind, 0, CheckBind},
    {SYS_futex, 0, CheckFutex},
    {SYS_clone, 0, CheckClone},
    {SYS_unshare, 0, CheckUnshare},
    {SYS_setrlimit, 0, CheckSetrlimit},
    {SYS_prlimit64, 0, CheckPrlimit},
    {SYS_setpriority, 0, CheckSetpriority},
    {SYS_ioprio_set, 0, CheckIoprioSet},
    {SYS_sched_setscheduler, 0, CheckSelf},
    {SYS_sched_setparam, 0, CheckSelf},
    {SYS_sched_setattr, 0, CheckSelf},
    {SYS_sched_setaffinity, 0, CheckSelf},
    {SYS_fcntl, 0, CheckFcntl},
    {SYS_syslog, 0, CheckSyslog},
    {SYS_ioctl, 0, CheckIoctl},
    // Its flags are behind a pointer, where no filter can see them; libraries then use clone(2).
    {number::kClone3, ENOSYS},
    {number::kFutexRequeue, ENOSYS},
};

// Before ABI 3 of Landlock.
inline constexpr FilterRule kTruncatingCalls[] = {
#ifdef __x86_64__
    {SYS_open, 0, CheckOpen},
#endif
    {SYS_openat, 0, CheckOpenat},
    // Its flags, too, are behind a pointer; libraries then use openat(2).
    {number::kOpenat2, ENOSYS},
    {SYS_truncate, EACCES},
};

// Before ABI 6 of Landlock.
inline constexpr FilterRule kSignallingCalls[] = {
    {SYS_kill, 0, CheckKill},
};

// The rule for a number, or nothing where it is allowed.
inline const FilterRule* FindRule(LandlockGaps gaps, uint32_t number) {
  static constexpr FilterRule kRefused{0, EPERM};
  for (const uint32_t refused : kRefusedCalls) {
    if (refused == number) return &kRefused;
  }
  for (const FilterRule& rule : kCheckedCalls) {
    if (rule.number == number) return &rule;
  }
  for (const FilterRule& rule : kTruncatingCalls) {
    if (gaps.truncation && rule.number == number) return &rule;
  }
  for (const FilterRule& rule : kSignallingCalls) {
    if (gaps.signals && rule.number == number) return &rule;
  }
  return nullptr;
}

}  // namespace bashward::test::restricted

#endif  // BASHWARD_TEST_SUPPORT_RESTRICTED_FILTER_RULES_H_
