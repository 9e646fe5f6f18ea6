#include "supervisor/descendants.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "sys/process_stat.h"
#include "sys/procfs.h"
#include "sys/signals.h"
#include "sys/unique_fd.h"

namespace bashward::supervisor {
namespace {

// Static: too large for a stack, and there is nothing to allocate from.
sys::PidList pids;

// False when /proc does not show them.
bool CollectChildren() {
  pids.Clear();
  return sys::ShowsOwnProcesses() && sys::AppendChildren(getpid(), &pids);
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

// There are some, or the supervisor would have ended; this name at least says so.
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
  for (size_t i = 0; i < pids.size(); ++i) sys::AppendChildren(pids[i], &pids);
  return visible;
}

bool IsOurs(pid_t parent) {
  if (parent == getpid()) return true;
  for (size_t i = 0; i < pids.size(); ++i) {
    if (pids[i] == parent) return true;
  }
  return false;
}

bool IsGone(pid_t pid) {
  return sys::SignalProcess(pid, 0) != 0 && errno == ESRCH;
}

// A process that is not our own child may have been reaped since it was listed, and its number may have
// gone to another. The descriptor holds on to one process; that process's parent tells whether it is the
// one meant.
void SignalListed(pid_t pid, pid_t signalled_group, int signal) {
  const sys::UniqueFd pidfd(sys::OpenPidfd(pid));
  sys::ProcessStat stat;
  if (!sys::ReadProcessStat(pid, &stat) || !IsOurs(stat.parent)) return;
  if (stat.group == signalled_group) return;  // a second one would run its trap once more
  if (pidfd.valid()) {
    sys::SignalPidfd(pidfd.get(), signal);
  } else {
    sys::SignalProcess(pid, signal);  // no descriptor is left
  }
}

}  // namespace

Descendants ListDescendants() {
  const bool visible = CollectDescendants();
  return {pids, visible && pids.size() < sys::PidList::kCapacity};
}

void TerminateDescendants(pid_t shell_group) {
  CollectDescendants();
  constexpr int kSignals[] = {SIGTERM, SIGCONT};
  for (const int signal : kSignals) {
    // The group first: what leaves it meanwhile may get the signal twice, but none misses it.
    const pid_t signalled_group = sys::SignalGroup(shell_group, signal) == 0 ? shell_group : 0;
    for (size_t i = 0; i < pids.size(); ++i) SignalListed(pids[i], signalled_group, signal);
  }
}

void KillChildren(pid_t shell_group) {
  CollectChildren();
  sys::SignalGroup(shell_group, SIGKILL);
  RecentGroups signalled;
  for (size_t i = 0; i < pids.size(); ++i) {
    // A child's group consists of descendants only: groups do not reach beyond a session, and the first
    // session below us is the shell's.
    sys::ProcessStat stat;
    if (sys::ReadProcessStat(pids[i], &stat) && stat.group != getpgrp() && signalled.Add(stat.group)) {
      sys::SignalGroup(stat.group, SIGKILL);
    }
    sys::SignalProcess(pids[i], SIGKILL);
  }
}

void ListSurvivors(pid_t session, const sys::PipeName* outputs, int output_count, SurvivorList* list) {
  list->header = {};
  if (!CollectDescendants()) return AddUnseen(session, list);
  for (size_t i = 0; i < pids.size() && list->header.count < protocol::kMaxSurvivors; ++i) {
    sys::ProcessStat stat{};
    const bool known = sys::ReadProcessStat(pids[i], &stat);
    // It has ended, or cannot be looked at: no descriptor is left, or /proc hides what is another user's.
    if (known ? stat.state == 'Z' || stat.state == 'X' : IsGone(pids[i])) continue;
    protocol::Survivor& survivor = list->survivors[list->header.count++];
    survivor.pid = pids[i];
    survivor.holds_output = 0;
    for (int output = 0; output < output_count; ++output) {
      if (sys::HasOpen(pids[i], outputs[output])) survivor.holds_output = 1;
    }
    survivor.daemon = known && stat.session != session && survivor.holds_output == 0 ? 1 : 0;
    survivor.command_size =
        static_cast<uint32_t>(sys::ReadCommandLine(pids[i], survivor.command, sizeof survivor.command));
  }
}

}  // namespace bashward::supervisor
