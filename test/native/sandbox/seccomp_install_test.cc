// The filter in force: a forked process installs it, and the kernel answers by it.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "sandbox/seccomp_filter.h"
#include "support/errors.h"
#include "support/forked.h"
#include "support/processes.h"
#include "support/seccomp.h"
#include "support/temporary_directory.h"
#include "support/users.h"

namespace bashward::sandbox {
namespace {

using test::User;

constexpr LandlockGaps kNoGaps{false, false};

// Of Restricted mode.
bool InstallSeccompFilter(LandlockGaps gaps) {
  int listener = 0;
  const bool installed = sandbox::InstallSeccompFilter({gaps, false}, &listener);
  EXPECT_EQ(listener, -1);
  return installed;
}

constexpr long kClone3 = 435;
constexpr long kBeyondTheNewest = 473;

// As each user, in a forked process that has the filter.
class InstallSeccompFilterTest : public ::testing::TestWithParam<User> {
 protected:
  template <typename Body>
  void Filtered(LandlockGaps gaps, Body body) {
    test::InForkedProcess([&] {
      test::Become(GetParam());
      ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
      ASSERT_TRUE(InstallSeccompFilter(gaps)) << "errno " << errno;
      body();
    });
  }

  // A file of the user.
  std::string MakeFile() {
    test::GiveTo(GetParam(), directory_.path());
    const std::string path = directory_.File("file");
    std::ofstream(path) << "text";
    EXPECT_EQ(chmod(path.c_str(), 0640), 0);
    test::GiveTo(GetParam(), path);
    return path;
  }

 private:
  test::TemporaryDirectory directory_;
};

TEST_P(InstallSeccompFilterTest, RefusesToChangeAMode) {
  const std::string path = MakeFile();
  Filtered(kNoGaps, [&] {
    EXPECT_FAILS_WITH(EPERM, syscall(SYS_fchmodat, AT_FDCWD, path.c_str(), 0600));
    EXPECT_FAILS_WITH(EPERM, syscall(SYS_utimensat, AT_FDCWD, path.c_str(), nullptr, 0));
  });
  struct stat status{};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
}

TEST_P(InstallSeccompFilterTest, AllowsNoSocketButAPair) {
  Filtered(kNoGaps, [] {
    int pair[2];
    EXPECT_FAILS_WITH(EPERM, socket(AF_INET, SOCK_STREAM, 0));
    EXPECT_FAILS_WITH(EPERM, socket(AF_UNIX, SOCK_STREAM, 0));
    EXPECT_FAILS_WITH(EPERM, socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0) << "errno " << errno;
  });
}

TEST_P(InstallSeccompFilterTest, AnswersClone3AndTheUnknownAsAnOlderKernel) {
  Filtered(kNoGaps, [] {
    EXPECT_FAILS_WITH(ENOSYS, syscall(kClone3, nullptr, 0));
    EXPECT_FAILS_WITH(ENOSYS, syscall(kBeyondTheNewest, 0, 0, 0));
  });
}

TEST_P(InstallSeccompFilterTest, AllowsToForkAndToReadAndWrite) {
  Filtered(kNoGaps, [] {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    test::InForkedProcess([&] { EXPECT_EQ(write(ends[1], "x", 1), 1); });
    char read_back = 0;
    EXPECT_EQ(read(ends[0], &read_back, 1), 1);
    EXPECT_EQ(read_back, 'x');
  });
}

TEST_P(InstallSeccompFilterTest, IsInForceAfterExecve) {
  const std::string path = MakeFile();
  Filtered(kNoGaps, [&] {
    test::ChildProcess shell(
        {"sh", "-c", "chmod 600 \"$0\" 2>/dev/null && exit 1; cat \"$0\" >/dev/null", path});
    EXPECT_EQ(shell.Wait(), 0);
  });
}

TEST_P(InstallSeccompFilterTest, RefusesTruncationByNameWhereLandlockDoesNotKnowIt) {
  const std::string path = MakeFile();
  Filtered({true, true}, [&] {
    EXPECT_FAILS_WITH(EACCES, truncate(path.c_str(), 0));
    EXPECT_FAILS_WITH(EACCES, open(path.c_str(), O_RDONLY | O_TRUNC));
    EXPECT_GE(open(path.c_str(), O_RDONLY), 0) << "errno " << errno;
  });
  EXPECT_EQ(test::ReadFile(path), "text");
}

#ifdef __x86_64__
TEST_P(InstallSeccompFilterTest, RefusesThe32BitEntryOfTheKernel) {
  Filtered(kNoGaps, [] {
    // getpid of i386. A kernel that has no such entry kills the process instead.
    const pid_t pid = test::Fork([] {
      long result = 20;
      asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
      EXPECT_EQ(result, -EPERM);
    });
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_TRUE((WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
                (WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV))
        << "wait status " << status;
  });
}

TEST_P(InstallSeccompFilterTest, AnswersX32AsAKernelWithoutIt) {
  constexpr long kGetpidOfX32 = 0x4000'0000 + SYS_getpid;
  Filtered(kNoGaps, [] { EXPECT_FAILS_WITH(ENOSYS, syscall(kGetpidOfX32)); });
}
#endif

INSTANTIATE_TEST_SUITE_P(, InstallSeccompFilterTest, ::testing::ValuesIn(test::Users()),
                         [](const auto& user) { return test::NameOf(user.param); });

TEST(InstallSeccompFilter, NeedsNoNewPrivilegesOfAnOrdinaryUser) {
  test::InForkedProcess([] {
    test::Become(test::Users().back());
    EXPECT_FALSE(InstallSeccompFilter(kNoGaps));
    EXPECT_EQ(errno, EACCES);
  });
}

TEST(InstallSeccompFilter, AsksForNoMitigationsThatSlowEveryProgramDown) {
  test::InForkedProcess([] {
    test::AnswerSystemCall(SYS_seccomp, [](const uint64_t* arguments) -> long {
      return arguments[0] == 1 && arguments[1] == 1U << 2 ? 0 : -EINVAL;  // SECCOMP_FILTER_FLAG_SPEC_ALLOW
    });
    EXPECT_TRUE(InstallSeccompFilter(kNoGaps));
  });
}

TEST(InstallSeccompFilter, DoesWithoutThatWhereTheKernelIsTooOld) {
  test::InForkedProcess([] {
    test::AnswerSystemCall(SYS_seccomp, [](const uint64_t* arguments) -> long {
      return arguments[0] == 1 && arguments[1] == 0 ? 0 : -EINVAL;
    });
    EXPECT_TRUE(InstallSeccompFilter(kNoGaps));
  });
}

TEST(InstallSeccompFilter, TriesNoSecondTimeForAnyOtherReason) {
  test::InForkedProcess([] {
    static int calls = 0;
    test::AnswerSystemCall(SYS_seccomp, [](const uint64_t*) -> long {
      ++calls;
      return -EPERM;
    });
    EXPECT_FALSE(InstallSeccompFilter(kNoGaps));
    EXPECT_EQ(calls, 1);
  });
}

TEST(InstallSeccompFilter, SaysWhyItFails) {
  for (const int error : {ENOSYS, EINVAL, EPERM, EACCES}) {
    test::InForkedProcess([error] {
      test::RefuseSystemCall(SYS_seccomp, error);
      EXPECT_FALSE(InstallSeccompFilter(kNoGaps));
      EXPECT_EQ(errno, error);
    });
  }
}

TEST(HasSeccompFilters, KnowsThatTheKernelOfTheseTestsHasThem) {
  EXPECT_TRUE(HasSeccompFilters());
}

TEST(HasSeccompFilters, KnowsAKernelWithoutThem) {
  test::InForkedProcess([] {
    test::RefuseSystemCall(SYS_seccomp, ENOSYS);
    EXPECT_FALSE(HasSeccompFilters());
  });
}

}  // namespace
}  // namespace bashward::sandbox
