// What does not lie beneath a root is refused, however it is named, and recorded.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "broker/brokered.h"
#include "sandbox/system_calls.h"
#include "support/errors.h"

namespace bashward::test {
namespace {

class OutsideTest : public BrokerTest {
 protected:
  void SetUp() override {
    BrokerTest::SetUp();
    AsUser([&] { MakeFile(victim()); });
    before_ = StatusOf(victim());
  }
  void TearDown() override {
    const struct stat after = StatusOf(victim());
    EXPECT_EQ(after.st_mode, before_.st_mode);
    EXPECT_EQ(after.st_uid, before_.st_uid);
    EXPECT_EQ(after.st_size, before_.st_size);
    EXPECT_EQ(after.st_ctim.tv_nsec, before_.st_ctim.tv_nsec);
    EXPECT_EQ(after.st_ctim.tv_sec, before_.st_ctim.tv_sec);
  }
  std::string victim() const { return Out("victim"); }

 private:
  struct stat before_{};
};
INSTANTIATE_TEST_SUITE_P(Users, OutsideTest, ::testing::ValuesIn(Users()),
                         [](const auto& user) { return NameOf(user.param); });

constexpr long kFchmodat2 = sandbox::number::kFchmodat2;

TEST_P(OutsideTest, RefusesPaths) {
  AsUser([&] {
    Brokered brokered({workspace});
    brokered.Run([&] {
      ASSERT_EQ(symlink(victim().c_str(), "link"), 0);
      ASSERT_EQ(symlink(outside.c_str(), "directory"), 0);
      EXPECT_FAILS_WITH(EPERM, chmod(victim().c_str(), 0777));
      EXPECT_FAILS_WITH(EPERM, chmod("link", 0777));
      EXPECT_FAILS_WITH(EPERM, chmod("directory/victim", 0777));
      EXPECT_FAILS_WITH(EPERM, chmod("../out/victim", 0777));
      EXPECT_FAILS_WITH(EPERM, chown(victim().c_str(), 1, 1));
      EXPECT_FAILS_WITH(EPERM, utimes(victim().c_str(), nullptr));
      EXPECT_FAILS_WITH(EPERM, setxattr(victim().c_str(), "user.x", "1", 1, 0));
      EXPECT_FAILS_WITH(EPERM, removexattr(victim().c_str(), "user.x"));
      EXPECT_FAILS_WITH(EACCES, truncate(victim().c_str(), 5));
    });
    const std::string target = victim();
    EXPECT_EQ(brokered.Denied(),
              (std::vector<std::string>{"mode " + target, "owner " + target, "times " + target,
                                        "set " + target, "remove " + target, "truncate " + target}));
  });
}

TEST_P(OutsideTest, RefusesWhatItHasAlready) {
  InWorkspace([&] {
    EXPECT_FAILS_WITH(EPERM, chmod(victim().c_str(), 0644));
    EXPECT_FAILS_WITH(EPERM, chown(victim().c_str(), geteuid(), getegid()));
  });
}

TEST_P(OutsideTest, RefusesDescriptors) {
  InWorkspace([&] {
    const sys::UniqueFd file(open(victim().c_str(), O_RDONLY | O_CLOEXEC));
    const sys::UniqueFd path(open(victim().c_str(), O_PATH | O_CLOEXEC));
    const sys::UniqueFd above(open(outside.c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_FAILS_WITH(EPERM, fchmod(file.get(), 0777));
    EXPECT_FAILS_WITH(EPERM, futimens(file.get(), nullptr));
    EXPECT_FAILS_WITH(EPERM, fsetxattr(file.get(), "user.x", "1", 1, 0));
    EXPECT_FAILS_WITH(EPERM, syscall(SYS_fchmodat, above.get(), "victim", 0777));
    EXPECT_FAILS_WITH(EPERM, syscall(kFchmodat2, path.get(), "", 0777, AT_EMPTY_PATH));
    EXPECT_FAILS_WITH(EPERM, fchownat(path.get(), "", 1, 1, AT_EMPTY_PATH));
    EXPECT_FAILS_WITH(EPERM, chmod(("/proc/self/fd/" + std::to_string(file.get())).c_str(), 0777));
    int pipes[2];
    ASSERT_EQ(pipe2(pipes, O_CLOEXEC), 0);
    EXPECT_FAILS_WITH(EPERM, fchmod(pipes[0], 0600));
    const sys::UniqueFd memory(memfd_create("ws", MFD_CLOEXEC));
    EXPECT_FAILS_WITH(EPERM, fchmod(memory.get(), 0600));
  });
}

TEST_P(OutsideTest, RecordsNothingOfWhatHasNoPlace) {
  AsUser([&] {
    Brokered brokered({workspace});
    brokered.Run([&] {
      int pipes[2];
      ASSERT_EQ(pipe2(pipes, O_CLOEXEC), 0);
      int sockets[2];
      ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
      const sys::UniqueFd memory(memfd_create("ws", MFD_CLOEXEC));
      for (const int fd : {pipes[0], pipes[1], sockets[0], memory.get()}) {
        EXPECT_FAILS_WITH(EPERM, fchmod(fd, 0600));
        EXPECT_FAILS_WITH(EPERM, futimens(fd, nullptr));
        EXPECT_FAILS_WITH(EPERM, fchown(fd, geteuid(), getegid()));
      }
    });
    EXPECT_EQ(brokered.Denied(), std::vector<std::string>());
  });
}

TEST_P(OutsideTest, RefusesToLeaveTheOwner) {
  InWorkspace([&] {
    constexpr auto kUnchanged = static_cast<uid_t>(-1);
    MakeFile("f");
    const sys::UniqueFd inside(open("f", O_RDONLY | O_CLOEXEC));
    const sys::UniqueFd file(open(victim().c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(fchown(inside.get(), kUnchanged, kUnchanged), 0);
    EXPECT_FAILS_WITH(EPERM, fchown(file.get(), kUnchanged, kUnchanged));
  });
}

TEST_P(OutsideTest, RefusesTheLinksOfProc) {
  AsUser([&] {
    Brokered brokered({workspace});
    const std::string others = "/proc/" + std::to_string(getpid()) + "/fd/0";
    brokered.Run([&] {
      EXPECT_FAILS_WITH(EPERM, chmod(others.c_str(), 0777));
      EXPECT_FAILS_WITH(EPERM, chmod(("/proc/self/root" + victim()).c_str(), 0777));
      EXPECT_FAILS_WITH(EPERM, chmod("/proc/self/cwd/../out/victim", 0777));
      const sys::UniqueFd file(open(victim().c_str(), O_RDONLY | O_CLOEXEC));
      ASSERT_EQ(symlink("/proc/self/fd", "descriptors"), 0);
      EXPECT_FAILS_WITH(EPERM, chmod(("descriptors/" + std::to_string(file.get())).c_str(), 0777));
    });
    ASSERT_GE(brokered.denials().count(), 2U);
    EXPECT_EQ(brokered.Denied()[0], "mode " + others);
    EXPECT_EQ(brokered.Denied()[1], "mode /proc/self/root" + victim());
  });
}

TEST_P(OutsideTest, DoesNotTakeALongerNameForARoot) {
  AsUser([&] {
    ASSERT_EQ(mkdir(Out("root").c_str(), 0755), 0);
    ASSERT_EQ(mkdir(Out("root2").c_str(), 0755), 0);
    ASSERT_EQ(mkdir(Out("root (deleted)").c_str(), 0755), 0);
    MakeFile(Out("root2/f"));
    MakeFile(Out("root (deleted)/f"));
    Brokered brokered({Out("root")});
    brokered.Run([&] {
      EXPECT_FAILS_WITH(EPERM, chmod(Out("root2/f").c_str(), 0600));
      EXPECT_FAILS_WITH(EPERM, chmod(Out("root2").c_str(), 0700));
      EXPECT_FAILS_WITH(EPERM, chmod(Out("root (deleted)/f").c_str(), 0600));
    });
    EXPECT_EQ(ModeOf(Out("root2/f")), 0644U);
    EXPECT_EQ(ModeOf(Out("root (deleted)/f")), 0644U);
  });
}

TEST_P(OutsideTest, FollowsARootThatIsRenamed) {
  AsUser([&] {
    ASSERT_EQ(mkdir(Out("root").c_str(), 0755), 0);
    MakeFile(Out("root/f"));
    Brokered brokered({Out("root")});
    ASSERT_EQ(rename(Out("root").c_str(), Out("moved").c_str()), 0);
    ASSERT_EQ(mkdir(Out("root").c_str(), 0755), 0);
    MakeFile(Out("root/f"));
    brokered.Run([&] {
      EXPECT_EQ(chmod(Out("moved/f").c_str(), 0600), 0);
      EXPECT_FAILS_WITH(EPERM, chmod(Out("root/f").c_str(), 0600));
    });
    EXPECT_EQ(ModeOf(Out("moved/f")), 0600U);
    EXPECT_EQ(ModeOf(Out("root/f")), 0644U);
    EXPECT_EQ(brokered.Denied(), std::vector<std::string>{"mode " + Out("root/f")});
  });
}

TEST_P(OutsideTest, RefusesDeletedFilesOfARemovedRoot) {
  AsUser([&] {
    ASSERT_EQ(mkdir(Out("root").c_str(), 0755), 0);
    Brokered brokered({Out("root")});
    ASSERT_EQ(rmdir(Out("root").c_str()), 0);
    ASSERT_EQ(mkdir(Out("root (deleted)").c_str(), 0755), 0);
    MakeFile(Out("root (deleted)/f"));
    brokered.Run([&] {
      const sys::UniqueFd file(open(Out("root (deleted)/f").c_str(), O_RDONLY | O_CLOEXEC));
      ASSERT_EQ(unlink(Out("root (deleted)/f").c_str()), 0);
      EXPECT_FAILS_WITH(EPERM, fchmod(file.get(), 0600));
    });
  });
}

TEST_P(OutsideTest, RefusesDeletedFiles) {
  InWorkspace([&] {
    MakeFile(Out("f"));
    const sys::UniqueFd file(open(Out("f").c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(unlink(Out("f").c_str()), 0);
    EXPECT_FAILS_WITH(EPERM, fchmod(file.get(), 0600));
  });
}

TEST_P(OutsideTest, RefusesWhatHasBeenMovedOut) {
  InWorkspace([&] {
    MakeFile("f");
    const sys::UniqueFd file(open("f", O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(rename("f", Out("f").c_str()), 0);  // by another, where Landlock is
    EXPECT_FAILS_WITH(EPERM, fchmod(file.get(), 0600));
  });
}

TEST_P(OutsideTest, RecordsNoErrorOfThePath) {
  AsUser([&] {
    Brokered brokered({workspace});
    brokered.Run([&] {
      MakeFile("f");
      ASSERT_EQ(symlink("loop", "loop"), 0);
      EXPECT_FAILS_WITH(ENOENT, chmod(Out("none").c_str(), 0600));
      EXPECT_FAILS_WITH(ENOENT, chmod("none", 0600));
      EXPECT_FAILS_WITH(ENOTDIR, chmod("f/x", 0600));
      EXPECT_FAILS_WITH(ELOOP, chmod("loop", 0600));
      EXPECT_FAILS_WITH(EPERM, chmod("f", 04755));
    });
    EXPECT_EQ(brokered.denials().count(), 0U);
  });
}

TEST_P(OutsideTest, RefusesCallersInARemovedDirectory) {
  InWorkspace([&] {
    ASSERT_EQ(mkdir("d", 0755), 0);
    ASSERT_EQ(chdir("d"), 0);
    ASSERT_EQ(rmdir(In("d").c_str()), 0);
    EXPECT_FAILS_WITH(ENOENT, chmod("f", 0600));
    EXPECT_FAILS_WITH(EPERM, chmod("../../out/victim", 0600));
  });
}

}  // namespace
}  // namespace bashward::test
