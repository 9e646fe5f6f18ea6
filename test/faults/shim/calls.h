/* The system calls that fault-shim knows by name. A recorded run shows others by their numbers. */
#ifndef BASHWARD_FAULTS_CALLS_H_
#define BASHWARD_FAULTS_CALLS_H_

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#define CALL(name) {#name, SYS_##name}

static const struct {
  const char* name;
  int number;
} call_names[] = {
    /* clang-format off */
    CALL(brk), CALL(capget), CALL(capset), CALL(chdir), CALL(clock_gettime), CALL(clone), CALL(clone3),
    CALL(close), CALL(close_range), CALL(dup), CALL(dup3), CALL(epoll_create1), CALL(epoll_ctl),
    CALL(epoll_pwait), CALL(epoll_pwait2), CALL(eventfd2), CALL(execve), CALL(execveat), CALL(exit),
    CALL(exit_group), CALL(faccessat), CALL(fchmodat), CALL(fcntl), CALL(flock), CALL(fstat),
    CALL(fstatfs), CALL(fsync), CALL(ftruncate), CALL(futex), CALL(getdents64), CALL(geteuid),
    CALL(getpgid), CALL(getpid), CALL(getppid), CALL(getrusage), CALL(gettid), CALL(getuid), CALL(getxattr),
    CALL(ioctl), CALL(kcmp), CALL(kill),
    CALL(landlock_add_rule), CALL(landlock_create_ruleset), CALL(landlock_restrict_self), CALL(linkat),
    CALL(lseek),
    CALL(madvise), CALL(memfd_create), CALL(mkdirat), CALL(mmap), CALL(mprotect), CALL(munmap),
    CALL(newfstatat), CALL(openat), CALL(openat2), CALL(pidfd_open), CALL(pidfd_send_signal),
    CALL(pipe2), CALL(ppoll), CALL(prctl), CALL(pread64), CALL(prlimit64), CALL(ptrace), CALL(pwrite64),
    CALL(read), CALL(readlinkat), CALL(recvfrom), CALL(recvmsg), CALL(renameat2), CALL(rseq),
    CALL(rt_sigaction), CALL(rt_sigprocmask), CALL(sched_yield), CALL(seccomp), CALL(sendfile),
    CALL(sendmsg), CALL(sendto), CALL(set_robust_list), CALL(setsid), CALL(shutdown), CALL(signalfd4), CALL(socket),
    CALL(socketpair), CALL(splice), CALL(statx), CALL(timer_create), CALL(timer_settime), CALL(truncate),
    CALL(unlinkat), CALL(wait4), CALL(waitid), CALL(write),
#ifdef __x86_64__
    CALL(access), CALL(dup2), CALL(epoll_wait), CALL(mkdir), CALL(open), CALL(poll), CALL(readlink),
    CALL(rename), CALL(stat), CALL(unlink),
#endif
    /* clang-format on */
};

#undef CALL

static const char* call_name(int number) {
  static char unknown[16];
  for (size_t i = 0; i < sizeof call_names / sizeof *call_names; i++) {
    if (call_names[i].number == number) return call_names[i].name;
  }
  snprintf(unknown, sizeof unknown, "#%d", number);
  return unknown;
}

static int call_number(const char* name) {
  for (size_t i = 0; i < sizeof call_names / sizeof *call_names; i++) {
    if (strcmp(call_names[i].name, name) == 0) return call_names[i].number;
  }
  return -1;
}

#endif /* BASHWARD_FAULTS_CALLS_H_ */
