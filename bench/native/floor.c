// The physical limit: what the benchmarked operations cost when a plain C program does them with the fewest
// system calls known to us and no safety at all. Each mode runs PROGRAM ARGS… and prints one line of JSON.
//
//   floor cpuid                                       what the instruction costs; an empty list where there is none
//   floor latency COUNT PROGRAM ARGS…                 one after the other: time of each, and of starting it
//   floor restricted COUNT PROGRAM ARGS…              the same with and without a Landlock domain, in turns
//   floor concurrency COUNT FLIGHT THREADS PROGRAM …  FLIGHT at a time over THREADS threads
//   floor flood PROGRAM ARGS…                         keep the first 128 KiB, splice the rest to /dev/null
//   floor tiny PROGRAM ARGS…                          read everything, at most every 500 µs
//   floor kill PROGRAM ARGS…                          a line on stdin kills everything that PROGRAM started
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cpu_time.h"
#include "cpuid.h"
#include "start.h"

enum { kHeadSize = 128 << 10, kLargePipe = 1 << 20 };
enum { kNapMicroseconds = 500, kNearlyFull = 32 << 10, kLooks = 1000 };

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static int parse_count(const char* text) {
  char* end;
  long value = strtol(text, &end, 10);
  if (*end != '\0' || value < 1 || value > 1000000) {
    fprintf(stderr, "not a count: %s\n", text);
    exit(2);
  }
  return (int)value;
}

static long long drain(int fd, char* buffer, size_t size) {
  long long total = 0;
  ssize_t n;
  while ((n = read(fd, buffer, size)) > 0) total += n;
  return total;
}

// ---- modes ----

static void print_list(const char* name, const double* values, int count) {
  printf("\"%s\":[", name);
  for (int i = 0; i < count; i++) printf("%s%.4f", i > 0 ? "," : "", values[i]);
  printf("]");
}

static int cpuid(void) {
  double microseconds[kCpuidSamples + 1] = {0};
  for (int i = 0; i < kCpuidSamples; i++) {
    const double begin = now_ms();
    execute_cpuids();
    microseconds[i] = (now_ms() - begin) * 1e3 / kCpuidsPerSample;
  }
  printf("{");
  print_list("microseconds", microseconds, kCpuidSamples);
  printf("}\n");
  return 0;
}

static int latency(int count, char** argv) {
  double* total = calloc(count, sizeof *total);
  double* block = calloc(count, sizeof *block);
  if (total == NULL || block == NULL) fail("calloc");
  char buffer[4096];
  double cpu = 0;
  // The first run only touches pages, so that later runs find them: the other contenders are warm, too.
  for (int i = -1; i < count; i++) {
    double begin = now_ms();
    struct stream stream = open_stream(argv, 0, -1);
    double started = now_ms();
    drain(stream.fd, buffer, sizeof buffer);
    close(stream.fd);
    reap(stream.pid);
    if (i < 0) {
      cpu = total_cpu_ms();
      continue;
    }
    block[i] = started - begin;
    total[i] = now_ms() - begin;
  }
  printf("{\"cpuMs\":%.4f,", total_cpu_ms() - cpu);
  print_list("totalMs", total, count);
  printf(",");
  print_list("blockMs", block, count);
  printf("}\n");
  free(total);
  free(block);
  return 0;
}

static double run_once(char** argv, int confined) {
  char buffer[4096];
  double begin = now_ms();
  int ruleset = confined ? create_ruleset() : -1;
  if (confined && ruleset < 0) fail("landlock_create_ruleset");
  struct stream stream = open_stream(argv, 0, ruleset);
  if (confined) close(ruleset);
  drain(stream.fd, buffer, sizeof buffer);
  close(stream.fd);
  reap(stream.pid);
  return now_ms() - begin;
}

static int restricted(int count, char** argv) {
  static const char* const names[] = {"freeMs", "confinedMs", "freeCpuMs", "confinedCpuMs"};
  double* lists[4];
  for (int list = 0; list < 4; list++) {
    if ((lists[list] = calloc(count, sizeof(double))) == NULL) fail("calloc");
  }
  for (int i = -1; i < count; i++) {
    for (int confined = 0; confined < 2; confined++) {
      const double cpu = total_cpu_ms();
      const double time = run_once(argv, confined);
      if (i < 0) continue;
      lists[confined][i] = time;
      lists[2 + confined][i] = total_cpu_ms() - cpu;
    }
  }
  for (int list = 0; list < 4; list++) {
    printf(list == 0 ? "{" : ",");
    print_list(names[list], lists[list], count);
    free(lists[list]);
  }
  printf("}\n");
  return 0;
}

struct share {
  char** argv;
  int count;
  int in_flight;
};

static void* concurrency_thread(void* argument) {
  const struct share* share = argument;
  struct stream* streams = calloc(share->in_flight, sizeof *streams);
  struct epoll_event* events = calloc(share->in_flight, sizeof *events);
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (streams == NULL || events == NULL || epoll < 0) fail("epoll_create1");

  int started = 0, done = 0;
  // A slot is free when its pid is 0.
  while (done < share->count) {
    for (int slot = 0; slot < share->in_flight && started < share->count; slot++) {
      if (streams[slot].pid != 0) continue;
      streams[slot] = open_stream(share->argv, 0, -1);
      struct epoll_event wanted = {.events = EPOLLIN, .data.u32 = slot};
      if (epoll_ctl(epoll, EPOLL_CTL_ADD, streams[slot].fd, &wanted) != 0) fail("epoll_ctl");
      started++;
    }
    int ready = epoll_wait(epoll, events, share->in_flight, -1);
    for (int i = 0; i < ready; i++) {
      struct stream* stream = &streams[events[i].data.u32];
      char buffer[4096];
      if (read(stream->fd, buffer, sizeof buffer) > 0) continue;
      // close() alone does not end the events: a child of the other thread that has not reached its exec
      // yet still holds a copy of the descriptor.
      epoll_ctl(epoll, EPOLL_CTL_DEL, stream->fd, NULL);
      close(stream->fd);
      reap(stream->pid);
      stream->pid = 0;
      done++;
    }
  }
  close(epoll);
  free(streams);
  free(events);
  return NULL;
}

static int concurrency(int count, int in_flight, int threads, char** argv) {
  pthread_t* ids = calloc(threads, sizeof *ids);
  struct share* shares = calloc(threads, sizeof *shares);
  if (ids == NULL || shares == NULL) fail("calloc");
  double begin = now_ms(), cpu = total_cpu_ms();
  for (int i = 0; i < threads; i++) {
    const int own_count = count / threads + (i < count % threads);
    shares[i] = (struct share){argv, own_count, (in_flight + threads - 1) / threads};
    if (pthread_create(&ids[i], NULL, concurrency_thread, &shares[i]) != 0) fail("pthread_create");
  }
  for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  printf("{\"wallMs\":%.4f,\"cpuMs\":%.4f}\n", now_ms() - begin, total_cpu_ms() - cpu);
  free(ids);
  free(shares);
  return 0;
}

// Polls as long as it pays. Waking up costs more, most of all on a virtual machine; and what waits in the pipe falls
// out of the processor's cache, with the pages that the writer takes next.
static void await_soon(int fd) {
  for (int looks = 0; looks < kLooks; looks++) {
    int available = 0;
    if (ioctl(fd, FIONREAD, &available) == 0 && available > 0) return;
  }
}

static int flood(char** argv) {
  char* head = malloc(kHeadSize);
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (head == NULL || null < 0) fail("/dev/null");
  double begin = now_ms();
  struct stream stream = open_stream(argv, kLargePipe, -1);
  long long bytes = 0;
  ssize_t n = 1;
  while (bytes < kHeadSize && (n = read(stream.fd, head + bytes, kHeadSize - bytes)) > 0) bytes += n;
  // Moves pages from the pipe to nowhere without copying them. Waits when nothing comes soon.
  while (n > 0) {
    await_soon(stream.fd);
    if ((n = splice(stream.fd, NULL, null, NULL, kLargePipe, 0)) > 0) bytes += n;
  }
  reap(stream.pid);
  printf("{\"wallMs\":%.4f,\"bytes\":%lld}\n", now_ms() - begin, bytes);
  free(head);
  return 0;
}

static int tiny(char** argv) {
  char* buffer = malloc(kHeadSize);
  if (buffer == NULL) fail("malloc");
  double begin = now_ms(), cpu = rusage_ms(RUSAGE_SELF);
  struct stream stream = open_stream(argv, 0, -1);
  long long bytes = 0;
  ssize_t n;
  while ((n = read(stream.fd, buffer, kHeadSize)) > 0) {
    bytes += n;
    // A writer that is about to block on a full pipe must not wait for us.
    if (n < kNearlyFull) usleep(kNapMicroseconds);
  }
  reap(stream.pid);
  cpu = rusage_ms(RUSAGE_SELF) - cpu;
  printf("{\"wallMs\":%.4f,\"cpuMs\":%.4f,\"bytes\":%lld}\n", now_ms() - begin, cpu, bytes);
  free(buffer);
  return 0;
}

static void kill_children(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
  FILE* list = fopen(path, "re");
  if (list == NULL) fail(path);
  int pid;
  while (fscanf(list, "%d", &pid) == 1) {
    if (pid > 1) kill(pid, SIGKILL);
  }
  fclose(list);
}

// As subreaper every orphaned descendant becomes our child: kill the children until there are none.
static int kill_all(char** argv) {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) fail("PR_SET_CHILD_SUBREAPER");
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  start_program(argv, null, -1);
  getchar();
  double begin = now_ms();
  do {
    kill_children();
  } while (waitpid(-1, NULL, 0) > 0);
  if (errno != ECHILD) fail("waitpid");
  printf("{\"goneMs\":%.4f}\n", now_ms() - begin);
  return 0;
}

int main(int argc, char** argv) {
  // Sleeps end when they should, not up to 50 µs later.
  prctl(PR_SET_TIMERSLACK, 1);
  if (join_cgroup() != 0) fail("BASHWARD_BENCH_CGROUP");
  const char* mode = argc > 1 ? argv[1] : "";
  if (strcmp(mode, "cpuid") == 0) return cpuid();
  if (strcmp(mode, "latency") == 0 && argc > 3) return latency(parse_count(argv[2]), argv + 3);
  if (strcmp(mode, "restricted") == 0 && argc > 3) return restricted(parse_count(argv[2]), argv + 3);
  if (strcmp(mode, "concurrency") == 0 && argc > 5) {
    return concurrency(parse_count(argv[2]), parse_count(argv[3]), parse_count(argv[4]), argv + 5);
  }
  if (strcmp(mode, "flood") == 0 && argc > 2) return flood(argv + 2);
  if (strcmp(mode, "tiny") == 0 && argc > 2) return tiny(argv + 2);
  if (strcmp(mode, "kill") == 0 && argc > 2) return kill_all(argv + 2);
  fprintf(stderr, "usage: floor cpuid|latency|restricted|concurrency|flood|tiny|kill … PROGRAM ARGS…\n");
  return 2;
}
