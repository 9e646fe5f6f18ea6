// Unreadable paths under the names that other mounts give them.
#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include <string>

#include "sandbox/unreadable_fixture.h"

namespace bashward::sandbox {
namespace {

using test::Bind;
using test::MakeDirectory;
using test::WriteFile;

using UnreadableMountsTest = UnreadableTest;

TEST_F(UnreadableMountsTest, ASecondMountOfTheHomeShowsNothingOfIt) {
  WithHome([&] {
    Bind(home_, top_ + "/view");
    Without({home_ + "/.ssh"}, [&] {
      ExpectUnreadable(home_ + "/.ssh/id");
      ExpectUnreadable(top_ + "/view/.ssh/id");
      ExpectReadable(top_ + "/view/project/file");
      ExpectReadable(home_ + "/project/file");
    });
  });
}

TEST_F(UnreadableMountsTest, AHomeThatIsMountedInItselfShowsNothingOfIt) {
  WithHome([&] {
    Bind(top_, home_ + "/project/all");
    Without({home_ + "/.ssh"}, [&] {
      ExpectUnreadable(home_ + "/project/all/home/.ssh/id");
      ExpectReadable(home_ + "/project/all/beside");
      ExpectReadable(home_ + "/project/file");
    });
  });
}

TEST_F(UnreadableMountsTest, AMountOfTheDirectoryItselfOrOfAPartOfItIsUnreadable) {
  WithHome([&] {
    WriteFile(home_ + "/.ssh/keys/id", "secret");
    Bind(home_ + "/.ssh", top_ + "/a/whole");
    Bind(home_ + "/.ssh/keys", top_ + "/a/part");
    Bind(home_ + "/.ssh/id", top_ + "/a/file");
    WriteFile(top_ + "/a/beside", "text");
    Without({home_ + "/.ssh"}, [&] {
      ExpectUnreadable(top_ + "/a/whole/id");
      ExpectUnreadable(top_ + "/a/part/id");
      ExpectUnreadable(top_ + "/a/file");
      ExpectReadable(top_ + "/a/beside");
    });
  });
}

// As containers get their keys.
TEST_F(UnreadableMountsTest, WhatIsMountedThereIsUnreadableWhereItComesFrom) {
  WithHome([&] {
    WriteFile(top_ + "/vault/id", "secret");
    WriteFile(top_ + "/vault/inner", "secret");
    Bind(top_ + "/vault", home_ + "/.kube");
    MakeDirectory(home_ + "/.docker");
    Bind(top_ + "/beside", home_ + "/.docker/config");
    Without({home_ + "/.kube", home_ + "/.docker"}, [&] {
      ExpectUnreadable(home_ + "/.kube/id");
      ExpectUnreadable(top_ + "/vault/id");
      ExpectUnreadable(top_ + "/beside");
    });
  });
}

TEST_F(UnreadableMountsTest, WhatAMountHidesIsUnreadableWhereAnotherShowsIt) {
  WithHome([&] {
    Bind(home_, top_ + "/view", false);
    test::MountNew("tmpfs", home_ + "/.ssh");
    Without({home_ + "/.ssh"}, [&] { ExpectUnreadable(top_ + "/view/.ssh/id"); });
  });
}

// What containers hide by the null device, as /proc/kcore.
TEST_F(UnreadableMountsTest, AMountOfTheNullDeviceChangesNothingBesideIt) {
  WithHome([&] {
    Bind("/dev/null", home_ + "/project/masked");
    Without({}, [&] {
      EXPECT_GE(open((home_ + "/project/masked").c_str(), O_RDONLY), 0) << "errno " << errno;
      EXPECT_GE(open((home_ + "/project").c_str(), O_RDONLY), 0) << "errno " << errno;
    });
  });
}

TEST_F(UnreadableMountsTest, ASecondMountOfDevIsAsDev) {
  WithHome([&] {
    Bind("/dev", top_ + "/dev");
    Without({}, [&] {
      ExpectUnreadable("/dev/ptmx");
      ExpectUnreadable(top_ + "/dev/ptmx");
      EXPECT_GE(open((top_ + "/dev/null").c_str(), O_RDONLY), 0) << "errno " << errno;
      ExpectReadable(top_ + "/beside");
    });
  });
}

}  // namespace
}  // namespace bashward::sandbox
