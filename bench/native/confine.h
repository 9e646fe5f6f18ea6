// The least that a sandbox can be: one Landlock domain in which nothing can be written (landlock(7)).
#ifndef BASHWARD_BENCH_CONFINE_H_
#define BASHWARD_BENCH_CONFINE_H_

#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The numbers are the same on every architecture; the C library has no functions for them.
enum { kLandlockCreateRuleset = 444, kLandlockRestrictSelf = 446 };

// LANDLOCK_ACCESS_FS_WRITE_FILE, REMOVE_DIR, REMOVE_FILE and MAKE_*: version 1, kernel 5.13.
static const uint64_t kWriting = 1 << 1 | 0x1ff << 4;

// A ruleset that allows none of that; -1 with errno.
static int create_ruleset(void) {
  const struct {
    uint64_t handled_access_fs;
  } attributes = {kWriting};
  return (int)syscall(kLandlockCreateRuleset, &attributes, sizeof attributes, 0);
}

// Makes system calls and nothing else.
static int restrict_self(int ruleset) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return (int)syscall(kLandlockRestrictSelf, ruleset, 0);
}

#endif  // BASHWARD_BENCH_CONFINE_H_
