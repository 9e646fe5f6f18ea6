// Starting a program with the fewest system calls known to us.
#ifndef BASHWARD_BENCH_START_H_
#define BASHWARD_BENCH_START_H_

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"

extern char** environ;

enum { kStackSize = 64 << 10 };

static void fail(const char* step) {
  perror(step);
  exit(1);
}

struct start {
  char** argv;
  int output;
  int ruleset;  // -1: not confined
};

// Runs on its own stack but in the parent's memory, so it makes system calls and nothing else.
static int child_main(void* argument) {
  struct start* start = argument;
  setsid();
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(start->output, STDOUT_FILENO);
  dup2(start->output, STDERR_FILENO);
  if (start->ruleset >= 0 && restrict_self(start->ruleset) != 0) _exit(126);
  execve(start->argv[0], start->argv, environ);
  _exit(127);
}

static __thread char* child_stack;

// CLONE_VM | CLONE_VFORK copies no page tables, so the cost does not depend on the size of the caller.
static pid_t start_program(char** argv, int output, int ruleset) {
  if (child_stack == NULL) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK;
    child_stack = mmap(NULL, kStackSize, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (child_stack == MAP_FAILED) fail("mmap");
  }
  struct start start = {argv, output, ruleset};
  pid_t pid = clone(child_main, child_stack + kStackSize, CLONE_VM | CLONE_VFORK | SIGCHLD, &start);
  if (pid < 0) fail("clone");
  return pid;
}

static void reap(pid_t pid) {
  int status;
  if (waitpid(pid, &status, 0) != pid) fail("waitpid");
  if (status != 0) {
    fprintf(stderr, "the program failed: wait status %#x\n", status);
    exit(1);
  }
}

struct stream {
  int fd;
  pid_t pid;
};

static struct stream open_stream(char** argv, int pipe_size, int ruleset) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe2");
  // An ordinary user's pipe budget may be used up; a small pipe is slower, not wrong.
  if (pipe_size > 0) fcntl(ends[1], F_SETPIPE_SZ, pipe_size);
  struct stream stream = {ends[0], start_program(argv, ends[1], ruleset)};
  close(ends[1]);
  return stream;
}

#endif  // BASHWARD_BENCH_START_H_
