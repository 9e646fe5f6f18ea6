// A directory for one test; removed with its contents.
#ifndef BASHWARD_TEST_SUPPORT_TEMPORARY_DIRECTORY_H_
#define BASHWARD_TEST_SUPPORT_TEMPORARY_DIRECTORY_H_

#include <string>

namespace bashward::test {

class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }
  // Makes an executable file; its path.
  std::string Script(const std::string& text) const;

 private:
  std::string path_;
};

// The whole file; empty when it is not there.
std::string ReadFile(const std::string& path);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_TEMPORARY_DIRECTORY_H_
