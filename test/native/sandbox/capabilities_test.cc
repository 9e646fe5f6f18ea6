#include "sandbox/capabilities.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "support/errors.h"
#include "support/forked.h"
#include "support/must_work.h"
#include "support/processes.h"
#include "support/temporary_directory.h"
#include "support/users.h"

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
    // execve may give back the bounding set, but not a capability that was never ours.
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

// As in a container that leaves root some capabilities, and not this one.
void GiveUpTheBoundingSet() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  Capabilities own = Current();
  for (uint32_t* set : {&own.data[0].effective, &own.data[0].permitted, &own.data[0].inheritable}) {
    *set &= ~(1U << CAP_SETPCAP);
  }
  ASSERT_EQ(syscall(SYS_capset, &header, own.data), 0);
}

bool HoldsAnyOfThem() {
  for (const int capability : kDropped) {
    if (prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1) return true;
  }
  return false;
}

TEST(DropIntrospectionCapabilities, FailsWhereExecveWouldGiveThemBackToRoot) {
  if (geteuid() != 0 || !HoldsAnyOfThem()) return test::OnlyRootCanTest("only root has capabilities to lose");
  test::InForkedProcess([] {
    GiveUpTheBoundingSet();
    EXPECT_FALSE(DropIntrospectionCapabilities());
    EXPECT_EQ(errno, EPERM);
  });
}

TEST(DropIntrospectionCapabilities, SucceedsWhereExecveGivesRootNothing) {
  if (geteuid() != 0) return test::OnlyRootCanTest("only root has capabilities to lose");
  test::InForkedProcess([] {
    GiveUpTheBoundingSet();
    ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ASSERT_TRUE(DropIntrospectionCapabilities()) << "errno " << errno;
    test::ChildProcess shell({"sh", "-c",
                              "while read -r name value; do case $name in CapPrm:|CapEff:) "
                              "[ $((0x$value & (1 << 19 | 1 << 21 | 1 << 38))) = 0 ] || exit 1;; esac; done "
                              "</proc/self/status"});
    EXPECT_EQ(shell.Wait(), 0);
  });
}

TEST(DropIntrospectionCapabilities, UsesACapabilityThatIsPermittedAndNotInEffect) {
  if (geteuid() != 0 || !HoldsAnyOfThem()) return test::OnlyRootCanTest("only root has capabilities to lose");
  test::InForkedProcess([] {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    Capabilities own = Current();
    own.data[0].effective &= ~(1U << CAP_SETPCAP);
    ASSERT_EQ(syscall(SYS_capset, &header, own.data), 0);
    EXPECT_TRUE(DropIntrospectionCapabilities()) << "errno " << errno;
    EXPECT_FALSE(HoldsAnyOfThem());
  });
}

class KeepOnlyReadSearchTest : public ::testing::TestWithParam<test::User> {
 protected:
  // Runs `body` as that user, without the capabilities.
  template <typename Body>
  void Dropped(Body body) {
    test::InForkedProcess([&] {
      test::Become(GetParam());
      const bool could_search = Current().Any(CAP_DAC_READ_SEARCH) != 0;
      ASSERT_TRUE(KeepOnlyReadSearch()) << "errno " << errno;
      body(could_search);
    });
  }
};

TEST_P(KeepOnlyReadSearchTest, KeepsThatOneIfItWasThere) {
  Dropped([](bool could_search) { EXPECT_EQ(Current().Any(CAP_DAC_READ_SEARCH) != 0, could_search); });
}

TEST_P(KeepOnlyReadSearchTest, LeavesNoOther) {
  Dropped([](bool) {
    for (int capability = 0; capability < 64; ++capability) {
      if (capability == CAP_DAC_READ_SEARCH) continue;
      EXPECT_EQ(Current().Any(capability), 0U) << capability;
      EXPECT_NE(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, capability, 0, 0), 1) << capability;
    }
  });
}

TEST_P(KeepOnlyReadSearchTest, SucceedsWhenThereIsNothingToDrop) {
  Dropped([](bool) { EXPECT_TRUE(KeepOnlyReadSearch()); });
}

INSTANTIATE_TEST_SUITE_P(, KeepOnlyReadSearchTest, ::testing::ValuesIn(test::Users()),
                         [](const auto& user) { return test::NameOf(user.param); });

bool MayChangeTheBoundingSet() {
  return Current().Any(CAP_SETPCAP) != 0;
}

TEST(KeepOnlyReadSearch, IsForGoodAcrossExecveOfRoot) {
  if (geteuid() != 0 || !MayChangeTheBoundingSet())
    return test::OnlyRootCanTest("only root has capabilities to lose");
  test::InForkedProcess([] {
    ASSERT_TRUE(KeepOnlyReadSearch());
    test::ChildProcess shell({"sh", "-c",
                              "while read -r name value; do case $name in CapPrm:|CapEff:|CapBnd:) "
                              "[ $((0x$value & ~4)) = 0 ] || exit 1;; esac; done </proc/self/status"});
    EXPECT_EQ(shell.Wait(), 0);
  });
}

TEST(KeepOnlyReadSearch, ClearsCapabilitiesThatExecveWouldHandOn) {
  if (geteuid() != 0 || !MayChangeTheBoundingSet())
    return test::OnlyRootCanTest("only root has capabilities to lose");
  for (const int capability : {CAP_SETPCAP, CAP_DAC_READ_SEARCH}) {
    test::InForkedProcess([capability] {
      __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
      Capabilities own = Current();
      own.data[0].inheritable |= 1U << capability;
      ASSERT_EQ(syscall(SYS_capset, &header, own.data), 0);
      ASSERT_EQ(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0), 0);
      ASSERT_TRUE(KeepOnlyReadSearch());
      EXPECT_EQ(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, capability, 0, 0), 0);
    });
  }
}

TEST(KeepOnlyReadSearch, LetsRootReadWhatIsClosedToOthersAndNotWriteIt) {
  if (geteuid() != 0 || Current().Any(CAP_DAC_READ_SEARCH) == 0)
    return test::OnlyRootCanTest("only root reads everything");
  const test::TemporaryDirectory directory;
  const std::string path = directory.File("file");
  std::ofstream(path) << "text";
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  test::GiveTo(test::User::kOrdinary, path);
  test::GiveTo(test::User::kOrdinary, directory.path());
  test::InForkedProcess([&] {
    ASSERT_TRUE(KeepOnlyReadSearch());
    EXPECT_EQ(test::ReadFile(path), "text");
    EXPECT_FAILS_WITH(EACCES, open(path.c_str(), O_WRONLY));
  });
}

}  // namespace
}  // namespace bashward::sandbox
