#include "supervisor/job.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "support/forked.h"
#include "support/processes.h"
#include "support/seccomp.h"
#include "support/temporary_directory.h"
#include "sys/process_stat.h"
#include "sys/unique_fd.h"

namespace bashward::supervisor {
namespace {

using protocol::Failed;
using protocol::Step;

// The path of the file that cannot be opened, and why.
std::string missing;
int missing_error = 0;

class JobTest : public ::testing::Test {
 protected:
  std::string File(const std::string& name) const { return directory_.File("job") + "/" + name; }

  // A job that was made, and a process that stands for its shell.
  void WithJob(const std::function<void(Job&, pid_t shell)>& body) {
    test::InForkedProcess([&] {
      test::ChildProcess shell({"sleep", "300"});
      const std::string path = directory_.File("job");
      Job job(path.c_str(), "{\"version\":1,", 1'000'000);
      Failed failure{};
      ASSERT_TRUE(job.Create(&failure)) << "errno " << failure.error;
      body(job, shell.pid());
    });
  }

  static uint64_t StartTime(pid_t pid) {
    sys::ProcessStat stat{};
    EXPECT_TRUE(sys::ReadProcessStat(pid, &stat));
    return stat.start_time;
  }

  // From now on the start time of that process cannot be read.
  static void HideStartTime(pid_t pid, int error) {
    missing = "/proc/" + std::to_string(pid) + "/stat";
    missing_error = error;
    test::AnswerSystemCall(SYS_openat, [](const uint64_t* arguments) -> long {
      if (missing == reinterpret_cast<const char*>(arguments[1])) return -missing_error;
      return test::OpenFile(arguments);
    });
  }

  const test::TemporaryDirectory directory_;
};

TEST_F(JobTest, IsDescribedByPidsAndStartTimes) {
  WithJob([&](Job& job, pid_t shell) {
    Failed failure{};
    ASSERT_TRUE(job.Describe(getpid(), shell, shell, &failure)) << "errno " << failure.error;
    const std::string pid = std::to_string(shell);
    EXPECT_EQ(test::ReadFile(File("job.json")),
              "{\"version\":1,\"pid\":" + pid + ",\"pgid\":" + pid + ",\"startTime\":" +
                  std::to_string(StartTime(shell)) + ",\"supervisor\":{\"pid\":" + std::to_string(getpid()) +
                  ",\"startTime\":" + std::to_string(StartTime(getpid())) + ",\"locksOutput\":true}}\n");
  });
}

TEST_F(JobTest, HoldsALockOnItsOutputAsLongAsItLives) {
  WithJob([&](Job&, pid_t) {
    const sys::UniqueFd output(open(File("output").c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(flock(output.get(), LOCK_SH | LOCK_NB), -1);
    EXPECT_EQ(errno, EWOULDBLOCK);
  });
  const sys::UniqueFd output(open(File("output").c_str(), O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(flock(output.get(), LOCK_SH | LOCK_NB), 0);
}

TEST_F(JobTest, IsDescribedWithoutAShellThatHasEnded) {
  WithJob([&](Job& job, pid_t shell) {
    Failed failure{};
    ASSERT_TRUE(job.Describe(getpid(), shell, 0, &failure)) << "errno " << failure.error;
    EXPECT_NE(test::ReadFile(File("job.json")).find("\"startTime\":0,"), std::string::npos);
  });
}

TEST_F(JobTest, IsNotDescribedWithoutTheStartTimeOfItsShell) {
  WithJob([&](Job& job, pid_t shell) {
    HideStartTime(shell, EMFILE);
    Failed failure{};
    EXPECT_FALSE(job.Describe(getpid(), shell, shell, &failure));
    EXPECT_EQ(failure.step, Step::kWriteRecord);
    EXPECT_EQ(failure.error, EMFILE);
    EXPECT_NE(access(File("job.json").c_str(), F_OK), 0);
  });
}

TEST_F(JobTest, IsNotDescribedWithoutTheStartTimeOfItsSupervisor) {
  WithJob([&](Job& job, pid_t shell) {
    HideStartTime(getpid(), ENFILE);
    for (const pid_t known : {shell, 0}) {
      Failed failure{};
      EXPECT_FALSE(job.Describe(getpid(), shell, known, &failure));
      EXPECT_EQ(failure.step, Step::kWriteRecord);
      EXPECT_EQ(failure.error, ENFILE);
      EXPECT_NE(access(File("job.json").c_str(), F_OK), 0);
    }
  });
}

}  // namespace
}  // namespace bashward::supervisor
