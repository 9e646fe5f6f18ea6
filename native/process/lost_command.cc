#include "process/lost_command.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/orphans.h"
#include "sys/process_stat.h"
#include "sys/procfs.h"
#include "sys/signals.h"
#include "sys/unique_fd.h"

namespace bashward::process {
namespace {

// Calls visit(pid) for each process that has one of the outputs open, but for this one.
template <typename Visit>
void ForEachHolder(const std::vector<int>& outputs, Visit visit) {
  if (!sys::ShowsOwnProcesses()) return;
  std::vector<sys::PipeName> names(outputs.size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!sys::ReadPipeName(getpid(), outputs[i], &names[i])) return;
  }
  sys::ForEachNumber("/proc", [&](pid_t pid) {
    bool holds = false;
    for (const sys::PipeName& name : names) holds = holds || (pid != getpid() && sys::HasOpen(pid, name));
    if (holds) visit(pid);
    return true;
  });
}

bool IsIn(pid_t session, pid_t pid) {
  sys::ProcessStat stat;
  return sys::ReadProcessStat(pid, &stat) && stat.session == session;
}

bool KillByPidfd(int pidfd, pid_t shell) {
  if (pidfd < 0) return false;
  if (sys::SignalPidfdGroup(pidfd, SIGKILL) == 0 || errno == ESRCH) return true;
  // An older kernel. The number is the shell's as long as nobody has waited for it.
  return sys::SignalPidfd(pidfd, 0) == 0 && sys::SignalGroup(shell, SIGKILL) == 0;
}

}  // namespace

void KillGroup(const LostCommand& command) {
  if (KillByPidfd(command.pidfd, command.shell)) return;
  ForEachHolder(command.outputs, [&](pid_t pid) {
    // The descriptor first: what is then read about the number is true of the process it refers to, or the
    // signal fails.
    const sys::UniqueFd holder(sys::OpenPidfd(pid));
    if (holder.valid() && IsIn(command.shell, pid)) sys::SignalPidfd(holder.get(), SIGKILL);
  });
}

bool ReapInherited(int pidfd, pid_t shell) {
  if (pidfd < 0 || !sys::InheritsOrphans()) return true;
  siginfo_t info{};
  const auto wait_for_shell = [&](int options) {
    return waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(pidfd), &info,
                  WEXITED | WNOHANG | __WALL | options);
  };
  // As long as nobody has waited for the shell, its number names its session: it comes last.
  if (wait_for_shell(WNOWAIT) != 0) return true;
  bool all_ended = info.si_pid != 0;
  if (all_ended && sys::ShowsOwnProcesses()) {
    sys::PidList children;
    sys::AppendChildren(getpid(), &children);
    for (size_t i = 0; i < children.size(); ++i) {
      if (children[i] == shell || !IsIn(shell, children[i])) continue;
      all_ended = waitpid(children[i], nullptr, WNOHANG | __WALL) != 0 && all_ended;
    }
  }
  if (all_ended) wait_for_shell(0);
  return all_ended;
}

std::vector<Survivor> ListHolders(const LostCommand& command) {
  std::vector<Survivor> holders;
  ForEachHolder(command.outputs, [&](pid_t pid) {
    char text[protocol::kMaxSurvivorCommand];
    const size_t length = sys::ReadCommandLine(pid, text, sizeof text);
    if (holders.size() < protocol::kMaxSurvivors) holders.push_back({pid, false, true, {text, length}});
  });
  return holders;
}

}  // namespace bashward::process
