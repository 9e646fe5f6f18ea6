// Which system calls are refused, number by number. The lists are written down a second time, from what
// Restricted mode promises, so that this notices a call that the rules have lost.
#include "sandbox/filter_rules.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <vector>

#include "support/filter_program.h"

namespace bashward::sandbox {
namespace {

using test::CompleteFilter;
using test::FilterForSignals;
using test::FilterForTruncationToo;
using test::FilterProgram;
using test::kAllowed;

constexpr uint32_t kNewest = 472;  // of Linux 7.3
constexpr uint32_t kFarther = 600;

// Newer than the kernel headers may be. The numbers are the same on every architecture.
constexpr uint32_t kClone3 = 435;
constexpr uint32_t kOpenat2 = 437;
constexpr uint32_t kFchmodat2 = 452;
constexpr uint32_t kFutexRequeue = 456;
constexpr uint32_t kSetxattrat = 463;
constexpr uint32_t kRemovexattrat = 466;
constexpr uint32_t kOpenTreeAttr = 467;
constexpr uint32_t kFileSetattr = 469;
constexpr uint32_t kFchroot = 472;

const std::vector<uint32_t> kMetadata = {
#ifdef __x86_64__
    SYS_chmod,        SYS_chown,        SYS_lchown,    SYS_utime,       SYS_utimes,   SYS_futimesat,
#endif
    SYS_fchmod,       SYS_fchmodat,     kFchmodat2,    SYS_fchown,      SYS_fchownat, SYS_utimensat,
    SYS_setxattr,     SYS_lsetxattr,    SYS_fsetxattr, SYS_removexattr, kSetxattrat,  kRemovexattrat,
    SYS_lremovexattr, SYS_fremovexattr, kFileSetattr,
};
const std::vector<uint32_t> kServers = {SYS_listen, SYS_accept, SYS_accept4};
const std::vector<uint32_t> kSharedObjects = {
    SYS_shmget,     SYS_shmat,       SYS_shmctl, SYS_semget,    SYS_semop,  SYS_semctl,
    SYS_semtimedop, SYS_msgget,      SYS_msgsnd, SYS_msgrcv,    SYS_msgctl, SYS_mq_open,
    SYS_add_key,    SYS_request_key, SYS_keyctl, SYS_mq_unlink,
};
const std::vector<uint32_t> kCountedForAll = {SYS_io_setup};
const std::vector<uint32_t> kOtherProcesses = {438 /* pidfd_getfd */};
const std::vector<uint32_t> kNamespacesAndMounts = {
    SYS_setns,
    SYS_chroot,
    SYS_pivot_root,
    SYS_mount,
    SYS_umount2,
    428 /* open_tree */,
    429 /* move_mount */,
    430 /* fsopen */,
    431 /* fsconfig */,
    432 /* fsmount */,
    433 /* fspick */,
    442 /* mount_setattr */,
    kOpenTreeAttr,
    kFchroot,
    SYS_open_by_handle_at,
};
const std::vector<uint32_t> kLargeInterfaces = {
    425 /* io_uring_setup */, 426 /* io_uring_enter */, 427 /* io_uring_register */, SYS_bpf,
    SYS_perf_event_open,      SYS_userfaultfd,          SYS_fanotify_init,
};
const std::vector<uint32_t> kMachine = {
    SYS_kexec_load,    SYS_kexec_file_load, SYS_init_module,       SYS_finit_module,
    SYS_delete_module, SYS_swapon,          SYS_swapoff,           SYS_reboot,
    SYS_acct,          SYS_quotactl,        443 /* quotactl_fd */, SYS_settimeofday,
    SYS_clock_settime, SYS_sethostname,     SYS_setdomainname,     SYS_vhangup,
#ifdef __x86_64__
    SYS_iopl,          SYS_ioperm,
#endif
};

void ExpectRefused(const std::vector<uint32_t>& calls) {
  for (const FilterProgram* program : {&CompleteFilter(), &FilterForSignals(), &FilterForTruncationToo()}) {
    for (const uint32_t number : calls) {
      EXPECT_EQ(program->Judge(number), EPERM) << number;
      EXPECT_EQ(program->Judge(number, {~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL}), EPERM) << number;
    }
  }
}

// What each number gets when all arguments are 0; those that are not named are allowed.
std::map<uint32_t, int> ExpectedOfZeros() {
  std::map<uint32_t, int> expected;
  for (const auto* calls : {&kMetadata, &kServers, &kSharedObjects, &kOtherProcesses, &kCountedForAll,
                            &kNamespacesAndMounts, &kLargeInterfaces, &kMachine}) {
    for (const uint32_t number : *calls) expected[number] = EPERM;
  }
  // Decided by their arguments: no family, length, request or action that is allowed is 0.
  for (const uint32_t number : {SYS_socket, SYS_socketpair, SYS_bind, SYS_ioctl, SYS_syslog}) {
    expected[number] = EPERM;
  }
  expected[kClone3] = ENOSYS;
  expected[kFutexRequeue] = ENOSYS;
  for (uint32_t number = kNewest + 1; number <= kFarther; ++number) expected[number] = ENOSYS;
  return expected;
}

void ExpectOfZeros(const FilterProgram& program, const std::map<uint32_t, int>& expected) {
  for (uint32_t number = 0; number <= kFarther; ++number) {
    const auto found = expected.find(number);
    EXPECT_EQ(program.Judge(number), found == expected.end() ? kAllowed : found->second) << number;
  }
}

TEST(FilterRules, RefuseChangesOfModesOwnersTimesAndAttributes) {
  ExpectRefused(kMetadata);
}
TEST(FilterRules, RefuseServers) {
  ExpectRefused(kServers);
}
TEST(FilterRules, RefuseObjectsThatOutliveTheCommand) {
  ExpectRefused(kSharedObjects);
}
TEST(FilterRules, RefuseDescriptorsOfOtherProcesses) {
  ExpectRefused(kOtherProcesses);
}
TEST(FilterRules, RefuseWhatOneProcessCanUseUpForAll) {
  ExpectRefused(kCountedForAll);
}
TEST(FilterRules, RefuseNamespacesRootsAndMounts) {
  ExpectRefused(kNamespacesAndMounts);
}
TEST(FilterRules, RefuseInterfacesAroundTheFilter) {
  ExpectRefused(kLargeInterfaces);
}
TEST(FilterRules, RefuseWhatChangesTheMachine) {
  ExpectRefused(kMachine);
}

// What a filter would have to check is behind a pointer, and libraries have another way.
TEST(FilterRules, AnswerClone3AndFutexRequeueAsAKernelWithoutThem) {
  for (const uint32_t number : {kClone3, kFutexRequeue}) {
    EXPECT_EQ(CompleteFilter().Judge(number), ENOSYS) << number;
    EXPECT_EQ(CompleteFilter().Judge(number, {~0ULL, 88}), ENOSYS) << number;
  }
}

TEST(FilterRules, RefuseNothingElseWhereLandlockLeavesNoGap) {
  ExpectOfZeros(CompleteFilter(), ExpectedOfZeros());
}

TEST(FilterRules, RefuseNothingElseWhereLandlockDoesNotScopeSignals) {
  ExpectOfZeros(FilterForSignals(), ExpectedOfZeros());
}

TEST(FilterRules, RefuseTruncatingCallsAsWellWhereLandlockDoesNotKnowTruncation) {
  std::map<uint32_t, int> expected = ExpectedOfZeros();
  expected[SYS_truncate] = EACCES;
  expected[kOpenat2] = ENOSYS;
  ExpectOfZeros(FilterForTruncationToo(), expected);
}

TEST(FilterRules, CloseTheGapOfSignalsWithThatOfTruncationInAnyCase) {
  constexpr uint64_t kEverything = 0xffff'ffff;
  EXPECT_EQ(FilterProgram::Of(LandlockGaps{true, false}).Judge(SYS_kill, {kEverything, 9}), EPERM);
}

TEST(FilterRules, AreInTheOrderOfTheirNumbersEachOnce) {
  for (const LandlockGaps gaps : {LandlockGaps{false, false}, {false, true}, {true, true}}) {
    const FilterRules rules(FilterPolicy{gaps, false});
    for (size_t i = 1; i < rules.size(); ++i) EXPECT_LT(rules[i - 1].number, rules[i].number);
  }
}

TEST(FilterRules, AreInTheOrderOfTheirNumbersEachOnceWithABrokerToo) {
  for (const LandlockGaps gaps : {LandlockGaps{false, false}, {false, true}, {true, true}}) {
    const FilterRules rules(FilterPolicy{gaps, true});
    for (size_t i = 1; i < rules.size(); ++i) EXPECT_LT(rules[i - 1].number, rules[i].number);
  }
}

TEST(FilterRules, AreInTheOrderOfTheirNumbersEachOnceWhereFilesAreMadeToo) {
  for (const LandlockGaps gaps : {LandlockGaps{false, false}, {false, true}, {true, true}}) {
    const FilterRules rules(FilterPolicy{gaps, false, true});
    for (size_t i = 1; i < rules.size(); ++i) EXPECT_LT(rules[i - 1].number, rules[i].number);
  }
}

// Only what closes a gap takes the place of another rule.
TEST(FilterRules, NameEachCallOnce) {
  std::set<uint32_t> numbers;
  for (const uint32_t number : kRefusedCalls) EXPECT_TRUE(numbers.insert(number).second) << number;
  for (const FilterRule& rule : kDecidedCalls) EXPECT_TRUE(numbers.insert(rule.number).second) << rule.number;
  for (const RuleByPolicy& rule : kCallsByPolicy) {
    EXPECT_TRUE(numbers.insert(rule.number).second) << rule.number;
  }
  EXPECT_LE(*numbers.rbegin(), kNewest);
}

}  // namespace
}  // namespace bashward::sandbox
