// The CPU time of this program and of all that it starts.
#ifndef BASHWARD_BENCH_CPU_TIME_H_
#define BASHWARD_BENCH_CPU_TIME_H_

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int usage_file = -1;
static int usage_per_ms;

static double rusage_ms(int who) {
  struct rusage u;
  getrusage(who, &u);
  return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e3 + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e3;
}

static int open_in(const char* directory, const char* name, int flags) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return open(path, flags | O_CLOEXEC);
}

// Joins the control group of harness/cgroup.mjs, as the hosts do: both are counted in the same way.
static int join_cgroup(void) {
  const char* directory = getenv("BASHWARD_BENCH_CGROUP");
  if (directory == NULL) return 0;
  const int processes = open_in(directory, "cgroup.procs", O_WRONLY);
  if (processes < 0 || write(processes, "0", 1) != 1) return -1;
  close(processes);
  usage_per_ms = 1000000;
  usage_file = open_in(directory, "cpuacct.usage", O_RDONLY);
  if (usage_file < 0) {
    usage_per_ms = 1000;
    usage_file = open_in(directory, "cpu.stat", O_RDONLY);
  }
  // The programs get the environment that they get from the hosts.
  unsetenv("BASHWARD_BENCH_CGROUP");
  return usage_file < 0 ? -1 : 0;
}

static double total_cpu_ms(void) {
  if (usage_file < 0) return rusage_ms(RUSAGE_SELF) + rusage_ms(RUSAGE_CHILDREN);
  char text[256];
  const ssize_t n = pread(usage_file, text, sizeof text - 1, 0);
  text[n > 0 ? n : 0] = '\0';
  // A number, or lines of which the first is `usage_usec NUMBER`.
  const char* number = strpbrk(text, "0123456789");
  return number == NULL ? 0 : strtod(number, NULL) / usage_per_ms;
}

#endif  // BASHWARD_BENCH_CPU_TIME_H_
