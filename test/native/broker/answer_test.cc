// What lies beneath a root is changed by each of the calls that the broker answers, as the kernel would.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include <thread>

#include "broker/brokered.h"
#include "sandbox/system_calls.h"
#include "support/errors.h"

namespace bashward::test {
namespace {

class AnswerTest : public BrokerTest {};
INSTANTIATE_TEST_SUITE_P(Users, AnswerTest, ::testing::ValuesIn(Users()),
                         [](const auto& user) { return NameOf(user.param); });

constexpr long kFchmodat2 = sandbox::number::kFchmodat2;

TEST_P(AnswerTest, ChangesModes) {
  InWorkspace([&] {
    MakeFile("f");
    ASSERT_EQ(mkdir("d", 0755), 0);
    const sys::UniqueFd file(open("f", O_RDONLY | O_CLOEXEC));
    const sys::UniqueFd root(open(".", O_PATH | O_CLOEXEC));
    EXPECT_EQ(chmod("f", 0600), 0);
    EXPECT_EQ(ModeOf("f"), 0600U);
    EXPECT_EQ(chmod(In("f").c_str(), 0610), 0);
    EXPECT_EQ(ModeOf("f"), 0610U);
    EXPECT_EQ(fchmod(file.get(), 0620), 0);
    EXPECT_EQ(ModeOf("f"), 0620U);
    EXPECT_EQ(syscall(SYS_fchmodat, root.get(), "d/../f", 0640), 0);
    EXPECT_EQ(ModeOf("f"), 0640U);
    EXPECT_EQ(syscall(kFchmodat2, AT_FDCWD, "f", 0650, AT_SYMLINK_NOFOLLOW), 0);
    EXPECT_EQ(ModeOf("f"), 0650U);
    EXPECT_EQ(syscall(kFchmodat2, file.get(), "", 0660, AT_EMPTY_PATH), 0);
    EXPECT_EQ(ModeOf("f"), 0660U);
    EXPECT_EQ(chmod("d", 01777), 0);
    EXPECT_EQ(ModeOf("d"), 01777U);
  });
}

TEST_P(AnswerTest, ChangesModesThroughSymbolicLinks) {
  InWorkspace([&] {
    MakeFile("f");
    ASSERT_EQ(mkdir("d", 0755), 0);
    ASSERT_EQ(symlink("../f", "d/link"), 0);
    ASSERT_EQ(symlink("d", "directory"), 0);
    ASSERT_EQ(symlink(workspace.c_str(), "absolute"), 0);
    EXPECT_EQ(chmod("directory/link", 0600), 0);
    EXPECT_EQ(ModeOf("f"), 0600U);
    EXPECT_EQ(chmod("absolute/directory/link", 0640), 0);
    EXPECT_EQ(ModeOf("f"), 0640U);
  });
}

TEST_P(AnswerTest, ChangesOwnersToWhatTheUserMay) {
  InWorkspace([&] {
    const bool is_root = geteuid() == 0;
    const uid_t user = is_root ? 12 : geteuid();
    const gid_t group = is_root ? 13 : getegid();
    MakeFile("f");
    ASSERT_EQ(symlink("f", "link"), 0);
    const sys::UniqueFd file(open("f", O_PATH | O_CLOEXEC));
    EXPECT_EQ(chown("link", user, group), 0);
    EXPECT_EQ(StatusOf("f").st_uid, user);
    EXPECT_EQ(StatusOf("f").st_gid, group);
    EXPECT_EQ(StatusOf("link").st_uid, geteuid());
    EXPECT_EQ(lchown("link", user, group), 0);
    EXPECT_EQ(StatusOf("link").st_uid, user);
    EXPECT_EQ(fchownat(file.get(), "", is_root ? 14 : user, static_cast<gid_t>(-1), AT_EMPTY_PATH), 0);
    EXPECT_EQ(StatusOf("f").st_uid, is_root ? 14U : user);
    EXPECT_EQ(StatusOf("f").st_gid, group);
    EXPECT_EQ(fchownat(AT_FDCWD, "link", user, group, AT_SYMLINK_NOFOLLOW), 0);
    if (!is_root) EXPECT_FAILS_WITH(EPERM, chown("f", 0, 0));
  });
}

TEST_P(AnswerTest, ChangesTimesByEveryCall) {
  InWorkspace([&] {
    MakeFile("f");
    ASSERT_EQ(symlink("f", "link"), 0);
    const sys::UniqueFd file(open("f", O_RDONLY | O_CLOEXEC));
    const auto seconds = [](const char* name) {
      const struct stat status = StatusOf(name);
      return std::pair(status.st_atim.tv_sec, status.st_mtim.tv_sec);
    };
    timespec nanoseconds[2] = {{1, 11}, {2, 22}};
    EXPECT_EQ(utimensat(AT_FDCWD, "f", nanoseconds, 0), 0);
    EXPECT_EQ(seconds("f"), std::pair(time_t{1}, time_t{2}));
    EXPECT_EQ(StatusOf("f").st_mtim.tv_nsec, 22);
    nanoseconds[0].tv_sec = 3;
    nanoseconds[1].tv_nsec = UTIME_OMIT;
    EXPECT_EQ(futimens(file.get(), nanoseconds), 0);
    EXPECT_EQ(seconds("f"), std::pair(time_t{3}, time_t{2}));
    nanoseconds[1] = {5, 0};
    EXPECT_EQ(utimensat(AT_FDCWD, "link", nanoseconds, AT_SYMLINK_NOFOLLOW), 0);
    EXPECT_EQ(seconds("link").second, 5);
    EXPECT_EQ(seconds("f").second, 2);
    EXPECT_EQ(utimensat(AT_FDCWD, "f", nullptr, 0), 0);
    EXPECT_GT(seconds("f").second, 5);
#ifdef SYS_utimes
    const utimbuf both{7, 8};
    EXPECT_EQ(syscall(SYS_utime, "f", &both), 0);
    EXPECT_EQ(seconds("f"), std::pair(time_t{7}, time_t{8}));
    const timeval microseconds[2] = {{9, 0}, {10, 33}};
    EXPECT_EQ(syscall(SYS_utimes, "f", microseconds), 0);
    EXPECT_EQ(seconds("f"), std::pair(time_t{9}, time_t{10}));
    EXPECT_EQ(StatusOf("f").st_mtim.tv_nsec, 33'000);
    const timeval later[2] = {{11, 0}, {12, 0}};
    EXPECT_EQ(syscall(SYS_futimesat, AT_FDCWD, "f", later), 0);
    EXPECT_EQ(seconds("f"), std::pair(time_t{11}, time_t{12}));
    EXPECT_EQ(syscall(SYS_futimesat, file.get(), nullptr, microseconds), 0);
    EXPECT_EQ(seconds("f"), std::pair(time_t{9}, time_t{10}));
    EXPECT_EQ(syscall(SYS_utime, "f", nullptr), 0);
    EXPECT_GT(seconds("f").second, 12);
#endif
  });
}

TEST_P(AnswerTest, RefusesSetIdBitsButOnDirectories) {
  InWorkspace([&] {
    MakeFile("f");
    ASSERT_EQ(mkdir("d", 0755), 0);
    EXPECT_FAILS_WITH(EPERM, chmod("f", 04755));
    EXPECT_FAILS_WITH(EPERM, chmod("f", 02755));
    EXPECT_FAILS_WITH(EPERM, chmod("d", 04755));
    EXPECT_EQ(ModeOf("f"), 0644U);
    EXPECT_EQ(chmod("d", 02775), 0);
    EXPECT_EQ(ModeOf("d"), 02775U);
  });
}

TEST_P(AnswerTest, SetsTheTimesOfARootAndNothingElse) {
  InWorkspace([&] {
    const timespec times[2] = {{1, 0}, {2, 0}};
    EXPECT_EQ(utimensat(AT_FDCWD, workspace.c_str(), times, 0), 0);
    EXPECT_EQ(StatusOf(workspace).st_mtim.tv_sec, 2);
    EXPECT_FAILS_WITH(EPERM, chmod(".", 0700));
    EXPECT_EQ(ModeOf(workspace), 0755U);
    EXPECT_FAILS_WITH(EPERM, chown(".", geteuid() + 1, getegid()));
  });
}

TEST_P(AnswerTest, LeavesTheModeAndOwnerThatARootHas) {
  InWorkspace([&] {
    EXPECT_EQ(chmod(".", 0755), 0);
    EXPECT_EQ(chown(workspace.c_str(), geteuid(), static_cast<gid_t>(-1)), 0);
  });
}

TEST_P(AnswerTest, ChangesFilesThatAreDeleted) {
  InWorkspace([&] {
    MakeFile("f");
    const sys::UniqueFd file(open("f", O_RDWR | O_CLOEXEC));
    ASSERT_EQ(unlink("f"), 0);
    ASSERT_EQ(mkdir("d", 0755), 0);
    const sys::UniqueFd removed(open("d", O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(rmdir("d"), 0);
    const sys::UniqueFd nameless(open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0644));
    for (const int fd : {file.get(), removed.get(), nameless.get()}) {
      if (fd < 0) continue;  // no O_TMPFILE here
      EXPECT_EQ(fchmod(fd, 0600), 0);
      struct stat status{};
      ASSERT_EQ(fstat(fd, &status), 0);
      EXPECT_EQ(status.st_mode & 07777, 0600U);
    }
  });
}

TEST_P(AnswerTest, OpensNothingThatCouldBlock) {
  InWorkspace([&] {
    ASSERT_EQ(mkfifo("fifo", 0644), 0);
    EXPECT_EQ(chmod("fifo", 0600), 0);
    EXPECT_EQ(ModeOf("fifo"), 0600U);
    EXPECT_EQ(utimensat(AT_FDCWD, "fifo", nullptr, 0), 0);
    if (geteuid() != 0) return;
    ASSERT_EQ(mknod("device", S_IFCHR | 0644, makedev(5, 1)), 0);
    EXPECT_EQ(chmod("device", 0600), 0);
    EXPECT_EQ(ModeOf("device"), 0600U);
  });
}

// Known and documented: a name beneath a root makes it the root's.
TEST_P(AnswerTest, ChangesFilesThatHaveOtherNamesOutside) {
  AsUser([&] {
    MakeFile(Out("f"));
    ASSERT_EQ(link(Out("f").c_str(), "f"), 0);
    Brokered({workspace}).Run([&] {
      EXPECT_EQ(chmod("f", 0600), 0);
      EXPECT_FAILS_WITH(EPERM, chmod(Out("f").c_str(), 0640));
    });
    EXPECT_EQ(ModeOf(Out("f")), 0600U);
  });
}

TEST_P(AnswerTest, TakesEveryRootOfMany) {
  AsUser([&] {
    std::vector<std::string> roots;
    for (int i = 0; i < 16; ++i) {
      roots.push_back(Out("root" + std::to_string(i)));
      ASSERT_EQ(mkdir(roots.back().c_str(), 0755), 0);
      MakeFile(roots.back() + "/f");
    }
    ASSERT_EQ(mkdir(Out("root1/nested").c_str(), 0755), 0);
    MakeFile(Out("root1/nested/f"));
    roots[2] = Out("root1/nested");
    Brokered(roots).Run([&] {
      for (const std::string& root : roots) {
        EXPECT_EQ(chmod((root + "/f").c_str(), 0600), 0) << root;
        EXPECT_FAILS_WITH(EPERM, chmod(root.c_str(), 0700));
      }
      EXPECT_FAILS_WITH(EPERM, chmod(Out("root2/f").c_str(), 0600));
    });
  });
}

TEST_P(AnswerTest, TakesDescriptorPathsForTheCallersOwn) {
  InWorkspace([&] {
    MakeFile("f");
    ASSERT_EQ(mkdir("d", 0755), 0);
    MakeFile("d/g");
    const sys::UniqueFd file(open("f", O_PATH | O_CLOEXEC));
    const sys::UniqueFd below(open("d", O_PATH | O_CLOEXEC));
    const std::string own = std::to_string(getpid());
    mode_t mode = 0600;
    for (const std::string& descriptors :
         {std::string("/proc/self/fd/"), std::string("/proc/thread-self/fd/"), std::string("/dev/fd/"),
          "/proc/" + own + "/fd/", "/proc/" + own + "/task/" + own + "/fd/",
          std::string("//proc/./self//fd/")}) {
      ++mode;
      EXPECT_EQ(chmod((descriptors + std::to_string(file.get())).c_str(), mode), 0) << descriptors;
      EXPECT_EQ(ModeOf("f"), mode) << descriptors;
      EXPECT_EQ(chmod((descriptors + std::to_string(below.get()) + "/g").c_str(), mode), 0) << descriptors;
      EXPECT_EQ(ModeOf("d/g"), mode) << descriptors;
    }
    ASSERT_EQ(dup2(file.get(), 0), 0);
    EXPECT_EQ(chmod("/dev/stdin", 0701), 0);
    EXPECT_EQ(ModeOf("f"), 0701U);
    EXPECT_FAILS_WITH(ENOTDIR, chmod(("/proc/self/fd/" + std::to_string(file.get()) + "/").c_str(), 0700));
    EXPECT_EQ(chmod(("/dev/fd/" + std::to_string(below.get()) + "/").c_str(), 0700), 0);
    EXPECT_EQ(ModeOf("d"), 0700U);
  });
}

TEST_P(AnswerTest, TakesAnyName) {
  InWorkspace([&] {
    for (const std::string& name : {std::string("a\nb"), std::string("x (deleted)"), std::string(255, 'n'),
                                    std::string("\xff\x01"), std::string("\\040 \t")}) {
      MakeFile(name);
      EXPECT_EQ(chmod(name.c_str(), 0600), 0) << name;
      EXPECT_EQ(ModeOf(name), 0600U) << name;
    }
    // Beside each other they are told apart.
    MakeFile("y");
    const sys::UniqueFd deleted(open("y", O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(unlink("y"), 0);
    MakeFile("y (deleted)");
    EXPECT_EQ(fchmod(deleted.get(), 0600), 0);
    EXPECT_EQ(ModeOf("y (deleted)"), 0644U);
  });
}

TEST_P(AnswerTest, TakesPathsUpToTheKernelsLimit) {
  InWorkspace([&] {
    MakeFile("f");
    const std::string path = "./" + std::string(4095 - 3, '/') + "f";
    ASSERT_EQ(path.size(), 4095U);
    EXPECT_EQ(chmod(path.c_str(), 0600), 0);
    EXPECT_EQ(ModeOf("f"), 0600U);
    EXPECT_FAILS_WITH(ENAMETOOLONG, chmod((path + "/").c_str(), 0640));
  });
}

TEST_P(AnswerTest, AnswersThreadsAsTheirProcess) {
  InWorkspace([&] {
    MakeFile("f");
    const sys::UniqueFd file(open("f", O_RDONLY | O_CLOEXEC));
    const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file.get());
    int result = -1;
    std::thread([&] { result = chmod(path.c_str(), 0600); }).join();
    EXPECT_EQ(result, 0);
    EXPECT_EQ(ModeOf("f"), 0600U);
  });
}

}  // namespace
}  // namespace bashward::test
