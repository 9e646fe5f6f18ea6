// What the filter leaves to the broker, and what it refuses beside it, where something can be written to.
#include "sandbox/filter_file_checks.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <initializer_list>
#include <vector>

#include "support/filter_program.h"

namespace bashward::sandbox {
namespace {

using test::FilterProgram;
using test::kAllowed;
using test::kAsksBroker;

constexpr uint64_t kUpperHalf = 0x1234'5678'0000'0000;
constexpr uint32_t kOpenat2 = 437;
constexpr uint32_t kFchmodat2 = 452;
constexpr uint32_t kSetxattrat = 463;
constexpr uint32_t kRemovexattrat = 466;
constexpr uint32_t kFileSetattr = 469;
constexpr uint64_t kTmpfileBit = O_TMPFILE & ~O_DIRECTORY;
constexpr uint64_t kSetIds[] = {04755, 02755, 06000, 06777, kUpperHalf | 04000};

std::vector<const FilterProgram*> BrokeredFilters() {
  return {&test::BrokeredFilter(), &test::BrokeredFilterForTruncationToo()};
}

void ExpectAnswer(int answer, long number, std::initializer_list<uint64_t> arguments) {
  for (const FilterProgram* filter : BrokeredFilters()) {
    EXPECT_EQ(filter->Judge(static_cast<uint32_t>(number), arguments), answer)
        << number << std::oct << " " << arguments.begin()[1];
  }
}

// `flags` and, behind them, `mode`: of open(2) and openat(2) alike.
void ExpectOfOpen(int answer, uint64_t flags, uint64_t mode) {
  ExpectAnswer(answer, SYS_openat, {0, 0x1000, flags, mode});
#ifdef __x86_64__
  ExpectAnswer(answer, SYS_open, {0x1000, flags, mode});
#endif
}

TEST(BrokeredFilter, LeavesModesOwnersTimesAndAttributesToTheBroker) {
  const uint32_t calls[] = {
#ifdef __x86_64__
      SYS_chmod,        SYS_chown,        SYS_lchown,    SYS_utime,       SYS_utimes,   SYS_futimesat,
#endif
      SYS_fchmod,       SYS_fchmodat,     kFchmodat2,    SYS_fchown,      SYS_fchownat, SYS_utimensat,
      SYS_setxattr,     SYS_lsetxattr,    SYS_fsetxattr, SYS_removexattr, kSetxattrat,  kRemovexattrat,
      SYS_lremovexattr, SYS_fremovexattr,
  };
  for (const uint32_t number : calls) {
    ExpectAnswer(kAsksBroker, number, {0, 0});
    ExpectAnswer(kAsksBroker, number, {~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL});
  }
}

// But for those of filter_socket_checks_test.cc.
TEST(BrokeredFilter, AsksTheBrokerForNothingElse) {
  constexpr int kSocketCalls = 4;
#ifdef __x86_64__
  constexpr int kCalls = 20 + kSocketCalls;
#else
  constexpr int kCalls = 14 + kSocketCalls;
#endif
  int asked = 0;
  for (uint32_t number = 0; number < 600; ++number) {
    if (test::BrokeredFilter().Judge(number, {0, 0}) == kAsksBroker) ++asked;
  }
  EXPECT_EQ(asked, kCalls);
}

TEST(BrokeredFilter, RefusesFileSetattr) {
  ExpectAnswer(EPERM, kFileSetattr, {0, 0});
}

TEST(BrokeredFilter, LeavesTruncationByNameToLandlockOrElseToTheBroker) {
  EXPECT_EQ(test::BrokeredFilter().Judge(SYS_truncate), kAllowed);
  EXPECT_EQ(test::BrokeredFilterForTruncationToo().Judge(SYS_truncate), kAsksBroker);
}

// In the scratch directory, or in shared memory: as with a broker where no broker is needed, and else as
// where nothing can be written.
TEST(MakingFilter, RefusesSetIdsOfNewFilesAndNothingElse) {
  for (const FilterProgram* filter : {&test::MakingFilter(), &test::MakingFilterForTruncationToo()}) {
    for (const uint64_t mode : kSetIds) {
      EXPECT_EQ(filter->Judge(SYS_openat, {0, 0x1000, O_CREAT | O_WRONLY, mode}), EPERM);
      EXPECT_EQ(filter->Judge(SYS_openat, {0, 0x1000, O_TMPFILE | O_RDWR, mode}), EPERM);
      EXPECT_EQ(filter->Judge(SYS_openat, {0, 0x1000, O_RDWR, mode}), kAllowed);
      EXPECT_EQ(filter->Judge(SYS_mknodat, {0, 0x1000, mode | S_IFREG}), EPERM);
#ifdef __x86_64__
      EXPECT_EQ(filter->Judge(SYS_open, {0x1000, O_CREAT | O_WRONLY, mode}), EPERM);
      EXPECT_EQ(filter->Judge(SYS_creat, {0x1000, mode}), EPERM);
      EXPECT_EQ(filter->Judge(SYS_mknod, {0x1000, mode | S_IFREG}), EPERM);
#endif
    }
    EXPECT_EQ(filter->Judge(SYS_openat, {0, 0x1000, O_CREAT | O_WRONLY, 0644}), kAllowed);
    EXPECT_EQ(filter->Judge(SYS_mknodat, {0, 0x1000, S_IFIFO | 0600}), kAllowed);
    EXPECT_EQ(filter->Judge(kOpenat2), ENOSYS);
    EXPECT_EQ(filter->Judge(SYS_fchmod), EPERM);
    EXPECT_EQ(filter->Judge(SYS_seccomp, {1, 0}), kAllowed);
  }
}

TEST(CheckOpenMode, RefusesToMakeAFileWithSetIds) {
  for (const uint64_t mode : kSetIds) {
    for (const uint64_t creates : {O_CREAT + 0UL, O_TMPFILE + 0UL, kTmpfileBit, O_CREAT | kUpperHalf}) {
      ExpectOfOpen(EPERM, creates | O_WRONLY, mode);
      ExpectOfOpen(EPERM, creates | O_RDWR | O_EXCL | O_CLOEXEC, mode);
    }
  }
}

TEST(CheckOpenMode, AllowsToMakeEveryOtherFile) {
  for (const uint64_t mode : {0UL, 0644UL, 0777UL, 01777UL, kUpperHalf | 0600}) {
    ExpectOfOpen(kAllowed, O_CREAT | O_WRONLY | O_TRUNC, mode);
    ExpectOfOpen(kAllowed, O_TMPFILE | O_RDWR, mode);
  }
}

// The third or fourth argument is then whatever the register held.
TEST(CheckOpenMode, LooksAtNoModeWhereNothingIsMade) {
  for (const uint64_t mode : kSetIds) {
    for (const uint64_t flags : {O_RDONLY | 0UL, O_RDWR | 0UL, O_DIRECTORY | 0UL, O_WRONLY | O_TRUNC | 0UL}) {
      ExpectOfOpen(kAllowed, flags, mode);
    }
  }
}

TEST(CheckNewMode, RefusesToMakeAFileOrNodeWithSetIds) {
  for (const uint64_t mode : kSetIds) {
    for (const uint64_t type : {0, S_IFREG, S_IFIFO}) {
      ExpectAnswer(EPERM, SYS_mknodat, {0, 0x1000, mode | type});
#ifdef __x86_64__
      ExpectAnswer(EPERM, SYS_mknod, {0x1000, mode | type});
#endif
    }
#ifdef __x86_64__
    ExpectAnswer(EPERM, SYS_creat, {0x1000, mode});
#endif
  }
}

TEST(CheckNewMode, AllowsEveryOtherFileAndNode) {
  for (const uint64_t mode : {0UL, 0644UL, S_IFREG | 0777UL, S_IFIFO | 0600UL}) {
    ExpectAnswer(kAllowed, SYS_mknodat, {0, 0x1000, mode});
#ifdef __x86_64__
    ExpectAnswer(kAllowed, SYS_mknod, {0x1000, mode});
    ExpectAnswer(kAllowed, SYS_creat, {0x1000, mode & 0777});
#endif
  }
}

TEST(CheckNewMode, IsNotAskedOfDirectoriesWhichTheKernelMakesWithoutSetIds) {
  ExpectAnswer(kAllowed, SYS_mkdirat, {0, 0x1000, 06777});
}

TEST(CheckTruncationAndMode, RefusesEitherBeforeLandlockKnowsTruncation) {
  const FilterProgram& filter = test::BrokeredFilterForTruncationToo();
  for (const uint64_t flags : {O_RDONLY | O_TRUNC, O_ACCMODE | O_TRUNC, O_RDONLY | O_TRUNC | O_CREAT}) {
    EXPECT_EQ(filter.Judge(SYS_openat, {0, 0x1000, flags, 0644}), EACCES) << flags;
#ifdef __x86_64__
    EXPECT_EQ(filter.Judge(SYS_open, {0x1000, flags, 0644}), EACCES) << flags;
#endif
  }
  EXPECT_EQ(filter.Judge(SYS_openat, {0, 0x1000, O_WRONLY | O_TRUNC | O_CREAT, 04755}), EPERM);
  EXPECT_EQ(filter.Judge(SYS_openat, {0, 0x1000, O_WRONLY | O_TRUNC | O_CREAT, 0755}), kAllowed);
  EXPECT_EQ(test::BrokeredFilter().Judge(SYS_openat, {0, 0x1000, O_RDONLY | O_TRUNC, 0644}), kAllowed);
}

TEST(BrokeredFilter, AnswersOpenat2AsAKernelWithoutIt) {
  ExpectAnswer(ENOSYS, kOpenat2, {0, 0x1000, 0x2000, 24});
}

TEST(CheckRename, RefusesToLeaveAWhiteoutBehind) {
  constexpr uint64_t kWhiteout = RENAME_WHITEOUT;
  for (const uint64_t flags : {kWhiteout, kWhiteout | RENAME_NOREPLACE, kUpperHalf | kWhiteout}) {
    ExpectAnswer(EINVAL, SYS_renameat2, {0, 0x1000, 0, 0x2000, flags});
  }
}

TEST(CheckRename, AllowsEveryOtherRename) {
  for (const uint64_t flags : {0, RENAME_NOREPLACE, RENAME_EXCHANGE}) {
    ExpectAnswer(kAllowed, SYS_renameat2, {0, 0x1000, 0, 0x2000, flags});
  }
}

// linux/seccomp.h may be older.
constexpr uint64_t kSetFilter = 1;
constexpr uint64_t kNewListener = 8;

TEST(CheckSeccomp, RefusesAListenerOfTheCommandItself) {
  for (const uint64_t other : {0, 1, 2, 4, 16, 32}) {
    ExpectAnswer(EBUSY, SYS_seccomp, {kSetFilter, kNewListener | other, 0x1000});
    ExpectAnswer(EBUSY, SYS_seccomp, {kUpperHalf | kSetFilter, kUpperHalf | kNewListener | other, 0x1000});
  }
}

TEST(CheckSeccomp, AllowsEveryOtherFilterOfTheCommandItself) {
  for (const uint64_t flags : {0, 1, 2, 4, 16, 32}) {
    ExpectAnswer(kAllowed, SYS_seccomp, {kSetFilter, flags, 0x1000});
  }
}

TEST(CheckSeccomp, AllowsToAskWhatTheKernelHas) {
  ExpectAnswer(kAllowed, SYS_seccomp, {2, 0, 0x1000});  // SECCOMP_GET_ACTION_AVAIL
  ExpectAnswer(kAllowed, SYS_seccomp, {3, 0, 0x1000});  // SECCOMP_GET_NOTIF_SIZES
}

TEST(CheckIoctlWithCloning, AllowsCloningAndWhatRestrictedModeAllowsAndNothingElse) {
  for (uint64_t type = 0; type < 0x100; ++type) {
    for (uint64_t number = 0; number < 0x100; ++number) {
      for (const uint64_t size : {0x0000'0000U, 0x4004'0000U, 0x4020'0000U, 0x8008'0000U, 0xc018'0000U}) {
        const uint64_t request = size | type << 8 | number;
        const bool clones = request == FICLONE || request == FICLONERANGE;
        const int expected = clones ? kAllowed : test::CompleteFilter().Judge(SYS_ioctl, {3, request});
        ASSERT_EQ(test::BrokeredFilter().Judge(SYS_ioctl, {3, request}), expected) << std::hex << request;
      }
    }
  }
}

// Processes, limits and everything that is refused outright, but for accepting connections.
TEST(BrokeredFilter, RefusesEverythingElseThatRestrictedModeRefuses) {
  constexpr uint64_t kPatterns[] = {0, 1, 2, 3, 0xff, 0x7fff'ffff, 0xffff'ffff, ~0ULL};
  for (uint32_t number = 0; number < 600; ++number) {
    for (const uint64_t value : kPatterns) {
      const std::initializer_list<uint64_t> arguments = {value, value, value, value, value, value};
      const int restricted = test::CompleteFilter().Judge(number, arguments);
      const int brokered = test::BrokeredFilter().Judge(number, arguments);
      if (restricted == kAllowed || brokered == kAsksBroker) continue;
      if (number == SYS_accept || number == SYS_accept4) continue;
      EXPECT_EQ(brokered, restricted) << number;
    }
  }
}

}  // namespace
}  // namespace bashward::sandbox
