#include "process/saved_output.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/descriptors.h"
#include "support/loop.h"
#include "support/temporary_directory.h"

namespace bashward::process {
namespace {

using test::RunUntil;

class SavedOutputTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(loop_->Open(), 0);
    Save(1'000'000'000);
  }
  void Save(uint64_t limit) { saved_ = std::make_unique<SavedOutput>(*loop_, path_, limit); }
  void Append(const std::string& bytes) { saved_->Append(bytes.data(), bytes.size()); }
  SaveReport Close() {
    std::optional<SaveReport> result;
    saved_->Close([&](SaveReport report) { result = report; });
    RunUntil(*loop_, [&] { return result.has_value(); });
    return result.value_or(SaveReport{});
  }

  // Never destroyed, as in the engine: the thread of a file may still post to the loop.
  static std::shared_ptr<EventLoop>& Keep(std::shared_ptr<EventLoop> loop) {
    static auto* loops = new std::vector<std::shared_ptr<EventLoop>>;
    loops->push_back(std::move(loop));
    return loops->back();
  }

  test::TemporaryDirectory directory_;
  std::string path_ = directory_.File("output");
  std::shared_ptr<EventLoop> loop_ = Keep(std::make_shared<EventLoop>());
  std::unique_ptr<SavedOutput> saved_;
};

TEST_F(SavedOutputTest, IsWholeAndInOrder) {
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    expected += std::to_string(i) + "\n";
    Append(std::to_string(i) + "\n");
  }
  const SaveReport report = Close();
  EXPECT_TRUE(report.created);
  EXPECT_EQ(report.error, 0);
  EXPECT_EQ(report.bytes, expected.size());
  EXPECT_EQ(test::ReadFile(path_), expected);
}

TEST_F(SavedOutputTest, IsReadableByItsOwnerAlone) {
  Append("secret");
  Close();
  struct stat status{};
  ASSERT_EQ(stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(SavedOutputTest, IsNotCreatedForNothing) {
  const SaveReport report = Close();
  EXPECT_FALSE(report.created);
  EXPECT_EQ(report.error, 0);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(SavedOutputTest, EndsAtItsLimit) {
  Save(10);
  Append("1234567");
  Append("89abcdef");
  Append("more");
  const SaveReport report = Close();
  EXPECT_EQ(report.bytes, 10U);
  EXPECT_EQ(report.error, 0);
  EXPECT_EQ(test::ReadFile(path_), "123456789a");
}

TEST_F(SavedOutputTest, NeverReplacesAFile) {
  std::ofstream(path_) << "somebody else's";
  Append("mine");
  const SaveReport report = Close();
  EXPECT_FALSE(report.created);
  EXPECT_EQ(report.error, EEXIST);
  EXPECT_EQ(report.bytes, 0U);
  EXPECT_EQ(test::ReadFile(path_), "somebody else's");
}

TEST_F(SavedOutputTest, NeverFollowsALink) {
  const std::string target = directory_.File("target");
  ASSERT_EQ(symlink(target.c_str(), path_.c_str()), 0);
  Append("mine");
  EXPECT_FALSE(Close().created);
  EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(SavedOutputTest, IsInTheDirectoryThatWasThereAtTheStart) {
  const std::string place = directory_.File("place");
  const std::string other = directory_.File("other");
  std::filesystem::create_directory(place);
  std::filesystem::create_directory(other);
  path_ = place + "/output";
  Save(100);
  std::filesystem::rename(place, directory_.File("moved"));
  std::filesystem::create_directory_symlink(other, place);
  Append("mine");
  EXPECT_TRUE(Close().created);
  EXPECT_FALSE(std::filesystem::exists(other + "/output"));
  EXPECT_EQ(test::ReadFile(directory_.File("moved/output")), "mine");
}

TEST_F(SavedOutputTest, IsInNoDirectoryBehindALink) {
  const std::string other = directory_.File("other");
  std::filesystem::create_directory(other);
  std::filesystem::create_directory_symlink(other, directory_.File("place"));
  path_ = directory_.File("place/output");
  Save(100);
  Append("mine");
  EXPECT_EQ(Close().error, ENOTDIR);
  EXPECT_TRUE(std::filesystem::is_empty(other));
}

TEST_F(SavedOutputTest, SaysWhyItCouldNotBeCreated) {
  path_ = directory_.File("missing/output");
  Save(100);
  Append("lost");
  Append("lost too");
  const SaveReport report = Close();
  EXPECT_FALSE(report.created);
  EXPECT_EQ(report.error, ENOENT);
}

TEST_F(SavedOutputTest, IsCongestedUntilTheDiskHasCaughtUp) {
  int reliefs = 0;
  saved_->set_on_relief([&] { ++reliefs; });
  EXPECT_FALSE(saved_->congested());
  const std::string piece(1024 * 1024, 'p');
  for (int i = 0; i < 9; ++i) Append(piece);
  EXPECT_TRUE(saved_->congested());
  RunUntil(*loop_, [&] { return reliefs != 0; });
  EXPECT_FALSE(saved_->congested());
  EXPECT_EQ(Close().bytes, 9U * 1024 * 1024);
  EXPECT_EQ(reliefs, 1);
}

TEST_F(SavedOutputTest, CallsNobodyOnceItIsGone) {
  saved_->set_on_relief([] { FAIL() << "it is gone"; });
  const std::string piece(1024 * 1024, 'p');
  for (int i = 0; i < 9; ++i) Append(piece);
  saved_->Close([](SaveReport) { FAIL() << "it is gone"; });
  saved_.reset();
  // What was appended is still written, and nobody is told.
  RunUntil(*loop_, [&] {
    std::error_code missing;
    return std::filesystem::file_size(path_, missing) == 9U * 1024 * 1024;
  });
}

TEST_F(SavedOutputTest, LeavesNoDescriptorOpen) {
  const std::vector<int> before = test::OpenDescriptors();
  Append("some");
  Close();
  const std::vector<int> after = test::OpenDescriptors();
  // The thread of an earlier test may close its file only now.
  EXPECT_TRUE(std::includes(before.begin(), before.end(), after.begin(), after.end()));
}

}  // namespace
}  // namespace bashward::process
