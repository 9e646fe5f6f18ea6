/*
 * Runs a program so that chosen system calls of it and of everything it starts can be made to fail:
 *   fault-shim CALL[,CALL...]|all PROGRAM [ARGUMENT...]
 *
 * A seccomp filter reports the named calls (or all of them) to this process, which lets them go on to the
 * kernel or answers with an error: one call of one process, where a filter alone could only refuse them all.
 * The program asks for that over the socket whose number is in FAULT_SHIM_FD, see handle().
 *
 * This process is the subreaper: what outlives its parents is its child, and an orphan. It answers until
 * nothing is left, for nobody could call anything after its end; what is left 20 s after the end of the
 * program is killed. Its own status is that of the program, 128 + N for a signal N; 125 when it cannot do
 * its work.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "caller.h"
#include "calls.h"
#include "start.h"

enum { MAX_RECORDS = 20000, LEFT_MS = 20000, SIGNALS = 10000 };

static pid_t program;
static int program_status = -1;
static int control = -1;

/* What is to fail. */
static struct {
  char role[16];
  int number; /* -1: nothing */
  long nth, count, seen, hits;
  int error;
  char kind[16];          /* "*": any */
  struct subject subject; /* of the first that has failed */
} fault = {.number = -1};

struct record {
  char role[16];
  int number;
  struct subject subject;
};
static struct record* records;
static int record_count = -1; /* -1: not recording */

static _Noreturn void cannot(const char* what) {
  perror(what);
  exit(CANNOT);
}

static void note(const struct seccomp_notif* call) {
  if (record_count >= MAX_RECORDS) return;
  const char* role = role_of(call->pid, program);
  if (strcmp(role, "command") == 0 || strcmp(role, "gone") == 0) return;
  struct record* record = &records[record_count++];
  snprintf(record->role, sizeof record->role, "%s", role);
  record->number = call->data.nr;
  describe(call, &record->subject);
}

/* The error to answer with; 0 for none. */
static int decide(const struct seccomp_notif* call) {
  if (fault.number != call->data.nr) return 0;
  if (strcmp(role_of(call->pid, program), fault.role) != 0) return 0;
  struct subject subject;
  describe(call, &subject);
  if (strcmp(fault.kind, "*") != 0 && strcmp(fault.kind, subject.kind) != 0) return 0;
  fault.seen++;
  if (fault.seen < fault.nth || fault.seen >= fault.nth + fault.count) return 0;
  if (fault.hits++ == 0) fault.subject = subject;
  return fault.error;
}

static void answer(int listener) {
  static struct seccomp_notif call;
  struct seccomp_notif_resp response;
  memset(&call, 0, sizeof call);
  memset(&response, 0, sizeof response);
  /* ENOENT: the caller has been killed meanwhile. */
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call)) return;
  if (record_count >= 0) note(&call);
  response.id = call.id;
  const int error = decide(&call);
  /* A signal that comes while the call is made. */
  if (error > SIGNALS && call.pid > 1) kill(call.pid, error - SIGNALS);
  if (error < SIGNALS) response.error = -error;
  if (!response.error) response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/* --- requests --- */

/* What waits to be sent: the program reads it by calls that have to be answered first. */
static char* outgoing;
static size_t outgoing_size;

static void reply(const char* text) {
  const size_t size = strlen(text);
  outgoing = realloc(outgoing, outgoing_size + size);
  if (!outgoing) cannot("fault-shim: memory");
  memcpy(outgoing + outgoing_size, text, size);
  outgoing_size += size;
}

static void send_replies(void) {
  const ssize_t sent = send(control, outgoing, outgoing_size, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent <= 0) return;
  outgoing_size -= sent;
  memmove(outgoing, outgoing + sent, outgoing_size);
}

static int count_orphans(void) {
  char path[64], text[4096];
  int count = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) cannot("fault-shim: /proc/self/task/children");
  ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  text[size > 0 ? size : 0] = 0;
  for (char* word = strtok(text, " "); word; word = strtok(NULL, " ")) {
    if (atoi(word) > 1 && atoi(word) != program) count++;
  }
  return count;
}

static void send_records(void) {
  char line[128];
  for (int i = 0; i < record_count; i++) {
    snprintf(line, sizeof line, "%s %s %s %s\n", records[i].role, call_name(records[i].number),
             records[i].subject.kind, records[i].subject.detail);
    reply(line);
  }
  record_count = -1;
  reply(".\n");
}

/*
 * A request, and its answer in quotes:
 *
 * arm ROLE CALL KIND NTH COUNT ERRNO: "ok", the NTH such call from now on and the COUNT - 1 after it fail.
 * Above SIGNALS, the rest is a signal that the caller gets instead.
 *
 * disarm: "hits N DETAIL", how many have failed, and what the first was about.
 *
 * record: "ok", what is called from now on is noted.
 *
 * recorded: "ROLE CALL KIND DETAIL" for each call, a line each, then ".".
 *
 * orphans: "orphans N", how many there are.
 */
static void handle(char* line) {
  char role[16], name[32], kind[16], text[128];
  long nth, count;
  int error;
  if (sscanf(line, "arm %15s %31s %15s %ld %ld %d", role, name, kind, &nth, &count, &error) == 6) {
    snprintf(fault.role, sizeof fault.role, "%s", role);
    snprintf(fault.kind, sizeof fault.kind, "%s", kind);
    fault.number = call_number(name);
    fault.nth = nth;
    fault.count = count;
    fault.seen = fault.hits = 0;
    fault.error = error;
    reply(fault.number < 0 ? "no such call\n" : "ok\n");
  } else if (strcmp(line, "disarm") == 0) {
    fault.number = -1;
    snprintf(text, sizeof text, "hits %ld %s\n", fault.hits, fault.hits > 0 ? fault.subject.detail : "");
    reply(text);
  } else if (strcmp(line, "record") == 0) {
    record_count = 0;
    reply("ok\n");
  } else if (strcmp(line, "recorded") == 0) {
    send_records();
  } else if (strcmp(line, "orphans") == 0) {
    snprintf(text, sizeof text, "orphans %d\n", count_orphans());
    reply(text);
  } else {
    reply("what?\n");
  }
}

static void read_requests(void) {
  static char buffer[512];
  static size_t size;
  ssize_t count = recv(control, buffer + size, sizeof buffer - 1 - size, MSG_DONTWAIT);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) {
    close(control);
    control = -1;
    return;
  }
  size += count;
  buffer[size] = 0;
  for (char* end; (end = strchr(buffer, '\n')); size = strlen(buffer)) {
    *end = 0;
    handle(buffer);
    memmove(buffer, end + 1, strlen(end + 1) + 1);
  }
}

/* --- the program --- */

static long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static volatile sig_atomic_t must_end;

static void on_end(int number) {
  (void)number;
  must_end = 1;
}

static void kill_orphans(void) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = read(fd, text, sizeof text - 1);
  close(fd);
  text[size > 0 ? size : 0] = 0;
  for (char* word = strtok(text, " "); word; word = strtok(NULL, " ")) {
    if (atoi(word) > 1) kill(atoi(word), SIGKILL);
  }
}

static int serve(int listener) {
  long ended_at = 0;
  for (;;) {
    const short wanted = outgoing_size > 0 ? POLLIN | POLLOUT : POLLIN;
    struct pollfd ready[] = {{listener, POLLIN, 0}, {control, wanted, 0}};
    /* The interval is how late the end of a child may be noticed. */
    if (poll(ready, 2, 20) > 0) {
      if (ready[0].revents & POLLIN) answer(listener);
      if (ready[0].revents & (POLLHUP | POLLERR)) listener = -1;
      if (ready[1].revents & POLLOUT) send_replies();
      if (ready[1].revents & ~POLLOUT) read_requests();
    }
    int status;
    pid_t child;
    while ((child = waitpid(-1, &status, WNOHANG | __WALL)) > 0) {
      if (child != program) continue;
      program_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      ended_at = now_ms();
      fault.number = -1;
    }
    if (child < 0 && errno == ECHILD) return program_status;
    if (must_end && program_status < 0) kill(program, SIGKILL);
    if (program_status >= 0 && now_ms() > ended_at + LEFT_MS) kill_orphans();
  }
}

int main(int count, char** words) {
  if (count < 3) {
    fprintf(stderr, "usage: fault-shim CALL[,CALL...]|all PROGRAM [ARGUMENT...]\n");
    return CANNOT;
  }
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) cannot("fault-shim: socketpair");
  control = pair[0];
  records = malloc(sizeof *records * MAX_RECORDS);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGINT, on_end);
  signal(SIGTERM, on_end);
  signal(SIGHUP, on_end);

  int* listener = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  static char stack[1 << 18] __attribute__((aligned(16)));
  if (listener == MAP_FAILED || !records) cannot("fault-shim: memory");
  *listener = -1;
  struct start start = {words, listener, pair[1], getpid()};
  /* The descriptors are shared until the program is executed: so the listener is ours, too. */
  program = clone(start_program, stack + sizeof stack, CLONE_FILES | SIGCHLD, &start);
  if (program < 0) cannot("fault-shim: clone");
  while (__atomic_load_n(listener, __ATOMIC_ACQUIRE) < 0) {
    if (waitpid(program, NULL, WNOHANG) == program) return CANNOT;
    usleep(1000);
  }
  return serve(*listener);
}
