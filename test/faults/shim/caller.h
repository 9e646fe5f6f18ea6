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

/* What a call is about. */
struct subject {
  char kind[16];   /* the number of its operation, or what its descriptor is; "-" for neither */
  char detail[64]; /* the last name of its path or of its file, or the kind */
};

static int is_one_of(const char* name, const char* const* names) {
  for (; *names; names++) {
    if (strcmp(name, *names) == 0) return 1;
  }
  return 0;
}

/* Of a path below /proc all of it, of others what follows the last slash, and that. */
static const char* last_name(const char* path) {
  if (strncmp(path, "/proc/", 6) == 0 || strcmp(path, "/dev/null") == 0) return path;
  const char* slash = strrchr(path, '/');
  return slash ? slash : path;
}

static void describe_descriptor(pid_t pid, int fd, struct subject* subject) {
  static const struct {
    const char *start, *kind;
  } kinds[] = {{"pipe:", "pipe"},
               {"socket:", "socket"},
               {"anon_inode:[eventfd]", "eventfd"},
               {"anon_inode:[signalfd]", "signalfd"},
               {"/memfd:", "memfd"},
               {"/", "file"}};
  char link[64], target[4200] = "";
  snprintf(link, sizeof link, "/proc/%d/fd/%d", pid, fd);
  if (readlink(link, target, sizeof target - 1) < 0) return;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strncmp(target, kinds[i].start, strlen(kinds[i].start)) != 0) continue;
    snprintf(subject->kind, sizeof subject->kind, "%s", kinds[i].kind);
    const int is_file = strcmp(kinds[i].kind, "file") == 0;
    snprintf(subject->detail, sizeof subject->detail, "%s", is_file ? last_name(target) : kinds[i].kind);
    return;
  }
}

static void describe(const struct seccomp_notif* call, struct subject* subject) {
  static const char* const by_first[] = {"mkdir",  "open",     "execve", "chdir",
                                         "access", "readlink", "rename", NULL};
  static const char* const by_second[] = {"openat",     "mkdirat", "unlinkat", "renameat2",  "faccessat",
                                          "newfstatat", "openat2", "fchmodat", "readlinkat", NULL};
  static const char* const by_descriptor[] = {"read",      "write",      "pread64", "pwrite64",
                                              "ftruncate", "getdents64", "splice",  NULL};
  static const char* const by_first_operation[] = {"prctl", "ptrace", NULL};
  static const char* const by_operation[] = {"fcntl", "ioctl", "epoll_ctl", NULL};
  const char* name = call_name(call->data.nr);
  const __u64* argument = call->data.args;
  const int is_second = is_one_of(name, by_second);
  strcpy(subject->kind, "-");
  subject->detail[0] = 0;
  if (is_second || is_one_of(name, by_first)) {
    char path[4200];
    read_text(call->pid, argument[is_second], path, sizeof path);
    snprintf(subject->detail, sizeof subject->detail, "%s", last_name(path));
  } else if (is_one_of(name, by_descriptor)) {
    describe_descriptor(call->pid, (int)argument[0], subject);
  } else if (is_one_of(name, by_first_operation) || is_one_of(name, by_operation)) {
    const unsigned operation = argument[!is_one_of(name, by_first_operation)];
    snprintf(subject->kind, sizeof subject->kind, "%u", operation);
    snprintf(subject->detail, sizeof subject->detail, "%u", operation);
  }
  for (char* byte = subject->detail; *byte; byte++) {
    if (*byte <= ' ') *byte = '_';
  }
}

#endif /* BASHWARD_FAULTS_CALLER_H_ */
