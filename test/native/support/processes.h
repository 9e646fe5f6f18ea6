// Processes that a test starts, and what is left of them.
#ifndef BASHWARD_TEST_SUPPORT_PROCESSES_H_
#define BASHWARD_TEST_SUPPORT_PROCESSES_H_

#include <sys/types.h>

#include <string>
#include <vector>

namespace bashward::test {

// A running program; killed and reaped with this object.
class ChildProcess {
 public:
  // Returns when the program has been executed. `own_group`: as the leader of a process group of its own.
  explicit ChildProcess(const std::vector<std::string>& arguments, bool own_group = false);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  // The wait status, once it has ended. A failure, and -1, when it does not end in time.
  int Wait();

 private:
  pid_t pid_ = -1;
};

// From now on, processes below this one that lose their parent become its children, so none is missed.
void BecomeSubreaper();

// Whether this process has no child at all, dead ones that nobody has waited for included. Reaps none.
bool HasNoChildren();
// Waits until this process has no children, reaping what ends. False when some child goes on running.
bool ReapAllChildren();
// After a failure: kills and reaps every child of this process, and what thereby becomes one.
void KillAllChildren();

// Whether the process exists and has not ended.
bool IsRunning(pid_t pid);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_PROCESSES_H_
