// Unreadable paths in force: a forked process restricts itself, and the kernel answers.
#include "sandbox/reading_rules.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "sandbox/unreadable_fixture.h"
#include "support/wait.h"
#include "sys/unique_fd.h"

namespace bashward::sandbox {
namespace {

using test::Bind;
using test::WriteFile;

// The control of all that follow.
TEST_F(UnreadableTest, NothingIsUnreadableThatIsNotListed) {
  WithHome([&] {
    Bind(home_, top_ + "/view");
    Without({}, [&] {
      ExpectReadable(home_ + "/.ssh/id");
      ExpectReadable(home_ + "/.netrc");
      ExpectReadable(top_ + "/view/.ssh/id");
    });
  });
}

TEST_F(UnreadableTest, WhatIsInADirectoryCannotBeRead) {
  WithHome([&] { Without({home_ + "/.ssh"}, [&] { ExpectUnreadable(home_ + "/.ssh/id"); }); });
}

TEST_F(UnreadableTest, WhatIsBesideItCanBeReadAndExecuted) {
  WithHome([&] {
    Without({home_ + "/.ssh"}, [&] {
      ExpectReadable(home_ + "/.netrc");
      ExpectReadable(home_ + "/project/file");
      ExpectReadable(top_ + "/beside");
      EXPECT_EQ(access("/bin/sh", X_OK), 0);
      EXPECT_GE(open("/bin/sh", O_RDONLY), 0) << "errno " << errno;
    });
  });
}

// Mounted below the home: every question to it waits for a server that never answers.
class SilentFileSystem {
 public:
  explicit SilentFileSystem(const std::string& point) : device_(open("/dev/fuse", O_RDWR | O_CLOEXEC)) {
    test::MakeDirectory(point);
    const std::string options =
        "fd=" + std::to_string(device_.get()) + ",rootmode=40000,user_id=0,group_id=0";
    mounted_ = device_.valid() && mount("silent", point.c_str(), "fuse", 0, options.c_str()) == 0;
  }
  bool mounted() const { return mounted_; }
  void End() { device_.reset(); }

 private:
  sys::UniqueFd device_;
  bool mounted_ = false;
};

TEST_F(UnreadableTest, AFileSystemBesideItThatDoesNotAnswerHoldsUpNothing) {
  WithHome([&] {
    SilentFileSystem silent(home_ + "/remote");
    if (!silent.mounted()) return void(printf("no FUSE here: errno %d\n", errno));
    Without({home_ + "/.ssh"}, [&] {
      ExpectUnreadable(home_ + "/.ssh/id");
      ExpectReadable(home_ + "/project/file");
    });
    silent.End();
    Without({home_ + "/.ssh"}, [&] { ExpectReadable(home_ + "/project/file"); });
  });
}

TEST_F(UnreadableTest, NamesAreShownAsPromised) {
  WithHome([&] {
    Without({home_ + "/.ssh"}, [&] {
      EXPECT_GE(open((home_ + "/.ssh").c_str(), O_RDONLY | O_DIRECTORY), 0) << "errno " << errno;
    });
  });
}

// As root's /etc/shadow.
TEST_F(UnreadableTest, ASingleFileCannotBeRead) {
  WithHome([&] {
    Without({home_ + "/.netrc"}, [&] {
      ExpectUnreadable(home_ + "/.netrc");
      ExpectReadable(home_ + "/.ssh/id");
    });
  });
}

TEST_F(UnreadableTest, CannotBeReadByAnyOtherCallOrWayToIt) {
  WithHome([&] {
    WriteFile(home_ + "/.ssh/program", "#!/bin/sh\nexit 0\n");
    chmod((home_ + "/.ssh/program").c_str(), 0755);
    Without({home_ + "/.ssh"}, [&] {
      const std::string id = home_ + "/.ssh/id";
      ExpectUnreadable("/proc/self/root" + id);
      ASSERT_EQ(chdir((home_ + "/.ssh").c_str()), 0);
      ExpectUnreadable("id");
      ExpectUnreadable("/proc/self/cwd/id");
      const int directory = open(".", O_PATH | O_DIRECTORY);
      EXPECT_FAILS_WITH(EACCES, openat(directory, "id", O_RDONLY));
      const int path = open("id", O_PATH);
      ASSERT_GE(path, 0);
      ExpectUnreadable("/proc/self/fd/" + std::to_string(path));
      char* const none[] = {nullptr};
      EXPECT_FAILS_WITH(EACCES, execve("program", none, none));
      EXPECT_FAILS_WITH(EACCES, open("id", O_RDWR));
    });
  });
}

// Root keeps CAP_DAC_READ_SEARCH, which this takes; the filter refuses it besides.
TEST_F(UnreadableTest, CannotBeReadByItsHandle) {
  WithHome([&] {
    struct {
      file_handle header;
      char bytes[128];
    } handle{};
    handle.header.handle_bytes = sizeof handle.bytes;
    int mount_id = 0;
    const std::string id = home_ + "/.ssh/id";
    ASSERT_EQ(name_to_handle_at(AT_FDCWD, id.c_str(), &handle.header, &mount_id, 0), 0) << "errno " << errno;
    const int mount = open((home_ + "/project").c_str(), O_RDONLY | O_DIRECTORY);
    if (open_by_handle_at(mount, &handle.header, O_RDONLY) < 0 && errno == EPERM)
      return;  // not for this user
    Without({home_ + "/.ssh"},
            [&] { EXPECT_FAILS_WITH(EACCES, open_by_handle_at(mount, &handle.header, O_RDONLY)); });
  });
}

TEST_F(UnreadableTest, ALinkToItLeadsNowhere) {
  WithHome([&] {
    ASSERT_EQ(symlink((home_ + "/.ssh").c_str(), (top_ + "/link").c_str()), 0);
    Without({home_ + "/.ssh"}, [&] { ExpectUnreadable(top_ + "/link/id"); });
  });
}

TEST_F(UnreadableTest, APathThatIsALinkIsUnreadableUnderBothNames) {
  WithHome([&] {
    WriteFile(top_ + "/data/aws/credentials", "secret");
    WriteFile(top_ + "/data/other", "text");
    ASSERT_EQ(symlink((top_ + "/data/aws").c_str(), (home_ + "/.aws").c_str()), 0);
    Without({home_ + "/.aws"}, [&] {
      ExpectUnreadable(home_ + "/.aws/credentials");
      ExpectUnreadable(top_ + "/data/aws/credentials");
      ExpectReadable(top_ + "/data/other");
    });
  });
}

// Dotfiles that are kept in a repository.
TEST_F(UnreadableTest, WhatALinkInAnUnreadableDirectoryLeadsToIsUnreadable) {
  WithHome([&] {
    WriteFile(home_ + "/dotfiles/config", "secret");
    WriteFile(home_ + "/dotfiles/other", "text");
    ASSERT_EQ(symlink("../dotfiles/config", (home_ + "/.ssh/config").c_str()), 0);
    Without({home_ + "/.ssh"}, [&] {
      ExpectUnreadable(home_ + "/dotfiles/config");
      ExpectReadable(home_ + "/dotfiles/other");
    });
  });
}

TEST_F(UnreadableTest, AnotherNameOfAnUnreadableFileIsLeftOutBesideIt) {
  WithHome([&] {
    ASSERT_EQ(link((home_ + "/.netrc").c_str(), (home_ + "/second").c_str()), 0);
    Without({home_ + "/.netrc"}, [&] { ExpectUnreadable(home_ + "/second"); });
  });
}

TEST_F(UnreadableTest, PatternsStandForWhatIsThere) {
  WithHome([&] {
    WriteFile(top_ + "/tmp/krb5cc_0", "secret");
    WriteFile(top_ + "/tmp/krb5cc_1000_x", "secret");
    WriteFile(top_ + "/tmp/krb5", "text");
    Without({top_ + "/tmp/krb5cc_*", top_ + "/missing/*"}, [&] {
      ExpectUnreadable(top_ + "/tmp/krb5cc_0");
      ExpectUnreadable(top_ + "/tmp/krb5cc_1000_x");
      ExpectReadable(top_ + "/tmp/krb5");
    });
  });
}

TEST_F(UnreadableTest, StaysSoWhenSomebodyElseRenamesIt) {
  WithHome([&] {
    int restricted[2];
    ASSERT_EQ(pipe2(restricted, O_CLOEXEC), 0);
    const std::string renamed = home_ + "/renamed";
    const pid_t pid = test::Fork([&] {
      Without({home_ + "/.ssh"}, [&] {
        EXPECT_EQ(write(restricted[1], "", 1), 1);
        EXPECT_TRUE(test::WaitUntil([&] { return access(renamed.c_str(), F_OK) == 0; }));
        ExpectUnreadable(renamed + "/id");
      });
    });
    char byte = 0;
    EXPECT_EQ(read(restricted[0], &byte, 1), 1);
    EXPECT_EQ(rename((home_ + "/.ssh").c_str(), renamed.c_str()), 0) << "errno " << errno;
    test::Join(pid);
  });
}

TEST_F(UnreadableTest, CannotBeMovedOrLinkedToWhereItCouldBeRead) {
  WithHome([&] {
    test::InForkedProcess([&] {
      PathPolicy policy;
      policy.unreadable = {home_ + "/.ssh"};
      policy.scratch = home_ + "/project/scratch";  // something is writable: the ruleset is for reading
      RulesetStore store;
      const CommandRuleset made = store.For(policy);
      ASSERT_NE(made.fd, nullptr);
      Ruleset ruleset;
      ruleset.fd.reset(dup(made.fd->get()));
      ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
      ASSERT_TRUE(RestrictSelf(ruleset)) << "errno " << errno;
      const std::string to = home_ + "/project/id";
      // Nothing but the reading of it keeps this process from moving it.
      EXPECT_FAILS_WITH(EXDEV, rename((home_ + "/.ssh/id").c_str(), to.c_str()));
      EXPECT_FAILS_WITH(EXDEV, link((home_ + "/.ssh/id").c_str(), to.c_str()));
      EXPECT_EQ(rename((home_ + "/project/file").c_str(), (top_ + "/moved").c_str()), 0) << "errno " << errno;
    });
  });
}

}  // namespace
}  // namespace bashward::sandbox
