/* Which of our processes makes a call, and what the call is about. */
#ifndef BASHWARD_FAULTS_CALLER_H_
#define BASHWARD_FAULTS_CALLER_H_

#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "calls.h"

struct task {
  char name[17];
  pid_t process, parent;
};

static int read_task(pid_t thread, struct task* task) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/status", thread);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  if (size <= 0) return -1;
  text[size] = 0;
  const char* group = strstr(text, "\nTgid:");
  const char* parent = strstr(text, "\nPPid:");
  if (!group || !parent || sscanf(text, "Name:\t%16[^\n]", task->name) != 1) return -1;
  task->process = atoi(group + 6);
  task->parent = atoi(parent + 6);
  return 0;
}

/* The kernel keeps 15 characters of a name. */
static const char supervisor_name[] = "bashward-superv";

/* `program` is the host: main, engine, file and pool are threads of it. */
static const char* role_of(pid_t thread, pid_t program) {
  struct task task, parent;
  if (read_task(thread, &task)) return "gone";
  if (task.process == program) {
    if (thread == program) return "main";
    if (strcmp(task.name, "bashward") == 0) return "engine";
    if (strcmp(task.name, "bashward-file") == 0) return "file";
    return "pool";
  }
  /* A child of the engine has its name until it executes, and so has one of the supervisor. */
  if (strcmp(task.name, "bashward") == 0) return "launch";
  if (strcmp(task.name, supervisor_name) != 0) return "command";
  if (!read_task(task.parent, &parent) && strcmp(parent.name, supervisor_name) == 0) return "shell";
  return "supervisor";
}

static void read_text(pid_t pid, uint64_t address, char* text, size_t size) {
  struct iovec here = {text, size - 1}, there = {(void*)(uintptr_t)address, size - 1};
  memset(text, 0, size);
  if (process_vm_readv(pid, &here, 1, &there, 1, 0) > 0) return;
  /* Short of the end of a page. */
  here.iov_len = there.iov_len = 16;
  process_vm_readv(pid, &here, 1, &there, 1, 0);
}

/* The path's last names, or the number of the operation; nothing for a call that has neither. */
static void describe(const struct seccomp_notif* call, char* detail, size_t size) {
  char path[4200];
  int argument = -1;
  detail[0] = 0;
  const char* name = call_name(call->data.nr);
  static const char* const first[] = {"mkdir", "open", "execve", "chdir", "access", "readlink", "rename"};
  static const char* const second[] = {"openat",     "mkdirat", "unlinkat", "renameat2",  "faccessat",
                                       "newfstatat", "openat2", "fchmodat", "readlinkat", "fchmodat2"};
  for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
    if (strcmp(name, first[i]) == 0) argument = 0;
  }
  for (size_t i = 0; i < sizeof second / sizeof *second; i++) {
    if (strcmp(name, second[i]) == 0) argument = 1;
  }
  if (argument >= 0) {
    read_text(call->pid, call->data.args[argument], path, sizeof path);
    const char* start = strncmp(path, "/proc/", 6) == 0 ? path : strrchr(path, '/');
    start = !start ? path : strcmp(path, "/dev/null") == 0 || strncmp(path, "/proc/", 6) == 0 ? path : start;
    snprintf(detail, size, "%s", start);
  } else if (strcmp(name, "prctl") == 0) {
    snprintf(detail, size, "%d", (int)call->data.args[0]);
  } else if (strcmp(name, "fcntl") == 0 || strcmp(name, "ioctl") == 0 || strcmp(name, "epoll_ctl") == 0) {
    snprintf(detail, size, "%u", (unsigned)call->data.args[1]);
  }
  for (char* byte = detail; *byte; byte++) {
    if (*byte <= ' ') *byte = '_';
  }
}

#endif /* BASHWARD_FAULTS_CALLER_H_ */
