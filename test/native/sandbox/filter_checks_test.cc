// What the filter decides by arguments.
#include "sandbox/filter_checks.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <initializer_list>

#include "support/filter_program.h"

namespace bashward::sandbox {
namespace {

using test::kAllowed;
using test::kPretended;

// Beyond what the kernel takes of an int.
constexpr uint64_t kUpperHalf = 0x1234'5678'0000'0000;
// A pid of -1, as a register may hold it.
constexpr uint64_t kMinusOne = ~uint64_t{0};
constexpr uint64_t kMinusOneAsInt = 0xffff'ffff;

int Judge(long number, std::initializer_list<uint64_t> arguments) {
  return test::CompleteFilter().Judge(static_cast<uint32_t>(number), arguments);
}

int JudgeWithoutTruncation(long number, std::initializer_list<uint64_t> arguments) {
  return test::FilterForTruncationToo().Judge(static_cast<uint32_t>(number), arguments);
}

TEST(CheckSocket, AllowsTheKernelsRoutingTables) {
  for (const uint64_t type : {SOCK_RAW + 0, SOCK_DGRAM + 0, SOCK_RAW | SOCK_CLOEXEC}) {
    EXPECT_EQ(Judge(SYS_socket, {AF_NETLINK, type, 0}), kAllowed) << type;
  }
}

TEST(CheckSocket, RefusesEveryOtherNetlinkProtocol) {
  for (uint64_t protocol = 1; protocol < 64; ++protocol) {
    EXPECT_EQ(Judge(SYS_socket, {AF_NETLINK, SOCK_RAW, protocol}), EPERM) << protocol;
  }
}

TEST(CheckSocket, RefusesEveryOtherFamilyInEveryType) {
  for (uint64_t family = 0; family < 64; ++family) {
    if (family == AF_NETLINK) continue;
    for (uint64_t type = 0; type < 12; ++type) {
      EXPECT_EQ(Judge(SYS_socket, {family, type, 0}), EPERM) << family << " " << type;
    }
  }
}

TEST(CheckSocket, RefusesMultipathTcp) {
  EXPECT_EQ(Judge(SYS_socket, {AF_INET, SOCK_STREAM, 262}), EPERM);
}

TEST(CheckSocket, LooksAtWhatTheKernelTakesOfAnArgument) {
  EXPECT_EQ(Judge(SYS_socket, {kUpperHalf | AF_INET, SOCK_STREAM, 0}), EPERM);
  EXPECT_EQ(Judge(SYS_socket, {kUpperHalf | AF_NETLINK, SOCK_RAW, 0}), kAllowed);
}

TEST(CheckSocketpair, AllowsConnectedPairs) {
  for (const uint64_t flags : {0, SOCK_CLOEXEC + 0, SOCK_NONBLOCK | SOCK_CLOEXEC}) {
    EXPECT_EQ(Judge(SYS_socketpair, {AF_UNIX, SOCK_STREAM | flags, 0}), kAllowed) << flags;
    EXPECT_EQ(Judge(SYS_socketpair, {AF_UNIX, SOCK_SEQPACKET | flags, 0}), kAllowed) << flags;
  }
}

// AF_UNIX takes SOCK_RAW for SOCK_DGRAM.
TEST(CheckSocketpair, RefusesPairsOfDatagrams) {
  for (const uint64_t flags : {0, SOCK_CLOEXEC + 0, SOCK_NONBLOCK | SOCK_CLOEXEC}) {
    EXPECT_EQ(Judge(SYS_socketpair, {AF_UNIX, SOCK_DGRAM | flags, 0}), EPERM) << flags;
    EXPECT_EQ(Judge(SYS_socketpair, {AF_UNIX, SOCK_RAW | flags, 0}), EPERM) << flags;
  }
}

TEST(CheckSocketpair, RefusesOtherFamilies) {
  for (uint64_t family = 0; family < 64; ++family) {
    if (family == AF_UNIX) continue;
    EXPECT_EQ(Judge(SYS_socketpair, {family, SOCK_STREAM, 0}), EPERM) << family;
  }
}

constexpr uint64_t kNamespaces[] = {CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                    CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};

TEST(CheckClone, AllowsProcessesAndThreads) {
  constexpr uint64_t kThread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                               CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  EXPECT_EQ(Judge(SYS_clone, {SIGCHLD}), kAllowed);
  EXPECT_EQ(Judge(SYS_clone, {CLONE_VM | CLONE_VFORK | SIGCHLD}), kAllowed);
  EXPECT_EQ(Judge(SYS_clone, {CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD}), kAllowed);
  EXPECT_EQ(Judge(SYS_clone, {CLONE_PIDFD | SIGCHLD}), kAllowed);
  EXPECT_EQ(Judge(SYS_clone, {kThread}), kAllowed);
}

TEST(CheckClone, RefusesEachNamespace) {
  for (const uint64_t flag : kNamespaces) {
    EXPECT_EQ(Judge(SYS_clone, {flag | SIGCHLD}), EPERM) << flag;
    EXPECT_EQ(Judge(SYS_clone, {kUpperHalf | flag | CLONE_VM}), EPERM) << flag;
  }
}

TEST(CheckUnshare, AllowsWhatIsOfTheProcessItself) {
  EXPECT_EQ(Judge(SYS_unshare, {0}), kAllowed);
  EXPECT_EQ(Judge(SYS_unshare, {CLONE_FS | CLONE_FILES | CLONE_SYSVSEM}), kAllowed);
}

TEST(CheckUnshare, RefusesEachNamespace) {
  constexpr uint64_t kNewTime = 0x80;
  for (const uint64_t flag : kNamespaces) EXPECT_EQ(Judge(SYS_unshare, {flag | CLONE_FS}), EPERM) << flag;
  EXPECT_EQ(Judge(SYS_unshare, {kNewTime}), EPERM);
}

TEST(CheckSelf, AllowsASchedulingOfOneselfAlone) {
  for (const long number :
       {SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_sched_setaffinity}) {
    EXPECT_EQ(Judge(number, {0, 0, 0x1000}), kAllowed) << number;
    EXPECT_EQ(Judge(number, {1, 0, 0x1000}), EPERM) << number;
    EXPECT_EQ(Judge(number, {4711, 0, 0x1000}), EPERM) << number;
  }
}

TEST(CheckPrlimit, AllowsTheLimitsOfOneself) {
  EXPECT_EQ(Judge(SYS_prlimit64, {0, RLIMIT_CPU, 0x1000, 0x2000}), kAllowed);
  EXPECT_EQ(Judge(SYS_prlimit64, {0, RLIMIT_NOFILE, 0x1000, 0}), kAllowed);
}

TEST(CheckPrlimit, AllowsToReadTheLimitOfCoreDumps) {
  EXPECT_EQ(Judge(SYS_prlimit64, {0, RLIMIT_CORE, 0, 0x1000}), kAllowed);
}

// It stays at 1: at any other limit the kernel gives the dump to the program that core_pattern names.
TEST(CheckPrlimit, PretendsToChangeTheLimitOfCoreDumps) {
  EXPECT_EQ(Judge(SYS_prlimit64, {0, RLIMIT_CORE, 0x1000, 0}), kPretended);
  EXPECT_EQ(Judge(SYS_prlimit64, {0, kUpperHalf | RLIMIT_CORE, 0x1000, 0}), kPretended);
  EXPECT_EQ(Judge(SYS_prlimit64, {0, RLIMIT_CORE, 0x7fff'0000'0000, 0}), kPretended);
}

TEST(CheckPrlimit, RefusesToChangeTheLimitOfCoreDumpsWhereTheOldOneIsAskedFor) {
  EXPECT_EQ(Judge(SYS_prlimit64, {0, RLIMIT_CORE, 0x1000, 0x2000}), EPERM);
  EXPECT_EQ(Judge(SYS_prlimit64, {0, RLIMIT_CORE, 0x1000, 0x7fff'0000'0000}), EPERM);
}

TEST(CheckSetrlimit, PretendsToChangeTheLimitOfCoreDumpsAlone) {
  EXPECT_EQ(Judge(SYS_setrlimit, {RLIMIT_CORE, 0x1000}), kPretended);
  EXPECT_EQ(Judge(SYS_setrlimit, {kUpperHalf | RLIMIT_CORE, 0x1000}), kPretended);
  for (uint64_t resource = 0; resource < RLIM_NLIMITS; ++resource) {
    if (resource != RLIMIT_CORE) EXPECT_EQ(Judge(SYS_setrlimit, {resource, 0x1000}), kAllowed) << resource;
  }
}

TEST(CheckPrlimit, AllowsToReadTheLimitsOfOthers) {
  EXPECT_EQ(Judge(SYS_prlimit64, {4711, RLIMIT_CORE, 0, 0x2000}), kAllowed);
}

TEST(CheckPrlimit, RefusesToChangeTheLimitsOfOthers) {
  EXPECT_EQ(Judge(SYS_prlimit64, {4711, RLIMIT_CORE, 0x1000, 0}), EPERM);
  EXPECT_EQ(Judge(SYS_prlimit64, {1, RLIMIT_CPU, 0x7fff'1234'0000, 0x1000}), EPERM);
}

TEST(CheckPrlimit, SeesAPointerWhoseLowerHalfIsZero) {
  EXPECT_EQ(Judge(SYS_prlimit64, {4711, RLIMIT_CORE, 0x7fff'0000'0000, 0}), EPERM);
}

TEST(CheckSetpriority, AllowsThePriorityOfOneselfAndOfOnesGroup) {
  EXPECT_EQ(Judge(SYS_setpriority, {PRIO_PROCESS, 0, 19}), kAllowed);
  EXPECT_EQ(Judge(SYS_setpriority, {PRIO_PGRP, 0, 19}), kAllowed);
}

TEST(CheckSetpriority, RefusesThatOfOthersAndOfAUser) {
  EXPECT_EQ(Judge(SYS_setpriority, {PRIO_PROCESS, 4711, 19}), EPERM);
  EXPECT_EQ(Judge(SYS_setpriority, {PRIO_PGRP, 4711, 19}), EPERM);
  EXPECT_EQ(Judge(SYS_setpriority, {PRIO_USER, 0, 19}), EPERM);
  EXPECT_EQ(Judge(SYS_setpriority, {PRIO_USER, 1000, 19}), EPERM);
}

TEST(CheckIoprioSet, AllowsThatOfOneselfAndOfOnesGroup) {
  EXPECT_EQ(Judge(SYS_ioprio_set, {1, 0, 0}), kAllowed);
  EXPECT_EQ(Judge(SYS_ioprio_set, {2, 0, 0}), kAllowed);
}

TEST(CheckIoprioSet, RefusesThatOfOthersAndOfAUser) {
  EXPECT_EQ(Judge(SYS_ioprio_set, {1, 4711, 0}), EPERM);
  EXPECT_EQ(Judge(SYS_ioprio_set, {2, 4711, 0}), EPERM);
  EXPECT_EQ(Judge(SYS_ioprio_set, {3, 0, 0}), EPERM);
}

TEST(CheckBind, AllowsANetlinkAddressByItsLengthAlone) {
  for (uint64_t length = 0; length <= 128; ++length) {
    EXPECT_EQ(Judge(SYS_bind, {3, 0x1000, length}), length == 12 ? kAllowed : EPERM) << length;
  }
}

// linux/futex.h; FUTEX_PRIVATE_FLAG is 128, FUTEX_CLOCK_REALTIME 256.
constexpr uint64_t kMovesWaiters[] = {3, 4, 12};  // FUTEX_REQUEUE, FUTEX_CMP_REQUEUE, FUTEX_CMP_REQUEUE_PI

TEST(CheckFutex, RefusesToMoveTheWaitersOfOthers) {
  for (const uint64_t operation : kMovesWaiters) {
    EXPECT_EQ(Judge(SYS_futex, {0x1000, operation}), EPERM) << operation;
    EXPECT_EQ(Judge(SYS_futex, {0x1000, operation | 256}), EPERM) << operation;
    EXPECT_EQ(Judge(SYS_futex, {0x1000, kUpperHalf | operation}), EPERM) << operation;
  }
}

TEST(CheckFutex, AllowsToMoveTheWaitersOfTheProcessItself) {
  for (const uint64_t operation : kMovesWaiters) {
    EXPECT_EQ(Judge(SYS_futex, {0x1000, operation | 128}), kAllowed) << operation;
  }
}

TEST(CheckFutex, AllowsEveryOtherOperation) {
  for (const uint64_t operation : {0, 1, 5, 6, 7, 8, 9, 10, 11, 13}) {
    for (const uint64_t flags : {0, 128, 256, 128 | 256}) {
      EXPECT_EQ(Judge(SYS_futex, {0x1000, operation | flags}), kAllowed) << operation << " " << flags;
    }
  }
}

TEST(CheckFcntl, RefusesLeasesAndHints) {
  // F_SETLEASE, F_SET_RW_HINT, F_SET_FILE_RW_HINT, F_SETDELEG
  for (const uint64_t command : {1024, 1036, 1038, 1040}) {
    EXPECT_EQ(Judge(SYS_fcntl, {3, command, F_RDLCK}), EPERM) << command;
  }
}

TEST(CheckFcntl, AllowsWhatProgramsUse) {
  for (const uint64_t command : {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW}) {
    EXPECT_EQ(Judge(SYS_fcntl, {3, command, 0}), kAllowed) << command;
  }
  // F_GETLEASE, F_DUPFD_CLOEXEC, F_SETPIPE_SZ, F_ADD_SEALS, F_GET_RW_HINT
  for (const uint64_t command : {1025, 1030, 1031, 1033, 1035}) {
    EXPECT_EQ(Judge(SYS_fcntl, {3, command, 0}), kAllowed) << command;
  }
}

TEST(CheckFcntl, AnswersWhatNobodyHasLookedAtAsAnOlderKernel) {
  for (const uint64_t command : {1041ULL, 1042ULL, 2000ULL, 0x8000'0000ULL, 0xffff'ffffULL}) {
    EXPECT_EQ(Judge(SYS_fcntl, {3, command, 0}), EINVAL) << command;
  }
}

TEST(CheckSyslog, AllowsToReadTheLogAndItsSizeAlone) {
  for (uint64_t action = 0; action < 16; ++action) {
    const bool reads = action == 3 || action == 10;
    EXPECT_EQ(Judge(SYS_syslog, {action, 0, 0}), reads ? kAllowed : EPERM) << action;
  }
}

TEST(CheckOpenFlags, RefuseToEmptyAFileThatIsNotOpenedForWriting) {
  for (const uint64_t other : {0, O_CLOEXEC | O_NONBLOCK, O_CREAT | O_EXCL}) {
    EXPECT_EQ(JudgeWithoutTruncation(SYS_openat, {0, 0, O_RDONLY | O_TRUNC | other}), EACCES) << other;
    EXPECT_EQ(JudgeWithoutTruncation(SYS_openat, {0, 0, O_ACCMODE | O_TRUNC | other}), EACCES) << other;
#ifdef __x86_64__
    EXPECT_EQ(JudgeWithoutTruncation(SYS_open, {0, O_RDONLY | O_TRUNC | other}), EACCES) << other;
    EXPECT_EQ(JudgeWithoutTruncation(SYS_open, {0, O_ACCMODE | O_TRUNC | other}), EACCES) << other;
#endif
  }
}

TEST(CheckOpenFlags, LeaveToLandlockWhatIsOpenedForWriting) {
  for (const uint64_t flags : {O_WRONLY | O_TRUNC, O_RDWR | O_TRUNC, O_WRONLY | O_CREAT | O_TRUNC}) {
    EXPECT_EQ(JudgeWithoutTruncation(SYS_openat, {0, 0, flags}), kAllowed) << flags;
#ifdef __x86_64__
    EXPECT_EQ(JudgeWithoutTruncation(SYS_open, {0, flags}), kAllowed) << flags;
#endif
  }
}

TEST(CheckOpenFlags, AllowReading) {
  for (const uint64_t flags : {O_RDONLY | 0, O_RDONLY | O_CLOEXEC | O_DIRECTORY, O_ACCMODE | O_NONBLOCK}) {
    EXPECT_EQ(JudgeWithoutTruncation(SYS_openat, {0, 0, flags}), kAllowed) << flags;
  }
}

TEST(CheckOpenFlags, AreNotLookedAtWhereLandlockKnowsTruncation) {
  EXPECT_EQ(Judge(SYS_openat, {0, 0, O_RDONLY | O_TRUNC}), kAllowed);
  EXPECT_EQ(test::FilterForSignals().Judge(SYS_openat, {0, 0, O_RDONLY | O_TRUNC}), kAllowed);
}

TEST(CheckKill, RefusesASignalToEverythingWhereLandlockDoesNotScopeSignals) {
  for (const uint64_t pid : {kMinusOne, kMinusOneAsInt}) {
    EXPECT_EQ(test::FilterForSignals().Judge(SYS_kill, {pid, SIGKILL}), EPERM);
    EXPECT_EQ(JudgeWithoutTruncation(SYS_kill, {pid, SIGKILL}), EPERM);
  }
}

TEST(CheckKill, AllowsASignalToOneProcessOrGroup) {
  EXPECT_EQ(test::FilterForSignals().Judge(SYS_kill, {4711, SIGKILL}), kAllowed);
  EXPECT_EQ(test::FilterForSignals().Judge(SYS_kill, {static_cast<uint64_t>(-4711), SIGKILL}), kAllowed);
}

TEST(CheckKill, LeavesSignalsToLandlockWhereItScopesThem) {
  EXPECT_EQ(Judge(SYS_kill, {kMinusOne, SIGKILL}), kAllowed);
}

}  // namespace
}  // namespace bashward::sandbox
