#include "sandbox/resource_limits.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "support/forked.h"

namespace bashward::sandbox {
namespace {

constexpr uint64_t kProcessesFloor = 4096;

protocol::Request Asking(const std::vector<protocol::Limit>& limits) {
  protocol::Request request{};
  request.limit_count = static_cast<uint32_t>(limits.size());
  std::copy(limits.begin(), limits.end(), request.limits);
  return request;
}

rlimit Current(int resource) {
  rlimit limit{};
  // The system call itself: the C libraries do not agree on the type of a resource.
  EXPECT_EQ(syscall(SYS_prlimit64, 0, resource, nullptr, &limit), 0);
  return limit;
}

TEST(ApplyLimits, SetsBothLimits) {
  test::InForkedProcess([] {
    EXPECT_TRUE(ApplyLimits(Asking({{RLIMIT_NOFILE, 0, 20, 30}, {RLIMIT_CPU, 0, 1000, 1005}})));
    EXPECT_EQ(Current(RLIMIT_NOFILE).rlim_cur, 20U);
    EXPECT_EQ(Current(RLIMIT_NOFILE).rlim_max, 30U);
    EXPECT_EQ(Current(RLIMIT_CPU).rlim_cur, 1000U);
    EXPECT_EQ(Current(RLIMIT_CPU).rlim_max, 1005U);
  });
}

TEST(ApplyLimits, LeavesTheOthersAlone) {
  test::InForkedProcess([] {
    const rlimit before = Current(RLIMIT_FSIZE);
    EXPECT_TRUE(ApplyLimits(Asking({{RLIMIT_NOFILE, 0, 20, 30}})));
    EXPECT_EQ(Current(RLIMIT_FSIZE).rlim_cur, before.rlim_cur);
    EXPECT_EQ(Current(RLIMIT_FSIZE).rlim_max, before.rlim_max);
  });
}

TEST(ApplyLimits, NeverRaisesTheHardLimit) {
  test::InForkedProcess([] {
    const rlimit low{50, 60};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
    EXPECT_TRUE(ApplyLimits(Asking({{RLIMIT_NOFILE, 0, 55, 1000}})));
    EXPECT_EQ(Current(RLIMIT_NOFILE).rlim_cur, 55U);
    EXPECT_EQ(Current(RLIMIT_NOFILE).rlim_max, 60U);
  });
}

// For core dumps, 1 is less than 0.
TEST(ApplyLimits, RaisesAHardLimitOfNoCoreDumpsWhereItMay) {
  test::InForkedProcess([] {
    const rlimit none{0, 0};
    const rlimit one{1, 1};
    ASSERT_EQ(setrlimit(RLIMIT_CORE, &none), 0);
    const bool may = setrlimit(RLIMIT_CORE, &one) == 0;
    ASSERT_EQ(setrlimit(RLIMIT_CORE, &none), 0);
    EXPECT_TRUE(ApplyLimits(Asking({{RLIMIT_CORE, 0, 1, 1}})));
    EXPECT_EQ(Current(RLIMIT_CORE).rlim_cur, may ? 1U : 0U);
    EXPECT_EQ(Current(RLIMIT_CORE).rlim_max, may ? 1U : 0U);
  });
}

TEST(ApplyLimits, LowersASoftLimitToTheHardOne) {
  test::InForkedProcess([] {
    const rlimit low{50, 60};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
    EXPECT_TRUE(ApplyLimits(Asking({{RLIMIT_NOFILE, 0, RLIM_INFINITY, RLIM_INFINITY}})));
    EXPECT_EQ(Current(RLIMIT_NOFILE).rlim_cur, 60U);
  });
}

TEST(ApplyLimits, SetsNothingWhenNothingIsAskedFor) {
  test::InForkedProcess([] { EXPECT_TRUE(ApplyLimits(Asking({}))); });
}

TEST(ApplyLimits, SaysWhyItFails) {
  constexpr uint32_t kNoResource = 1000;
  test::InForkedProcess([] {
    EXPECT_FALSE(ApplyLimits(Asking({{kNoResource, 0, 1, 1}})));
    EXPECT_EQ(errno, EINVAL);
  });
}

TEST(ApplyLimits, AllowsNoFewerProcessesThanTheFloor) {
  const uint64_t hard = Current(RLIMIT_NPROC).rlim_max;
  test::InForkedProcess([hard] {
    EXPECT_TRUE(ApplyLimits(Asking({{RLIMIT_NPROC, 0, 1, 1}})));
    // As long as fewer than that run on this machine; the limit is on top of them.
    EXPECT_GE(Current(RLIMIT_NPROC).rlim_cur, std::min(hard, kProcessesFloor));
  });
}

TEST(ApplyLimits, AllowsProcessesOnTopOfThoseThatThereAre) {
  constexpr uint64_t kMore = 1'000'000;
  const uint64_t hard = Current(RLIMIT_NPROC).rlim_max;
  test::InForkedProcess([hard] {
    EXPECT_TRUE(ApplyLimits(Asking({{RLIMIT_NPROC, 0, kMore, kMore}})));
    const uint64_t limit = Current(RLIMIT_NPROC).rlim_cur;
    EXPECT_GE(limit, std::min(hard, kMore + 1));  // this process is one
    EXPECT_LE(limit, 5 * kMore);
  });
}

TEST(ApplyLimits, SetsNoLimitOfProcessesWhenNoneIsAskedFor) {
  const uint64_t hard = Current(RLIMIT_NPROC).rlim_max;
  test::InForkedProcess([hard] {
    EXPECT_TRUE(ApplyLimits(Asking({{RLIMIT_NPROC, 0, RLIM_INFINITY, RLIM_INFINITY}})));
    EXPECT_EQ(Current(RLIMIT_NPROC).rlim_cur, hard);
    EXPECT_EQ(Current(RLIMIT_NPROC).rlim_max, hard);
  });
}

}  // namespace
}  // namespace bashward::sandbox
