// The caller itself: what can be read of it, and what becomes of its call when it ends.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "broker/answer.h"
#include "broker/brokered.h"
#include "sandbox/system_calls.h"
#include "support/descriptors.h"
#include "support/errors.h"
#include "support/must_work.h"
#include "support/processes.h"
#include "support/seccomp.h"
#include "support/wait.h"
#include "sys/signals.h"

namespace bashward::test {
namespace {

class CallerTest : public BrokerTest {};
INSTANTIATE_TEST_SUITE_P(Users, CallerTest, ::testing::ValuesIn(Users()),
                         [](const auto& user) { return NameOf(user.param); });

TEST_P(CallerTest, IsReadThroughProcWhereTheCallForItIsRefused) {
  for (const int error : {EPERM, ENOSYS}) {
    AsUser([&] {
      RefuseSystemCall(SYS_process_vm_readv, error);
      Brokered({workspace}).Run([&] {
        const std::string name = "f" + std::to_string(error);
        MakeFile(name);
        EXPECT_EQ(chmod(name.c_str(), 0600), 0);
        EXPECT_EQ(ModeOf(name), 0600U);
        EXPECT_EQ(setxattr(name.c_str(), "user.x", "1", 1, 0), 0);
        EXPECT_FAILS_WITH(EFAULT, chmod(reinterpret_cast<char*>(8), 0600));
        EXPECT_FAILS_WITH(EFAULT, chmod(reinterpret_cast<char*>(-8), 0600));
      });
    });
  }
}

TEST_P(CallerTest, IsAnsweredOnKernelsThatChangeModesByPathOnly) {
  for (const int error : {EPERM, ENOSYS}) {
    AsUser([&] {
      RefuseSystemCall(sandbox::number::kFchmodat2, error);
      Brokered({workspace}).Run([&] {
        const std::string name = "f" + std::to_string(error);
        MakeFile(name);
        EXPECT_EQ(chmod(name.c_str(), 0600), 0);
        EXPECT_EQ(ModeOf(name), 0600U);
      });
    });
  }
}

TEST_P(CallerTest, HasLongTextsReadWhole) {
  InWorkspace([&] {
    MakeFile("f");
    for (const size_t length : {255U, 256U, 257U, 511U, 512U, 4094U}) {
      const std::string path = "./" + std::string(length - 3, '/') + "f";
      ASSERT_EQ(chmod("f", 0644), 0);
      EXPECT_EQ(chmod(path.c_str(), 0600), 0) << length;
      EXPECT_EQ(ModeOf("f"), 0600U) << length;
    }
  });
}

TEST_P(CallerTest, IsRefusedWhenItCannotBeRead) {
  AsUser([&] {
    if (geteuid() == 0) return;  // reads everybody
    Brokered brokered({workspace});
    brokered.Run([&] {
      MakeFile("f");
      const sys::UniqueFd file(open("f", O_RDONLY | O_CLOEXEC));
      ASSERT_EQ(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), 0);
      EXPECT_FAILS_WITH(EPERM, chmod("f", 0600));
      EXPECT_FAILS_WITH(EPERM, fchmod(file.get(), 0600));
      EXPECT_EQ(ModeOf("f"), 0644U);
    });
    EXPECT_EQ(brokered.denials().count(), 0U);
  });
}

TEST_P(CallerTest, ChangesNothingAnyMoreWhenItIsKilled) {
  AsUser([&] {
    Brokered brokered({workspace});
    bool killed = false;
    brokered.before_answer = [&](pid_t caller) {
      if (killed) return;
      killed = true;
      sys::SignalProcess(caller, SIGKILL);
      EXPECT_TRUE(WaitUntil([&] { return !IsRunning(caller); }));
    };
    brokered.Run([&] {
      MakeFile("f");
      MakeFile("g");
      const pid_t caller = fork();
      if (caller == 0) _exit(chmod("f", 0600) == 0 ? 0 : 1);
      int status = 0;
      EXPECT_EQ(waitpid(caller, &status, 0), caller);
      EXPECT_TRUE(WIFSIGNALED(status));
      EXPECT_EQ(chmod("g", 0600), 0);
    });
    EXPECT_EQ(ModeOf("f"), 0644U);
    EXPECT_EQ(ModeOf("g"), 0600U);
  });
}

// Its number may be another process's by then.
TEST_P(CallerTest, IsNotAnsweredForWhenItsCallIsGone) {
  AsUser([&] {
    MakeFile("f");
    const std::string paths = workspace + '\0';
    sandbox::WritableRoots roots;
    ASSERT_TRUE(roots.Open(paths.c_str(), 1));
    const auto denials = std::make_unique<broker::DenialLog>();
    const sys::UniqueFd file(open("f", O_RDONLY | O_CLOEXEC));
    seccomp_notif notification{};
    notification.id = 1;
    notification.pid = static_cast<uint32_t>(getpid());
#if defined(__x86_64__)
    notification.data.arch = 0xc000003e;
#else
    notification.data.arch = 0xc00000b7;
#endif
    notification.data.nr = SYS_fchmod;
    notification.data.args[0] = static_cast<uint64_t>(file.get());
    notification.data.args[1] = 0600;
    EXPECT_EQ(broker::Answer(notification, -1, roots, denials.get()), -ESRCH);
    EXPECT_EQ(ModeOf("f"), 0644U);
  });
}

TEST_P(CallerTest, LeavesNoDescriptorBehind) {
  AsUser([&] {
    Brokered brokered({workspace});
    const std::vector<int> before = OpenDescriptors();
    brokered.Run([&] {
      MakeFile("f");
      const sys::UniqueFd file(open("f", O_RDONLY | O_CLOEXEC));
      chmod("f", 0600);
      chmod("none", 0600);
      chmod(outside.c_str(), 0600);
      chmod("/proc/self/root/x", 0600);
      fchmod(file.get(), 0640);
      fchmod(999, 0640);
      fchmodat(file.get(), "x", 0640, 0);
      unlink("f");
      fchmod(file.get(), 0644);
      setxattr(".", "user.x", "y", 1, 0);
    });
    EXPECT_EQ(OpenDescriptors(), before);
  });
}

TEST_P(CallerTest, IsToldWhenTheBrokerHasNoDescriptorLeft) {
  AsUser([&] {
    Brokered brokered({workspace});
    rlim_t free = 0;
    const DescriptorLimit limit;
    brokered.before_answer = [&](pid_t) { limit.Leave(free++); };
    brokered.Run([&] {
      MakeFile("f");
      bool failed = false;
      for (mode_t mode = 0600; mode < 0610; ++mode) {
        if (chmod("f", mode) == 0) {
          EXPECT_EQ(ModeOf("f"), mode);
        } else {
          EXPECT_EQ(errno, EMFILE);
          EXPECT_EQ(ModeOf("f"), 0644U);
          failed = true;
        }
      }
      EXPECT_TRUE(failed);
      EXPECT_EQ(ModeOf("f"), 0607U);
    });
    limit.Lift();
    EXPECT_EQ(brokered.denials().count(), 0U);
  });
}

TEST_P(CallerTest, MayNotMakeItsFilesLongerThanItsLimit) {
  InWorkspace([&] {
    MakeFile("f", 0644, "0123456789");
    const rlimit limit{5, 5};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    EXPECT_FAILS_WITH(EFBIG, truncate("f", 11));
    EXPECT_EQ(truncate("f", 7), 0);
    EXPECT_EQ(StatusOf("f").st_size, 7);
  });
}

}  // namespace
}  // namespace bashward::test
