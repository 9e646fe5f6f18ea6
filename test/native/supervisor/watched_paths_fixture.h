// A directory with watched paths, and what becomes of them.
#ifndef BASHWARD_TEST_SUPERVISOR_WATCHED_PATHS_FIXTURE_H_
#define BASHWARD_TEST_SUPERVISOR_WATCHED_PATHS_FIXTURE_H_

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "sandbox/writable_roots.h"
#include "supervisor/watched_paths.h"
#include "support/temporary_directory.h"

namespace bashward::supervisor {

class WatchedPathsTest : public ::testing::Test {
 protected:
  using Paths = std::vector<std::string>;

  WatchedPathsTest() {
    char* const real = realpath(directory_.path().c_str(), nullptr);
    root_ = real;
    free(real);
  }

  std::string In(const std::string& path) const { return root_ + "/" + path; }

  // Makes the directories above it, too.
  void Write(const std::string& path, const std::string& content) const {
    std::filesystem::create_directories(std::filesystem::path(In(path)).parent_path());
    std::ofstream file(In(path), std::ios::binary);
    file << content;
    file.close();
    ASSERT_TRUE(file.good()) << path;
  }
  void MakeDirectory(const std::string& path) const { std::filesystem::create_directories(In(path)); }
  void Remove(const std::string& path) const { std::filesystem::remove_all(In(path)); }
  void Move(const std::string& from, const std::string& to) const {
    std::filesystem::rename(In(from), In(to));
  }
  void Link(const std::string& target, const std::string& path) const {
    std::filesystem::create_symlink(target, In(path));
  }
  // A repository without the rest of it.
  void MakeRepository(const std::string& path) const {
    Write(path + "/config", "[core]\n");
    Write(path + "/hooks/pre-commit.sample", "#!/bin/sh\n");
  }
  // What a `.git` is, under any name.
  void MakeGitDirectory(const std::string& path) const {
    MakeRepository(path);
    Write(path + "/HEAD", "ref: refs/heads/main\n");
    MakeDirectory(path + "/objects");
    MakeDirectory(path + "/refs");
  }

  void Record(const Paths& watched, const Paths& roots = {""}) {
    for (const std::string& root : roots) (root_list_ += root.empty() ? root_ : In(root)) += '\0';
    for (const std::string& path : watched) (watched_list_ += path) += '\0';
    ASSERT_TRUE(writable_.Open(root_list_.c_str(), static_cast<uint32_t>(roots.size())));
    paths_->Record(writable_, watched_list_.c_str(), static_cast<uint32_t>(watched.size()));
  }

  // What has changed, in order and without the root.
  Paths Changes() {
    Paths changes;
    paths_->Compare([&](const char* path, size_t length) {
      const std::string text(path, length);
      EXPECT_EQ(text.rfind(root_, 0), 0U) << text;
      changes.push_back(text == root_ ? "." : text.substr(root_.size() + 1));
    });
    std::sort(changes.begin(), changes.end());
    return changes;
  }

  uint32_t unwatched() const { return paths_->unwatched(); }

 private:
  test::TemporaryDirectory directory_;
  std::string root_;
  std::string root_list_;
  std::string watched_list_;
  sandbox::WritableRoots writable_;
  std::unique_ptr<WatchedPaths> paths_ = std::make_unique<WatchedPaths>();
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_TEST_SUPERVISOR_WATCHED_PATHS_FIXTURE_H_
