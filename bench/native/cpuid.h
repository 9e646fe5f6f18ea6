// What the instruction `cpuid` costs. A virtual machine leaves to its hypervisor for each, and a start of bash executes
// dozens of them, because ld.so asks for the processor's features and caches.
#ifndef BASHWARD_BENCH_CPUID_H_
#define BASHWARD_BENCH_CPUID_H_

#if defined(__x86_64__)
#include <cpuid.h>

enum { kCpuidSamples = 25, kCpuidsPerSample = 40 };

static void execute_cpuids(void) {
  for (int i = 0; i < kCpuidsPerSample; i++) {
    unsigned a, b, c, d;
    // __cpuid is a volatile asm statement, so none is left out.
    __cpuid(0, a, b, c, d);
  }
}
#else
enum { kCpuidSamples = 0, kCpuidsPerSample = 1 };

static void execute_cpuids(void) {}
#endif

#endif  // BASHWARD_BENCH_CPUID_H_
