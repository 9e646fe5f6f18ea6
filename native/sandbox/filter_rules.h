// Which system calls the filter refuses, with which error, and which the broker answers.
//
// How to add a call:
// 1. A number that the kernel headers may be too old for gets a name in system_calls.h. Where this is a call
// of
//    a newer kernel, kNewestReviewed goes up, and every number below it gets looked at: it is allowed from
//    then on unless it is named here.
// 2. What gets the same answer under every policy goes to kRefusedCalls, or with a decision of its own to
//    kDecidedCalls; what depends on the policy to kCallsByPolicy. A decision is an answer (Allow,
//    Refuse<ERROR>, AskBroker) or a check of the arguments (filter_checks.h and others).
// 3. A call that takes arguments behind a pointer cannot be checked: another thread changes them after the
//    filter has looked. Refuse<ENOSYS> where libraries have another way, else the broker.
// 4. test/native/sandbox/filter_rules_test.cc has the lists a second time, on purpose.
#ifndef BASHWARD_SANDBOX_FILTER_RULES_H_
#define BASHWARD_SANDBOX_FILTER_RULES_H_

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "sandbox/bpf_program.h"
#include "sandbox/filter_checks.h"
#include "sandbox/filter_file_checks.h"
#include "sandbox/filter_socket_checks.h"
#include "sandbox/seccomp_filter.h"
#include "sandbox/system_calls.h"

namespace bashward::sandbox {

// Writes a piece of program that ends with an answer.
using Decision = void (*)(BpfProgram*);

constexpr void Allow(BpfProgram* program) {
  program->Allow();
}
constexpr void AskBroker(BpfProgram* program) {
  program->AskBroker();
}
template <int kError>
constexpr void Refuse(BpfProgram* program) {
  program->Refuse(kError);
}

struct FilterRule {
  uint32_t number;
  Decision decide;
};

// Always refused with EPERM. Numbers that an architecture does not have are left out: arm64 has none of the
// calls that newer ones have replaced.
inline constexpr uint32_t kRefusedCalls[] = {
    // Its flags of files are those of ioctl(2), and few programs use it.
    number::kFileSetattr,
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

// The same under every policy.
inline constexpr FilterRule kDecidedCalls[] = {
    {SYS_socketpair, CheckSocketpair},
    {SYS_futex, CheckFutex},
    {SYS_clone, CheckClone},
    {SYS_unshare, CheckUnshare},
    {SYS_setrlimit, CheckSetrlimit},
    {SYS_prlimit64, CheckPrlimit},
    {SYS_setpriority, CheckSetpriority},
    {SYS_ioprio_set, CheckIoprioSet},
    {SYS_sched_setscheduler, CheckSelf},
    {SYS_sched_setparam, CheckSelf},
    {SYS_sched_setattr, CheckSelf},
    {SYS_sched_setaffinity, CheckSelf},
    {SYS_fcntl, CheckFcntl},
    {SYS_syslog, CheckSyslog},
    // Its flags are behind a pointer, where no filter can see them; libraries then use clone(2).
    {number::kClone3, Refuse<ENOSYS>},
    {number::kFutexRequeue, Refuse<ENOSYS>},
};

// Where the second decision of a call applies.
enum class Where { kBrokered, kFilesAreMade };

struct RuleByPolicy {
  uint32_t number;
  Decision read_only;  // nothing can be written
  Decision otherwise;
  Where where = Where::kBrokered;
};

inline constexpr RuleByPolicy kCallsByPolicy[] = {
    // Sockets. Without a broker there are only pairs and a kernel interface; one makes what else its rules
    // allow, and binds and connects it.
    {SYS_socket, CheckSocket, AskBroker},
    {SYS_bind, CheckBind, AskBroker},
    {SYS_connect, Allow, AskBroker},
    {SYS_listen, Refuse<EPERM>, AskBroker},
    {SYS_accept, Refuse<EPERM>, Allow},
    {SYS_accept4, Refuse<EPERM>, Allow},
    {SYS_setsockopt, Allow, CheckSetsockopt},
    {SYS_sendto, Allow, CheckSending<3>},
    {SYS_sendmsg, Allow, CheckSending<2>},
    {SYS_sendmmsg, Allow, CheckSending<3>},
// Modes, owners, times and attributes: Landlock leaves all of them open.
#ifdef __x86_64__
    {SYS_chmod, Refuse<EPERM>, AskBroker},
    {SYS_chown, Refuse<EPERM>, AskBroker},
    {SYS_lchown, Refuse<EPERM>, AskBroker},
    {SYS_utime, Refuse<EPERM>, AskBroker},
    {SYS_utimes, Refuse<EPERM>, AskBroker},
    {SYS_futimesat, Refuse<EPERM>, AskBroker},
#endif
    {SYS_fchmod, Refuse<EPERM>, AskBroker},
    {SYS_fchmodat, Refuse<EPERM>, AskBroker},
    {number::kFchmodat2, Refuse<EPERM>, AskBroker},
    {SYS_fchown, Refuse<EPERM>, AskBroker},
    {SYS_fchownat, Refuse<EPERM>, AskBroker},
    {SYS_utimensat, Refuse<EPERM>, AskBroker},
    {SYS_setxattr, Refuse<EPERM>, AskBroker},
    {SYS_lsetxattr, Refuse<EPERM>, AskBroker},
    {SYS_fsetxattr, Refuse<EPERM>, AskBroker},
    {SYS_removexattr, Refuse<EPERM>, AskBroker},
    {SYS_lremovexattr, Refuse<EPERM>, AskBroker},
    {SYS_fremovexattr, Refuse<EPERM>, AskBroker},
    {number::kSetxattrat, Refuse<EPERM>, AskBroker},
    {number::kRemovexattrat, Refuse<EPERM>, AskBroker},
// Files that are made with set-id bits. Where nothing can be written, nothing is made.
#ifdef __x86_64__
    {SYS_open, Allow, CheckOpenMode<1, 2>, Where::kFilesAreMade},
    {SYS_creat, Allow, CheckNewMode<1>, Where::kFilesAreMade},
    {SYS_mknod, Allow, CheckNewMode<1>, Where::kFilesAreMade},
#endif
    {SYS_openat, Allow, CheckOpenMode<2, 3>, Where::kFilesAreMade},
    {SYS_mknodat, Allow, CheckNewMode<2>, Where::kFilesAreMade},
    // Its flags and mode are behind a pointer; libraries then use openat(2).
    {number::kOpenat2, Allow, Refuse<ENOSYS>, Where::kFilesAreMade},
    {SYS_renameat2, Allow, CheckRename},
    {SYS_ioctl, CheckIoctl, CheckIoctlWithCloning},
    {SYS_seccomp, Allow, CheckSeccomp},
};

// In place of those above before ABI 3 of Landlock.
inline constexpr RuleByPolicy kTruncatingCalls[] = {
#ifdef __x86_64__
    {SYS_open, CheckTruncation<1>, CheckTruncationAndMode<1, 2>, Where::kFilesAreMade},
#endif
    {SYS_openat, CheckTruncation<2>, CheckTruncationAndMode<2, 3>, Where::kFilesAreMade},
    {number::kOpenat2, Refuse<ENOSYS>, Refuse<ENOSYS>},
    {SYS_truncate, Refuse<EACCES>, AskBroker},
};

// Before ABI 6 of Landlock.
inline constexpr FilterRule kSignallingCalls[] = {
    {SYS_kill, CheckKill},
};

// The rules that apply, in the order of their numbers.
class FilterRules {
 public:
  static constexpr size_t kCapacity = 160;

  constexpr explicit FilterRules(const FilterPolicy& policy) {
    for (const uint32_t number : kRefusedCalls) Insert({number, Refuse<EPERM>});
    for (const FilterRule& rule : kDecidedCalls) Insert(rule);
    for (const RuleByPolicy& rule : kCallsByPolicy) Insert(For(policy, rule));
    if (policy.gaps.truncation) {
      for (const RuleByPolicy& rule : kTruncatingCalls) Insert(For(policy, rule));
    }
    if (policy.gaps.signals) {
      for (const FilterRule& rule : kSignallingCalls) Insert(rule);
    }
  }

  constexpr size_t size() const { return size_; }
  constexpr const FilterRule& operator[](size_t index) const { return rules_[index]; }

 private:
  static constexpr FilterRule For(const FilterPolicy& policy, const RuleByPolicy& rule) {
    const bool applies = policy.brokered || (policy.makes_files && rule.where == Where::kFilesAreMade);
    return {rule.number, applies ? rule.otherwise : rule.read_only};
  }

  // Takes the place of a rule with the same number.
  constexpr void Insert(const FilterRule& rule) {
    size_t position = size_;
    while (position > 0 && rules_[position - 1].number > rule.number) --position;
    if (position > 0 && rules_[position - 1].number == rule.number) {
      rules_[position - 1] = rule;
      return;
    }
    for (size_t i = size_++; i > position; --i) rules_[i] = rules_[i - 1];
    rules_[position] = rule;
  }

  FilterRule rules_[kCapacity]{};
  size_t size_ = 0;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_FILTER_RULES_H_
