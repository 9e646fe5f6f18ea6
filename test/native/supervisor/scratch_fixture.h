// Scratch directories for the tests: as each user, in a directory of that user.
#ifndef BASHWARD_TEST_SUPERVISOR_SCRATCH_FIXTURE_H_
#define BASHWARD_TEST_SUPERVISOR_SCRATCH_FIXTURE_H_

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>

#include "supervisor/scratch.h"
#include "support/forked.h"
#include "support/temporary_directory.h"
#include "support/users.h"

namespace bashward::supervisor {

inline constexpr uint64_t kLimit = 1024 * 1024;
inline constexpr mode_t kMode = 0700;

inline mode_t ModeOf(const std::string& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

inline bool Exists(const std::string& path) {
  struct stat status{};
  return lstat(path.c_str(), &status) == 0;
}

// Makes a file that takes `size` bytes on the disk.
inline void Fill(const std::string& path, size_t size) {
  std::ofstream file(path, std::ios::binary);
  file << std::string(size, 'x');
  file.close();
  EXPECT_TRUE(file.good()) << path;
}

// Makes directories named "d", each in the one before, and leaves the process in the last.
inline void MakeDeepTree(const std::string& top, int depth) {
  ASSERT_EQ(chdir(top.c_str()), 0);
  for (int i = 0; i < depth; ++i) {
    ASSERT_EQ(mkdir("d", kMode), 0);
    ASSERT_EQ(chdir("d"), 0);
  }
}

// In a directory of the user's, beside a file and a directory that must stay.
class ScratchTest : public ::testing::TestWithParam<test::User> {
 protected:
  ScratchTest() {
    Fill(outside_file_, 10);
    mkdir(outside_.c_str(), kMode);
    Fill(outside_ + "/inside", 2 * kLimit);
    EXPECT_EQ(chmod(outside_file_.c_str(), 0640), 0);
    for (const std::string& path : {directory_.path(), outside_file_, outside_, outside_ + "/inside"}) {
      test::GiveTo(GetParam(), path);
    }
  }
  void TearDown() override {
    EXPECT_EQ(ModeOf(outside_file_), 0640U);
    EXPECT_EQ(ModeOf(outside_), kMode);
    EXPECT_TRUE(Exists(outside_ + "/inside"));
  }

  // Runs `body` with a scratch directory that was made.
  void WithScratch(const std::function<void(Scratch&)>& body) {
    test::InForkedProcess([&] {
      test::Become(GetParam());
      Scratch scratch(path_.c_str(), kLimit);
      ASSERT_TRUE(scratch.Make()) << "errno " << errno;
      body(scratch);
    });
  }

  std::string Path(const std::string& name) const { return path_ + "/" + name; }

  const test::TemporaryDirectory directory_;
  const std::string path_ = directory_.File("scratch");
  const std::string outside_file_ = directory_.File("outside");
  const std::string outside_ = directory_.File("outside.d");
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_TEST_SUPERVISOR_SCRATCH_FIXTURE_H_
