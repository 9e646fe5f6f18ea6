// The filter with a broker in force: who answers, and that there is no second one.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>
#include <future>
#include <string>
#include <thread>

#include "sandbox/seccomp_filter.h"
#include "support/errors.h"
#include "support/forked.h"
#include "support/seccomp.h"
#include "support/temporary_directory.h"
#include "support/users.h"

namespace bashward::sandbox {
namespace {

using test::User;

constexpr FilterPolicy kBrokered{{false, false}, true};

// linux/seccomp.h may be older.
constexpr uint64_t kSpecAllow = 1 << 2;
constexpr uint64_t kNewListener = 1 << 3;
constexpr uint64_t kWaitKillable = 1 << 5;

class SeccompListenerTest : public ::testing::TestWithParam<User> {
 protected:
  // In a forked process that has the filter; `body` gets the listener.
  template <typename Body>
  void Filtered(Body body) {
    test::GiveTo(GetParam(), directory_.path());
    test::InForkedProcess([&] {
      test::Become(GetParam());
      umask(0);
      ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
      body();
    });
  }

  static int Install() {
    int listener = -1;
    EXPECT_TRUE(InstallSeccompFilter(kBrokered, &listener)) << "errno " << errno;
    return listener;
  }

  std::string File(const std::string& name) const { return directory_.File(name); }

 private:
  test::TemporaryDirectory directory_;
};

TEST_P(SeccompListenerTest, IsADescriptorThatProgramsDoNotInherit) {
  Filtered([] {
    const int listener = Install();
    ASSERT_GE(listener, 0);
    EXPECT_EQ(fcntl(listener, F_GETFD), FD_CLOEXEC);
  });
}

// The thread that answers has no filter.
TEST_P(SeccompListenerTest, AnswersACallInTheKernelsPlace) {
  Filtered([] {
    std::promise<int> installed;
    std::thread broker([listener = installed.get_future()]() mutable {
      const int fd = listener.get();
      seccomp_notif request{};
      EXPECT_EQ(ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &request), 0) << "errno " << errno;
      EXPECT_EQ(request.data.nr, SYS_fchmod);
      EXPECT_EQ(request.data.args[1], 0640U);
      seccomp_notif_resp response{};
      response.id = request.id;
      response.error = -EROFS;
      EXPECT_EQ(ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &response), 0) << "errno " << errno;
    });
    installed.set_value(Install());
    EXPECT_FAILS_WITH(EROFS, syscall(SYS_fchmod, 0, 0640));
    broker.join();
  });
}

// Nothing is let through then.
TEST_P(SeccompListenerTest, LeavesCallsUndoneOnceItIsClosed) {
  Filtered([] {
    close(Install());
    EXPECT_FAILS_WITH(ENOSYS, syscall(SYS_fchmod, 0, 0640));
  });
}

TEST_P(SeccompListenerTest, IsTheOnlyOneOfAProcess) {
  Filtered([] {
    Install();
    int second = 0;
    EXPECT_FALSE(InstallSeccompFilter(kBrokered, &second));
    EXPECT_EQ(errno, EBUSY);
    EXPECT_EQ(second, -1);
  });
}

// The kernel itself would allow a second listener then.
TEST_P(SeccompListenerTest, StaysTheOnlyOneOnceItIsClosed) {
  Filtered([] {
    close(Install());
    int second = 0;
    EXPECT_FALSE(InstallSeccompFilter(kBrokered, &second));
    EXPECT_EQ(errno, EBUSY);
  });
}

// The control is what the kernel does without the filter.
TEST_P(SeccompListenerTest, LeavesNoWayToMakeAFileWithSetIds) {
  Filtered([&] {
    const std::string before = File("before");
    ASSERT_GE(open(before.c_str(), O_CREAT | O_WRONLY, 06755), 0);
    struct stat status{};
    ASSERT_EQ(stat(before.c_str(), &status), 0);
    ASSERT_EQ(status.st_mode & 07777, 06755U);
    ASSERT_EQ(mknod(File("node before").c_str(), S_IFREG | 04755, 0), 0);
    Install();
    EXPECT_FAILS_WITH(EPERM, open(File("opened").c_str(), O_CREAT | O_WRONLY, 06755));
    EXPECT_FAILS_WITH(EPERM, creat(File("created").c_str(), 04755));
    EXPECT_FAILS_WITH(EPERM, mknod(File("node").c_str(), S_IFREG | 04755, 0));
    EXPECT_FAILS_WITH(EPERM, open(File(".").c_str(), O_TMPFILE | O_WRONLY, 02755));
    EXPECT_GE(open(File("usual").c_str(), O_CREAT | O_WRONLY, 0755), 0) << "errno " << errno;
  });
}

// Why the filter looks at the modes of files alone.
TEST_P(SeccompListenerTest, NeedsNoCheckOfDirectoriesWhichTheKernelMakesWithoutSetIds) {
  Filtered([&] {
    Install();
    ASSERT_EQ(mkdir(File("directory").c_str(), 06777), 0);
    struct stat status{};
    ASSERT_EQ(stat(File("directory").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0777U);
  });
}

INSTANTIATE_TEST_SUITE_P(, SeccompListenerTest, ::testing::ValuesIn(test::Users()),
                         [](const auto& user) { return test::NameOf(user.param); });

uint64_t expected_flags;

// What a kernel says that knows these flags alone.
long TakeExpectedFlags(const uint64_t* arguments) {
  return arguments[0] == 1 && arguments[1] == expected_flags ? 7 : -EINVAL;
}

TEST(SeccompListener, DoesWithoutFlagsThatTheKernelIsTooOldFor) {
  for (const uint64_t flags :
       {kNewListener | kWaitKillable | kSpecAllow, kNewListener | kSpecAllow, kNewListener}) {
    test::InForkedProcess([flags] {
      expected_flags = flags;
      test::AnswerSystemCall(SYS_seccomp, TakeExpectedFlags);
      int listener = -1;
      EXPECT_TRUE(InstallSeccompFilter(kBrokered, &listener));
      EXPECT_EQ(listener, 7);
    });
  }
}

TEST(SeccompListener, IsNeverDoneWithout) {
  test::InForkedProcess([] {
    expected_flags = kSpecAllow;
    test::AnswerSystemCall(SYS_seccomp, TakeExpectedFlags);
    int listener = 0;
    EXPECT_FALSE(InstallSeccompFilter(kBrokered, &listener));
    EXPECT_EQ(errno, EINVAL);
    EXPECT_EQ(listener, -1);
  });
}

TEST(SeccompListener, SaysWhyThereIsNone) {
  for (const int error : {EBUSY, EMFILE, EPERM, ENOSYS, EINVAL}) {
    test::InForkedProcess([error] {
      test::RefuseSystemCall(SYS_seccomp, error);
      int listener = 0;
      EXPECT_FALSE(InstallSeccompFilter(kBrokered, &listener));
      EXPECT_EQ(errno, error);
      EXPECT_EQ(listener, -1);
    });
  }
}

}  // namespace
}  // namespace bashward::sandbox
