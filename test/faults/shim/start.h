/* Starts the program under a filter that reports its calls. */
#ifndef BASHWARD_FAULTS_START_H_
#define BASHWARD_FAULTS_START_H_

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"

enum { CANNOT = 125, MAX_CALLS = 128 };

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif

static int install_filter(char* names) {
  static struct sock_filter filter[2 * MAX_CALLS];
  int size = 0;
  filter[size++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  if (strcmp(names, "all") == 0) {
    /* A signal frame is left in the caller's own registers. */
    filter[size++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 0, 1);
    filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  } else {
    for (char* name = strtok(names, ","); name; name = strtok(NULL, ",")) {
      int number = call_number(name);
      if (number < 0 || size + 3 > 2 * MAX_CALLS) {
        fprintf(stderr, "fault-shim: no such call here: %s\n", name);
        _exit(CANNOT);
      }
      filter[size++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
      filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    filter[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  }
  struct sock_fprog code = {size, filter};
  unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
  int result = -1;
  for (int attempt = 0; attempt < 4 && result < 0; attempt++) {
    result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &code);
    if (result < 0 && errno == EACCES) prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    /* Before Linux 5.19 a signal may interrupt the wait for an answer; the call is then made again. */
    if (result < 0 && errno == EINVAL) flags = SECCOMP_FILTER_FLAG_NEW_LISTENER;
  }
  if (result < 0) {
    perror("fault-shim: seccomp");
    _exit(CANNOT);
  }
  return result;
}

struct start {
  char** words;
  int* listener; /* shared with the parent: to send it, a call would have to be answered already */
  int socket;
  pid_t parent;
};

static int start_program(void* argument) {
  struct start* start = argument;
  char text[16];
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != start->parent) _exit(CANNOT);
  snprintf(text, sizeof text, "%d", start->socket);
  setenv("FAULT_SHIM_FD", text, 1);
  fcntl(start->socket, F_SETFD, 0);
  int listener = install_filter(start->words[1]);
  __atomic_store_n(start->listener, listener, __ATOMIC_RELEASE);
  execvp(start->words[2], start->words + 2);
  perror(start->words[2]);
  _exit(CANNOT);
}

#endif /* BASHWARD_FAULTS_START_H_ */
