// Mounts: what lies below a root through one belongs to it, and other views of the same files do not.
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "broker/brokered.h"
#include "support/errors.h"
#include "support/forked.h"
#include "support/must_work.h"

namespace bashward::test {
namespace {

class MountsTest : public ::testing::Test {
 protected:
  MountsTest() : workspace(directory.File("ws")), outside(directory.File("out")) {}

  // In a mount namespace of its own: only root can make one, and only here.
  void WithMounts(const std::function<void()>& body) const {
    if (geteuid() != 0) return OnlyRootCanTest("mounts need root");
    ASSERT_EQ(mkdir(workspace.c_str(), 0755), 0);
    ASSERT_EQ(mkdir(outside.c_str(), 0755), 0);
    MakeFile(workspace + "/f");
    InForkedProcess([&] {
      if (unshare(CLONE_NEWNS) != 0) return CannotTest(std::string("unshare: ") + strerror(errno));
      ASSERT_EQ(mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), 0);
      ASSERT_EQ(chdir(workspace.c_str()), 0);
      body();
    });
  }
  void Answer(const std::function<void()>& body) const { Brokered({workspace}).Run(body); }

  // A file system, at a directory that it makes.
  static void MountMemory(const std::string& path) {
    ASSERT_EQ(mkdir(path.c_str(), 0755), 0);
    ASSERT_EQ(mount("none", path.c_str(), "tmpfs", 0, nullptr), 0) << strerror(errno);
  }
  static void Bind(const std::string& from, const std::string& to) {
    ASSERT_EQ(mkdir(to.c_str(), 0755), 0);
    ASSERT_EQ(mount(from.c_str(), to.c_str(), nullptr, MS_BIND, nullptr), 0) << strerror(errno);
  }

  TemporaryDirectory directory;
  const std::string workspace;
  const std::string outside;
};

TEST_F(MountsTest, BelowARootBelongToIt) {
  WithMounts([&] {
    MountMemory(workspace + "/m");
    Answer([&] {
      MakeFile("m/f");
      EXPECT_EQ(chmod("m/f", 0600), 0);
      EXPECT_EQ(chmod("m", 0700), 0);
      EXPECT_EQ(ModeOf("m/f"), 0600U);
    });
  });
}

TEST_F(MountsTest, OfARootElsewhereDoNotBelongToIt) {
  WithMounts([&] {
    Bind(workspace, outside + "/view");
    Answer([&] {
      EXPECT_FAILS_WITH(EPERM, chmod((outside + "/view/f").c_str(), 0600));
      EXPECT_FAILS_WITH(EPERM, utimensat(AT_FDCWD, (outside + "/view").c_str(), nullptr, 0));
      EXPECT_EQ(chmod("f", 0600), 0);
    });
  });
}

TEST_F(MountsTest, ThatCannotBeWrittenStaySo) {
  WithMounts([&] {
    ASSERT_EQ(mkdir("d", 0755), 0);
    MakeFile("d/f");
    ASSERT_EQ(mount("d", "d", nullptr, MS_BIND, nullptr), 0);
    ASSERT_EQ(mount(nullptr, "d", nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr), 0);
    Answer([&] {
      EXPECT_FAILS_WITH(EROFS, chmod("d/f", 0600));
      EXPECT_FAILS_WITH(EROFS, truncate("d/f", 0));
    });
  });
}

// A container's files: the first change gives one of the image's files another inode below.
TEST_F(MountsTest, OfLayersAreRootsLikeOthers) {
  WithMounts([&] {
    MountMemory(outside + "/m");
    const std::string lower = outside + "/m/lower";
    const std::string layers = outside + "/m/layers";
    for (const std::string& path : {lower, layers, layers + "/upper", layers + "/work", outside + "/root"}) {
      ASSERT_EQ(mkdir(path.c_str(), 0755), 0);
    }
    for (const char* name : {"/f", "/g", "/h"}) MakeFile(lower + name);
    const std::string root = outside + "/root";
    const std::string options =
        "lowerdir=" + lower + ",upperdir=" + layers + "/upper,workdir=" + layers + "/work";
    if (mount("overlay", root.c_str(), "overlay", 0, options.c_str()) != 0) {
      return CannotTest(std::string("overlay: ") + strerror(errno));
    }
    Brokered({root}).Run([&] {
      ASSERT_EQ(chdir(root.c_str()), 0);
      const sys::UniqueFd file(open("g", O_RDONLY | O_CLOEXEC));
      const sys::UniqueFd deleted(open("h", O_RDWR | O_CLOEXEC));  // which copies it up
      ASSERT_EQ(unlink("h"), 0);
      EXPECT_EQ(chmod("f", 0600), 0);
      EXPECT_EQ(fchmod(file.get(), 0600), 0);
      EXPECT_EQ(fchmod(deleted.get(), 0600), 0);
      EXPECT_EQ(ModeOf("f"), 0600U);
      EXPECT_EQ(ModeOf("g"), 0600U);
      EXPECT_EQ(utimensat(AT_FDCWD, "f", nullptr, 0), 0);
      EXPECT_FAILS_WITH(EPERM, chmod((lower + "/f").c_str(), 0600));
      EXPECT_FAILS_WITH(EPERM, chmod((layers + "/upper/f").c_str(), 0640));
    });
  });
}

// Their paths begin at their own root, so they can have any.
TEST_F(MountsTest, ThatAreDetachedHaveNoPathBelowARoot) {
  WithMounts([&] {
    MountMemory(outside + "/m");
    const std::string same = outside + "/m" + workspace;
    std::string parent = outside + "/m";
    for (size_t end = 0; end != std::string::npos;) {
      end = workspace.find('/', end + 1);
      ASSERT_EQ(mkdir((parent + workspace.substr(0, end)).c_str(), 0755), 0);
    }
    MakeFile(same + "/f");
    MakeFile(same + "/g");
    const sys::UniqueFd file(open((same + "/f").c_str(), O_RDONLY | O_CLOEXEC));
    const sys::UniqueFd deleted(open((same + "/g").c_str(), O_RDONLY | O_CLOEXEC));
    const sys::UniqueFd root(open(same.c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(unlink((same + "/g").c_str()), 0);
    ASSERT_EQ(umount2((outside + "/m").c_str(), MNT_DETACH), 0);
    char path[4096] = {};
    ASSERT_GT(readlink(("/proc/self/fd/" + std::to_string(file.get())).c_str(), path, sizeof path - 1), 0);
    ASSERT_EQ(path, workspace + "/f");  // or this shows nothing
    Answer([&] {
      EXPECT_FAILS_WITH(EPERM, fchmod(file.get(), 0600));
      EXPECT_FAILS_WITH(EPERM, fchmod(deleted.get(), 0600));
      EXPECT_FAILS_WITH(EPERM, futimens(root.get(), nullptr));
    });
    EXPECT_EQ(ModeOf("f"), 0644U);
  });
}

// The very same file, by a way that may have other rights.
TEST_F(MountsTest, ThatAreDetachedDoNotLeadIntoARoot) {
  WithMounts([&] {
    if (StatusOf("/").st_dev != StatusOf(workspace).st_dev) {
      return CannotTest("temporary files are not on the root file system");
    }
    Bind("/", outside + "/m");
    const sys::UniqueFd file(open((outside + "/m" + workspace + "/f").c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(umount2((outside + "/m").c_str(), MNT_DETACH), 0);
    Answer([&] { EXPECT_FAILS_WITH(EPERM, fchmod(file.get(), 0600)); });
    EXPECT_EQ(ModeOf("f"), 0644U);
  });
}

TEST_F(MountsTest, OfAnotherNamespaceHaveNoPathBelowARoot) {
  WithMounts([&] {
    const sys::UniqueFd own(open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(unshare(CLONE_NEWNS), 0);
    ASSERT_EQ(mount("none", workspace.c_str(), "tmpfs", 0, nullptr), 0);
    MakeFile(workspace + "/f");
    MakeFile(workspace + "/g");
    const sys::UniqueFd file(open((workspace + "/f").c_str(), O_RDONLY | O_CLOEXEC));
    const sys::UniqueFd deleted(open((workspace + "/g").c_str(), O_RDONLY | O_CLOEXEC));
    const sys::UniqueFd root(open(workspace.c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(unlink((workspace + "/g").c_str()), 0);
    ASSERT_EQ(setns(own.get(), CLONE_NEWNS), 0);
    ASSERT_EQ(chdir(workspace.c_str()), 0);
    Answer([&] {
      EXPECT_FAILS_WITH(EPERM, fchmod(file.get(), 0600));
      EXPECT_FAILS_WITH(EPERM, fchmod(deleted.get(), 0600));
      EXPECT_FAILS_WITH(EPERM, futimens(root.get(), nullptr));
      EXPECT_FAILS_WITH(EPERM, syscall(SYS_fchmodat, root.get(), "f", 0600));
    });
    EXPECT_EQ(ModeOf("f"), 0644U);
  });
}

TEST_F(MountsTest, HideWhatIsBelowThem) {
  WithMounts([&] {
    ASSERT_EQ(mkdir("d", 0755), 0);
    MakeFile("d/f");
    const sys::UniqueFd hidden(open("d/f", O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(mount("none", "d", "tmpfs", 0, nullptr), 0);
    MakeFile("d/f");
    Answer([&] {
      EXPECT_FAILS_WITH(EPERM, fchmod(hidden.get(), 0600));
      EXPECT_EQ(ModeOf("d/f"), 0644U);
    });
  });
}

// The root itself is another directory then.
TEST_F(MountsTest, OverARootDoNotBelongToIt) {
  WithMounts([&] {
    Brokered brokered({workspace});
    ASSERT_EQ(mount("none", workspace.c_str(), "tmpfs", 0, nullptr), 0);
    MakeFile(workspace + "/f");
    brokered.Run([&] {
      EXPECT_FAILS_WITH(EPERM, chmod((workspace + "/f").c_str(), 0600));
      EXPECT_FAILS_WITH(EPERM, utimensat(AT_FDCWD, workspace.c_str(), nullptr, 0));
    });
  });
}

}  // namespace
}  // namespace bashward::test
