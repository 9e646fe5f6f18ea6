#include "sandbox/capabilities.h"

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/forked.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

namespace bashward::sandbox {
namespace {

constexpr int kDropped[] = {CAP_SYS_PTRACE, CAP_SYS_ADMIN, CAP_PERFMON};

struct Capabilities {
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
  uint32_t Any(int capability) const {
    const __user_cap_data_struct& word = data[capability / 32];
    return (word.effective | word.permitted | word.inheritable) & (uint32_t{1} << (capability % 32));
  }
};

Capabilities Current() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  Capabilities capabilities{};
  EXPECT_EQ(syscall(SYS_capget, &header, capabilities.data), 0);
  return capabilities;
}

TEST(DropIntrospectionCapabilities, LeavesNoneOfThem) {
  test::InForkedProcess([] {
    EXPECT_TRUE(DropIntrospectionCapabilities());
    for (const int capability : kDropped) EXPECT_EQ(Current().Any(capability), 0U) << capability;
  });
}

TEST(DropIntrospectionCapabilities, KeepsEveryOtherCapability) {
  test::InForkedProcess([] {
    const Capabilities before = Current();
    EXPECT_TRUE(DropIntrospectionCapabilities());
    const Capabilities after = Current();
    for (int capability = 0; capability <= CAP_PERFMON; ++capability) {
      if (capability == CAP_SYS_PTRACE || capability == CAP_SYS_ADMIN || capability == CAP_PERFMON) continue;
      EXPECT_EQ(after.Any(capability), before.Any(capability)) << capability;
    }
  });
}

TEST(DropIntrospectionCapabilities, IsForGoodAcrossExecveOfRoot) {
  test::InForkedProcess([] {
    EXPECT_TRUE(DropIntrospectionCapabilities());
    // What execve may give back is the bounding set; one that was never a capability of ours it cannot give.
    for (const int capability : kDropped) {
      EXPECT_TRUE(geteuid() != 0 || prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 0) << capability;
    }
  });
}

TEST(DropIntrospectionCapabilities, SucceedsWhenThereIsNothingToDrop) {
  test::InForkedProcess([] {
    EXPECT_TRUE(DropIntrospectionCapabilities());
    EXPECT_TRUE(DropIntrospectionCapabilities());
  });
}

}  // namespace
}  // namespace bashward::sandbox
