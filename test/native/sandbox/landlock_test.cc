// Rulesets on imitated kernels of every ABI version: what they are asked for, and what happens when they
// refuse.
#include "sandbox/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "support/descriptors.h"
#include "support/forked.h"
#include "support/seccomp.h"

namespace bashward::sandbox {
namespace {

constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr uint64_t kRefer = 1U << 13;  // LANDLOCK_ACCESS_FS_REFER

// What came with which version, by Documentation/userspace-api/landlock.rst, and how large its struct was
// then.
struct Kernel {
  int abi;
  uint64_t file_system;
  uint64_t network;
  uint64_t scoped;
  size_t attributes_size;
};
constexpr Kernel kKernels[] = {
    {1, 0x1fff, 0x0, 0, 8},   {2, 0x3fff, 0x0, 0, 8},    {3, 0x7fff, 0x0, 0, 8},    {4, 0x7fff, 0x3, 0, 16},
    {5, 0xffff, 0x3, 0, 16},  {6, 0xffff, 0x3, 3, 24},   {7, 0xffff, 0x3, 3, 24},   {8, 0xffff, 0x3, 3, 24},
    {9, 0x1ffff, 0x3, 3, 24}, {10, 0x1ffff, 0xf, 3, 48}, {11, 0x1ffff, 0xf, 3, 48},
};
constexpr const Kernel& Version(int abi) {
  return kKernels[abi - 1];
}

Kernel imitated;
int calls = 0;

// landlock_create_ruleset(2) of the imitated kernel.
long CreateImitatedRuleset(const uint64_t* arguments) {
  ++calls;
  if ((arguments[2] & 1) != 0) return imitated.abi;  // LANDLOCK_CREATE_RULESET_VERSION
  const auto* bytes = reinterpret_cast<const unsigned char*>(arguments[0]);
  const size_t size = arguments[1];
  for (size_t i = imitated.attributes_size; i < size; ++i) {
    if (bytes[i] != 0) return -E2BIG;
  }
  uint64_t asked[6] = {};
  memcpy(asked, bytes, std::min(size, imitated.attributes_size));
  const bool known = (asked[0] & ~imitated.file_system) == 0 && (asked[1] & ~imitated.network) == 0 &&
                     (asked[2] & ~imitated.scoped) == 0;
  if (!known) return -EINVAL;
  if ((asked[0] | asked[1] | asked[2]) == 0) return -ENOMSG;
  return fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
}

void OnKernel(const Kernel& kernel, const std::function<void()>& body) {
  test::InForkedProcess([&] {
    imitated = kernel;
    test::AnswerSystemCall(kCreateRuleset, CreateImitatedRuleset);
    body();
  });
}

void ExpectAll(const Ruleset& ruleset, const Kernel& kernel) {
  EXPECT_TRUE(ruleset.fd.valid()) << "errno " << errno;
  EXPECT_EQ(ruleset.handled.file_system, kernel.file_system) << "version " << kernel.abi;
  EXPECT_EQ(ruleset.handled.network, kernel.network) << "version " << kernel.abi;
  EXPECT_EQ(ruleset.handled.scoped, kernel.scoped) << "version " << kernel.abi;
}

TEST(LandlockAbi, IsTheVersionOfTheKernel) {
  for (const Kernel& kernel : kKernels) {
    OnKernel(kernel, [&] { EXPECT_EQ(LandlockAbi(), kernel.abi); });
  }
}

TEST(LandlockAbi, SaysWhyThereIsNone) {
  for (const int error : {ENOSYS, EOPNOTSUPP, EPERM}) {
    test::InForkedProcess([error] {
      test::RefuseSystemCall(kCreateRuleset, error);
      EXPECT_EQ(LandlockAbi(), -1);
      EXPECT_EQ(errno, error);
    });
  }
}

TEST(CreateRuleset, HandlesAllThatEachVersionKnowsAtTheFirstAttempt) {
  for (const Kernel& kernel : kKernels) {
    OnKernel(kernel, [&] {
      ExpectAll(CreateRuleset(kernel.abi), kernel);
      EXPECT_EQ(calls, 1) << "version " << kernel.abi;
    });
  }
}

// One for reading and one for the rest refuse together what one does.
TEST(CreateRuleset, IsTheSameInTwo) {
  constexpr uint64_t kRead = 0xd;  // execute, read files, list directories
  for (const Kernel& kernel : kKernels) {
    OnKernel(kernel, [&] {
      test::AnswerSystemCall(kAddRule, [](const uint64_t*) -> long { return 0; });
      ExpectAll(CreateReadingRuleset(kernel.abi), {0, kRead | (kernel.file_system & kRefer), 0, 0, 0});
      ExpectAll(CreateWritingRuleset(kernel.abi),
                {0, kernel.file_system & ~kRead, kernel.network, kernel.scoped, 0});
    });
  }
}

TEST(CreateReadingRuleset, AllowsFilesToBeMovedEverywhere) {
  OnKernel(Version(6), [] {
    static uint64_t allowed = 0;
    test::AnswerSystemCall(kAddRule, [](const uint64_t* arguments) -> long {
      memcpy(&allowed, reinterpret_cast<const void*>(arguments[2]), sizeof allowed);
      return 0;
    });
    EXPECT_TRUE(CreateReadingRuleset(6).fd.valid());
    EXPECT_EQ(allowed, kRefer);
  });
}

TEST(CreateRuleset, HandlesNoMoreThanVersion11OfANewerKernel) {
  constexpr Kernel kFuture{20, ~0ULL, ~0ULL, ~0ULL, 64};
  OnKernel(kFuture, [&] { ExpectAll(CreateRuleset(kFuture.abi), Version(11)); });
}

TEST(CreateRuleset, HandlesWhatItIsAskedForOnANewerKernel) {
  OnKernel(Version(11), [] { ExpectAll(CreateRuleset(3), Version(3)); });
}

// As RHEL 9.
TEST(CreateRuleset, LeavesTheSignalScopeOutWhereVersion6LacksIt) {
  constexpr Kernel kPartly{6, 0xffff, 0x3, kScopeAbstractUnixSocket, 24};
  OnKernel(kPartly, [&] { ExpectAll(CreateRuleset(6), kPartly); });
}

TEST(CreateRuleset, LeavesOutWhatAKernelRefusesForItsSize) {
  Kernel claims_more = Version(5);
  claims_more.abi = 6;
  OnKernel(claims_more, [&] { ExpectAll(CreateRuleset(6), claims_more); });
}

TEST(CreateRuleset, AsksForLessUntilTheKernelAgrees) {
  for (const Kernel& kernel : kKernels) {
    OnKernel(kernel, [&] { ExpectAll(CreateRuleset(11), kernel); });
  }
}

TEST(CreateRuleset, FailsWhereNotEvenVersion1IsUnderstood) {
  constexpr Kernel kNothing{1, 0, 0, 0, 8};
  OnKernel(kNothing, [] {
    EXPECT_FALSE(CreateRuleset(11).fd.valid());
    EXPECT_EQ(errno, EINVAL);
  });
}

TEST(CreateRuleset, FailsAtOnceForAnyOtherReason) {
  test::InForkedProcess([] {
    test::AnswerSystemCall(kCreateRuleset, [](const uint64_t*) -> long {
      ++calls;
      return -ENOMEM;
    });
    EXPECT_FALSE(CreateRuleset(7).fd.valid());
    EXPECT_EQ(errno, ENOMEM);
    EXPECT_EQ(calls, 1);
  });
}

// Moving a file needs a right that every domain takes away unless it grants it.
TEST(CreateSignalScope, HandlesSignalsAndAllowsFilesToBeMovedEverywhere) {
  OnKernel(Version(6), [] {
    static uint64_t allowed = 0;
    test::AnswerSystemCall(kAddRule, [](const uint64_t* arguments) -> long {
      memcpy(&allowed, reinterpret_cast<const void*>(arguments[2]), sizeof allowed);
      return 0;
    });
    ExpectAll(CreateSignalScope(), {6, kRefer, 0, kScopeSignal, 24});
    EXPECT_EQ(allowed, kRefer);
  });
}

TEST(CreateSignalScope, FailsOnAKernelWithoutSuchAScope) {
  for (const int abi : {1, 5}) {
    OnKernel(Version(abi), [] {
      EXPECT_FALSE(CreateSignalScope().fd.valid());
      EXPECT_TRUE(errno == EINVAL || errno == E2BIG) << errno;
    });
  }
}

// A path without a rule is a path without access, and nobody would notice.
TEST(AllowReading, FailsWhenDescriptorsRunOut) {
  OnKernel(Version(7), [] {
    test::AnswerSystemCall(kAddRule, [](const uint64_t*) -> long { return 0; });
    const Ruleset ruleset = CreateRuleset(7);
    const test::DescriptorLimit limit;
    // One for the list of what is in /, one for each path.
    for (const rlim_t free : {0, 1}) {
      limit.Leave(free);
      EXPECT_FALSE(AllowReading(ruleset)) << free << " descriptors";
      EXPECT_EQ(errno, EMFILE) << free << " descriptors";
    }
    limit.Leave(2);
    EXPECT_TRUE(AllowReading(ruleset)) << "errno " << errno;
  });
}

TEST(AllowReading, SkipsWhatIsNotThere) {
  OnKernel(Version(7), [] {
    test::AnswerSystemCall(kAddRule, [](const uint64_t*) -> long { return 0; });
    test::AnswerSystemCall(SYS_openat, [](const uint64_t* arguments) -> long {
      const auto* path = reinterpret_cast<const char*>(arguments[1]);
      return strcmp(path, "/dev/full") == 0 ? -ENOENT : test::OpenFile(arguments);
    });
    EXPECT_TRUE(AllowReading(CreateRuleset(7))) << "errno " << errno;
  });
}

TEST(CreateSignalScope, FailsWhenTheRootCannotBeOpened) {
  for (const int error : {EMFILE, ENFILE, ENOMEM}) {
    OnKernel(Version(6), [error] {
      test::RefuseSystemCall(SYS_openat, error);
      EXPECT_FALSE(CreateSignalScope().fd.valid());
      EXPECT_EQ(errno, error);
    });
  }
}

}  // namespace
}  // namespace bashward::sandbox
