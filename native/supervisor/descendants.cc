#include "supervisor/descendants.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "supervisor/procfs.h"
#include "sys/process_stat.h"
#include "sys/signals.h"

namespace bashward::supervisor {
namespace {

// Static: too large for a stack, and there is nothing to allocate from.
PidList pids;

// False when /proc does not show them.
bool CollectChildren() {
  pids.Clear();
  return ShowsOwnProcesses() && AppendChildren(getpid(), &pids);
}

// The process groups that were signalled last. Thousands of children may share one, and each signal looks at
// all of its members.
class RecentGroups {
 public:
  // False when it is one of them already.
  bool Add(pid_t group) {
    for (const pid_t known : groups_) {
      if (known == group) return false;
    }
    groups_[next_++ % kCapacity] = group;
    return true;
  }

 private:
  static constexpr size_t kCapacity = 64;
  pid_t groups_[kCapacity] = {};
  size_t next_ = 0;
};

// There are some, or the supervisor would have ended; under this name at least that is said.
void AddUnseen(pid_t group, SurvivorList* list) {
  static constexpr char kName[] = "[processes of this group that /proc does not show]";
  protocol::Survivor& survivor = list->survivors[0];
  survivor = {group, 0, 0, sizeof kName - 1, {}};
  memcpy(survivor.command, kName, sizeof kName);
  list->header.count = 1;
}

// Breadth first: the list is its own queue. A descendant that ends meanwhile is no failure.
bool CollectDescendants() {
  const bool visible = CollectChildren();
  for (size_t i = 0; i < pids.size(); ++i) AppendChildren(pids[i], &pids);
  return visible;
}

}  // namespace

void TerminateDescendants(pid_t shell_group) {
  CollectDescendants();
  sys::SignalGroup(shell_group, SIGTERM);
  for (size_t i = 0; i < pids.size(); ++i) sys::SignalProcess(pids[i], SIGTERM);
  sys::SignalGroup(shell_group, SIGCONT);
  for (size_t i = 0; i < pids.size(); ++i) sys::SignalProcess(pids[i], SIGCONT);
}

void KillChildren(pid_t shell_group) {
  CollectChildren();
  sys::SignalGroup(shell_group, SIGKILL);
  RecentGroups signalled;
  for (size_t i = 0; i < pids.size(); ++i) {
    // A group that a child of ours is in consists of descendants: groups end at sessions, and the first
    // session below us is the shell's.
    sys::ProcessStat stat;
    if (sys::ReadProcessStat(pids[i], &stat) && stat.group != getpgrp() && signalled.Add(stat.group)) {
      sys::SignalGroup(stat.group, SIGKILL);
    }
    sys::SignalProcess(pids[i], SIGKILL);
  }
}

void ListSurvivors(pid_t session, const PipeName* outputs, int output_count, SurvivorList* list) {
  list->header = {};
  if (!CollectDescendants()) return AddUnseen(session, list);
  for (size_t i = 0; i < pids.size() && list->header.count < protocol::kMaxSurvivors; ++i) {
    sys::ProcessStat stat;
    if (!sys::ReadProcessStat(pids[i], &stat) || stat.state == 'Z' || stat.state == 'X') continue;
    protocol::Survivor& survivor = list->survivors[list->header.count++];
    survivor.pid = pids[i];
    survivor.holds_output = 0;
    for (int output = 0; output < output_count; ++output) {
      if (HasOpen(pids[i], outputs[output])) survivor.holds_output = 1;
    }
    survivor.daemon = stat.session != session && survivor.holds_output == 0 ? 1 : 0;
    survivor.command_size =
        static_cast<uint32_t>(ReadCommandLine(pids[i], survivor.command, sizeof survivor.command));
  }
}

}  // namespace bashward::supervisor
