#include "supervisor/waiting/judge.h"

#include <string.h>

#include "supervisor/terminal/tty_calls.h"
#include "supervisor/waiting/descendant_list.h"
#include "supervisor/waiting/thread_look.h"

namespace bashward::supervisor {
namespace {

namespace kernel = broker::kernel;
using Kind = ThreadLook::Kind;
using protocol::Verdict;

// Terminals within terminals: tmux in script in ssh.
constexpr int kMaxLevels = 4;

template <typename Argument>
long Control(int fd, unsigned long request, Argument argument) {
  return kernel::Call(SYS_ioctl, fd, request, argument);
}

// What was found of those that were looked at, the best of each.
struct Findings {
  bool seen;  // a process of the group
  int rank;   // of `reader`; 0: none
  pid_t reader_pid;
  uint64_t reader_started;
  pid_t reader_thread;
  ThreadLook reader;
  bool running;
  pid_t running_pid;
  ThreadLook runner;
  pid_t hidden_pid;  // 0: none
  ThreadLook hidden;
  pid_t stopped_pid;
  ThreadLook stopped;
  pid_t behind_pid;  // stopped in the background
  ThreadLook behind;
  pid_t other_pid;
  ThreadLook other;
  InnerMaster inner;
};

int RankOf(Kind kind) {
  switch (kind) {
    case Kind::kReads:
      return 3;
    case Kind::kWatches:
      return 2;
    case Kind::kRelays:
      return 1;
    default:
      return 0;
  }
}

bool ExplainsNothing(Kind kind) {
  return kind == Kind::kEnded || kind == Kind::kChild || kind == Kind::kFutex;
}

void AddReader(pid_t pid, uint64_t started, pid_t thread, const ThreadLook& look, Findings* found) {
  const int rank = RankOf(look.kind);
  if (rank <= found->rank) return;
  found->rank = rank;
  found->reader_pid = pid;
  found->reader_started = started;
  found->reader_thread = thread;
  found->reader = look;
}

void AddThread(pid_t pid, uint64_t started, pid_t thread, const ThreadLook& look, Findings* found) {
  AddReader(pid, started, thread, look, found);
  if (look.inner.pid != 0) found->inner = look.inner;
  if (look.kind == Kind::kRunning && !found->running) {
    found->running = true;
    found->running_pid = pid;
    found->runner = look;
  } else if (look.kind == Kind::kHidden && found->hidden_pid == 0) {
    found->hidden_pid = pid;
    found->hidden = look;
  } else if (look.kind == Kind::kStopped) {
    found->stopped_pid = pid;
    found->stopped = look;
  } else if (found->other_pid == 0 && thread == pid && RankOf(look.kind) == 0 &&
             !ExplainsNothing(look.kind)) {
    found->other_pid = pid;
    found->other = look;
  }
}

template <typename Add>
void LookAtProcess(pid_t pid, uint64_t started, const TtyTarget& target, LookBudget* budget, Add add) {
  const auto directory = util::ProcPath() << "/proc/" << pid << "/task";
  VisitNumbers(directory.c_str(), [&](int thread) {
    add(thread, LookAtThread(pid, started, thread, target, budget));
    return budget->HasTime();
  });
}

// One that was stopped in the background. Of several, one that wants the terminal.
void AddBehind(pid_t pid, uint64_t started, const TtyTarget& target, LookBudget* budget, Findings* found) {
  if (found->behind.wants) return;
  const ThreadLook look = LookAtThread(pid, started, pid, target, budget);
  if (look.kind != Kind::kStopped) return;
  found->behind_pid = pid;
  found->behind = look;
}

// Those in the foreground.
void LookAtGroup(pid_t group, const TtyTarget& target, LookBudget* budget, Findings* found) {
  for (size_t i = 0; i < DescendantCount() && budget->HasTime(); ++i) {
    const pid_t pid = Descendant(i);
    ThreadStat stat{};
    if (!ReadThreadStat(pid, pid, &stat) || stat.state == 'Z') continue;
    if (stat.group != group) {
      if (stat.state == 'T') AddBehind(pid, stat.started, target, budget, found);
      continue;
    }
    found->seen = true;
    LookAtProcess(pid, stat.started, target, budget, [&](pid_t thread, const ThreadLook& look) {
      AddThread(pid, stat.started, thread, look, found);
    });
  }
}

// The others, who may read from it on behalf of one in the foreground: the server of tmux, a pinentry.
void LookAtOthers(pid_t group, const TtyTarget& target, LookBudget* budget, Findings* found) {
  for (size_t i = 0; i < DescendantCount() && budget->HasTime(); ++i) {
    const pid_t pid = Descendant(i);
    ThreadStat stat{};
    if (!ReadThreadStat(pid, pid, &stat) || stat.state == 'Z' || stat.group == group) continue;
    LookAtProcess(pid, stat.started, target, budget, [&](pid_t thread, const ThreadLook& look) {
      AddReader(pid, stat.started, thread, look, found);
    });
  }
}

void SetModes(int terminal, uint32_t* flags) {
  KernelTermios settings{};
  if (Control(terminal, TCGETS, &settings) != 0) return;
  *flags &= ~uint32_t{protocol::kEcho | protocol::kCooked};
  if ((settings.c_lflag & ECHO) != 0) *flags |= protocol::kEcho;
  if ((settings.c_lflag & ICANON) != 0) *flags |= protocol::kCooked;
}

// The terminal of a program within: its group in the foreground and its settings. False when it has none.
bool Enter(const InnerMaster& inner, pid_t* group, TtyTarget* target, uint32_t* flags) {
  const kernel::Descriptor master = CopyDescriptor(inner.pid, inner.started, inner.fd);
  uint32_t index = 0;
  if (!master.valid() || Control(master.get(), TIOCGPTN, &index) != 0) return false;
  const pid_t foreground = ForegroundGroup(master.get());
  if (foreground == 0) return false;
  SetModes(master.get(), flags);
  *flags |= protocol::kNested;
  *group = foreground;
  *target = TtyTarget::Within(index);
  return true;
}

void Name(pid_t pid, pid_t thread, const ThreadLook& look, Judgement* judgement) {
  judgement->pid = pid;
  judgement->thread = thread;
  judgement->call = look.call;
  judgement->name_size = static_cast<uint32_t>(look.stat.name_size);
  memcpy(judgement->name, look.stat.name, sizeof judgement->name);
  if (thread == pid) judgement->started = look.stat.started;
}

Verdict VerdictOfOther(Kind kind) {
  switch (kind) {
    case Kind::kSleep:
      return Verdict::kSleep;
    case Kind::kNetwork:
      return Verdict::kNetwork;
    case Kind::kLock:
      return Verdict::kLock;
    case Kind::kPipe:
      return Verdict::kPipe;
    case Kind::kListen:
      return Verdict::kListen;
    case Kind::kDisk:
      return Verdict::kDisk;
    default:
      return Verdict::kOther;
  }
}

// The foreground decides, unless it only waits for others, as a shell does for what it has started; or sleeps
// while one in the background wants the terminal: bash's wait(1) ends when a job is stopped, and the script
// goes on without its answer.
bool BehindCounts(const Findings& found) {
  if (found.behind_pid == 0 || found.hidden_pid != 0) return false;
  return found.other_pid == 0 || (found.other.kind == Kind::kSleep && found.behind.wants);
}

void Conclude(const Findings& found, Judgement* judgement) {
  const bool cooked = (judgement->flags & protocol::kCooked) != 0;
  const bool secret = cooked && (judgement->flags & protocol::kEcho) == 0;
  if (found.rank > 0) {
    Name(found.reader_pid, found.reader_thread, found.reader, judgement);
    judgement->started = found.reader_started;
    const Verdict waits = secret ? Verdict::kPassword : cooked ? Verdict::kLine : Verdict::kKeys;
    judgement->verdict = found.rank == 1 ? Verdict::kRelay : found.rank == 2 ? Verdict::kWatching : waits;
  } else if (found.running) {
    Name(found.running_pid, found.running_pid, found.runner, judgement);
    judgement->verdict = Verdict::kBusy;
  } else if (found.stopped_pid != 0) {
    Name(found.stopped_pid, found.stopped_pid, found.stopped, judgement);
    judgement->verdict = Verdict::kStopped;
  } else if (BehindCounts(found)) {
    Name(found.behind_pid, found.behind_pid, found.behind, judgement);
    judgement->verdict = Verdict::kStopped;
  } else if (found.hidden_pid != 0 || !found.seen) {
    judgement->hidden = true;
    if (found.hidden_pid != 0) Name(found.hidden_pid, found.hidden_pid, found.hidden, judgement);
    judgement->verdict = secret ? Verdict::kPassword : Verdict::kHidden;
  } else if (found.other_pid != 0) {
    Name(found.other_pid, found.other_pid, found.other, judgement);
    judgement->verdict = VerdictOfOther(found.other.kind);
    // Somebody has taken the terminal out of cooked mode, and nobody here reads it: a pinentry of a gpg-agent
    // that was there before the job.
    if (!cooked && judgement->verdict == Verdict::kNetwork) judgement->verdict = Verdict::kRelay;
  } else {
    judgement->verdict = Verdict::kOther;
  }
}

}  // namespace

bool DescribeTerminal(int master, int slave, pid_t shell, JudgedTerminal* terminal) {
  uint32_t index = 0;
  if (Control(master, TIOCGPTN, &index) != 0) return false;
  *terminal = {slave, static_cast<pid_t>(kernel::Call(SYS_getpid)), shell, TtyTarget::OfSlave(slave, index)};
  return true;
}

pid_t ForegroundGroup(int master) {
  int group = 0;
  return Control(master, TIOCGPGRP, &group) == 0 && group > 0 ? group : 0;
}

Judgement Judge(const JudgedTerminal& terminal, pid_t foreground, bool others) {
  Judgement judgement{};
  judgement.verdict = Verdict::kUnknown;
  LookBudget budget;
  SetModes(terminal.slave, &judgement.flags);
  int count = 0;
  if (Control(terminal.slave, FIONREAD, &count) == 0 && count > 0) {
    judgement.unread = static_cast<uint32_t>(count);
  }
  pid_t group = foreground > 0 ? foreground : terminal.shell;
  TtyTarget target = terminal.target;
  ReadTerminal levels[kMaxLevels] = {{target, 0}, {target, 0}, {target, 0}, {target, 0}};
  size_t level_count = 0;
  if (CollectDescendants(terminal.root, &budget)) {
    for (int level = 0; level < kMaxLevels; ++level) {
      Findings found{};
      LookAtGroup(group, target, &budget, &found);
      constexpr uint32_t kPlain = protocol::kEcho | protocol::kCooked;
      const bool plain = (judgement.flags & kPlain) == kPlain;
      if (found.rank == 0 && found.seen && found.hidden_pid == 0 && !plain) {
        LookAtOthers(group, target, &budget, &found);
      }
      const InnerMaster inner = found.rank == 1  ? found.reader.inner
                                : found.rank > 1 ? InnerMaster{0, -1, 0}
                                                 : found.inner;
      levels[level_count++] = {target, inner.pid != 0 ? inner.pid : found.reader_pid};
      if (inner.pid != 0 && Enter(inner, &group, &target, &judgement.flags)) continue;
      Conclude(found, &judgement);
      break;
    }
  }
  if (budget.is_exceeded()) judgement.verdict = Verdict::kUnknown;
  judgement.took_us = budget.SpentUs();
  if (others) judgement.other = FindOtherReader(levels, level_count);
  return judgement;
}

}  // namespace bashward::supervisor
