// A process whose system calls are answered by the broker's code, as those of a command are.
#ifndef BASHWARD_TEST_BROKER_BROKERED_H_
#define BASHWARD_TEST_BROKER_BROKERED_H_

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "broker/denial_log.h"
#include "broker/notified.h"
#include "sandbox/writable_roots.h"
#include "support/temporary_directory.h"
#include "support/users.h"

namespace bashward::test {

class Brokered {
 public:
  explicit Brokered(const std::vector<std::string>& roots);

  // Runs `body` in a forked process, and answers for it until it has ended, and all that it has started. What
  // it expects fails here, too. The caller must be the only thread of its process.
  void Run(const std::function<void()>& body);

  // Called before each answer.
  std::function<void(pid_t caller)> before_answer;

  const broker::DenialLog& denials() const { return *denials_; }
  // "OPERATION TARGET" of each.
  std::vector<std::string> Denied() const { return TextsOf(*denials_); }

 private:
  void AnswerAll(int listener);

  std::string paths_;
  sandbox::WritableRoots roots_;
  std::unique_ptr<broker::DenialLog> denials_;
};

// A workspace and what is outside, as a user's.
class BrokerTest : public ::testing::TestWithParam<User> {
 protected:
  void SetUp() override;

  // Runs `body` in a forked process of the user that the test is for, which answers for others by Brokered.
  void AsUser(const std::function<void()>& body) const;
  // The same, and in one that has the workspace as its only root and its directory.
  void InWorkspace(const std::function<void()>& body) const;

  std::string In(const std::string& name) const { return workspace + "/" + name; }
  std::string Out(const std::string& name) const { return outside + "/" + name; }

  TemporaryDirectory directory;
  std::string workspace;
  std::string outside;
};

void MakeFile(const std::string& path, mode_t mode = 0644, const std::string& content = "");
// Of the file itself; a failure when there is none.
struct stat StatusOf(const std::string& path);
mode_t ModeOf(const std::string& path);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_BROKER_BROKERED_H_
