#include "sandbox/probe.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "process/control_protocol.h"
#include "sandbox/policy.h"
#include "sandbox/resource_limits.h"
#include "support/forked.h"
#include "support/must_work.h"
#include "support/temporary_directory.h"
#include "support/users.h"

namespace bashward::sandbox {
namespace {

using test::User;

constexpr int kScopingAbi = 6;

// Removes the shared memory segments that a process has made; their number. The fields of /proc/sysvipc/shm:
// key, id, mode, size, pid of the maker.
int RemoveSharedMemory(pid_t maker) {
  std::ifstream list("/proc/sysvipc/shm");
  int count = 0;
  for (std::string line; std::getline(list, line);) {
    std::istringstream fields(line);
    int64_t key = 0, id = 0, mode = 0, size = 0, pid = 0;
    if (!(fields >> key >> id >> mode >> size >> pid) || pid != maker) continue;
    shmctl(static_cast<int>(id), IPC_RMID, nullptr);
    ++count;
  }
  return count;
}

// As each user: a process that runs `confine` tries out what it can do to a file of its user's and to its
// parent.
class AttemptRefusedTest : public ::testing::TestWithParam<User> {
 protected:
  AttemptRefusedTest() {
    std::ofstream(file_) << "text";
    test::GiveTo(GetParam(), file_);
    test::GiveTo(GetParam(), directory_.path());
  }

  void Attempt(const std::function<void()>& confine, const std::function<void(uint32_t)>& check) {
    if (LandlockAbi() < 1) return test::CannotTest("the kernel has no Landlock");
    test::InForkedProcess([&] {
      test::Become(GetParam());
      const pid_t outside = getpid();
      test::InForkedProcess([&] {
        confine();
        const uint32_t refused = AttemptRefused(file_.c_str(), outside);
        check(refused);
        EXPECT_EQ(RemoveSharedMemory(getpid()), 0);
      });
    });
    EXPECT_EQ(test::ReadFile(file_), "text");
  }

  const test::TemporaryDirectory directory_;
  const std::string file_ = directory_.File("file");
};

// Every command in Restricted mode has these two. That of data is far above what a sanitizer takes.
void LimitResources() {
  constexpr uint64_t kPlenty = uint64_t{1} << 60;
  protocol::Request request{};
  request.limits[request.limit_count++] = {RLIMIT_CORE, 0, 1, 1};
  request.limits[request.limit_count++] = {RLIMIT_DATA, 0, kPlenty, kPlenty};
  ASSERT_TRUE(ApplyLimits(request)) << "errno " << errno;
}

// All of the policy, or without the filter of system calls.
void Confine(bool with_filter) {
  LimitResources();
  Policy policy;
  protocol::Failed failure{};
  ASSERT_TRUE(policy.Prepare(-1, &failure)) << "errno " << failure.error;
  ASSERT_TRUE(policy.Enforce(&failure)) << "errno " << failure.error;
  ASSERT_TRUE(!with_filter || policy.InstallFilter(&failure)) << "errno " << failure.error;
}

TEST_P(AttemptRefusedTest, ConfirmsEveryProtectionOfThePolicy) {
  Attempt([] { Confine(true); },
          [](uint32_t refused) {
            const uint32_t unscoped = LandlockAbi() < kScopingAbi ? uint32_t{protocol::kSignals} : 0;
            EXPECT_EQ(refused | unscoped, protocol::kAllProtections);
          });
}

TEST_P(AttemptRefusedTest, ConfirmsNothingThatOnlyTheFilterProtectsWithoutIt) {
  Attempt([] { Confine(false); },
          [](uint32_t refused) {
            EXPECT_NE(refused & protocol::kFileSystem, 0U);
            EXPECT_EQ(refused & protocol::kMetadata, 0U);
            EXPECT_EQ(refused & protocol::kUnixSockets, 0U);
          });
}

TEST_P(AttemptRefusedTest, ConfirmsNoProtectionWhereNothingIsConfined) {
  constexpr uint32_t kOpen = protocol::kFileSystem | protocol::kMetadata | protocol::kUnixSockets |
                             protocol::kSignals | protocol::kProcesses | protocol::kPrivileges;
  Attempt([] {}, [](uint32_t refused) { EXPECT_EQ(refused & kOpen, 0U); });
}

INSTANTIATE_TEST_SUITE_P(, AttemptRefusedTest, ::testing::ValuesIn(test::Users()),
                         [](const auto& user) { return test::NameOf(user.param); });

}  // namespace
}  // namespace bashward::sandbox
