#include "supervisor/waiting/judge.h"

#include <string.h>

#include "supervisor/terminal/tty_calls.h"
#include "supervisor/waiting/thread_look.h"
#include "sys/procfs.h"

namespace bashward::supervisor {
namespace {

namespace kernel = broker::kernel;
using Kind = ThreadLook::Kind;
using protocol::Verdict;

// Terminals within terminals: tmux in script in ssh.
constexpr int kMaxLevels = 4;
constexpr long kPidfdOpen = 434;
constexpr long kPidfdGetfd = 438;

// Static: there is one thread that looks.
sys::PidList pids;

template <typename Argument>
long Control(int fd, unsigned long request, Argument argument) {
  return kernel::Call(SYS_ioctl, fd, request, argument);
}

// Of all its threads. False where the kernel has no such files.
bool CollectChildren(pid_t pid) {
  const auto directory = util::ProcPath() << "/proc/" << pid << "/task";
  bool readable = true;
  return VisitNumbers(directory.c_str(),
                      [&](int thread) {
                        const auto path = util::ProcPath()
                                          << "/proc/" << pid << "/task/" << thread << "/children";
                        const kernel::Descriptor file = kernel::OpenOwn(path.c_str(), O_RDONLY);
                        // A thread may have ended meanwhile.
                        if (!file.valid()) return true;
                        char text[4096];
                        pid_t number = 0;
                        long count = 0;
                        while ((count = kernel::Call(SYS_read, file.get(), text, sizeof text)) > 0) {
                          for (long i = 0; i < count; ++i) {
                            if (util::IsDigit(text[i])) {
                              number = number * 10 + (text[i] - '0');
                            } else if (number != 0) {
                              readable = pids.Add(number) && readable;
                              number = 0;
                            }
                          }
                        }
                        return true;
                      }) &&
         readable;
}

bool CollectDescendants(pid_t root) {
  pids.Clear();
  if (!CollectChildren(root)) return false;
  for (size_t i = 0; i < pids.size(); ++i) CollectChildren(pids[i]);
  return true;
}

// What was found of those that were looked at, the best of each.
struct Findings {
  bool seen;  // a process of the group
  int rank;   // of `reader`; 0: none
  pid_t reader_pid;
  pid_t reader_thread;
  ThreadLook reader;
  bool running;
  pid_t running_pid;
  ThreadLook runner;
  pid_t hidden_pid;  // 0: none
  ThreadLook hidden;
  pid_t stopped_pid;
  ThreadLook stopped;
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

void AddReader(pid_t pid, pid_t thread, const ThreadLook& look, Findings* found) {
  const int rank = RankOf(look.kind);
  if (rank <= found->rank) return;
  found->rank = rank;
  found->reader_pid = pid;
  found->reader_thread = thread;
  found->reader = look;
}

void AddThread(pid_t pid, pid_t thread, const ThreadLook& look, Findings* found) {
  AddReader(pid, thread, look, found);
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
void LookAtProcess(pid_t pid, const TtyTarget& target, LookBudget* budget, Add add) {
  const auto directory = util::ProcPath() << "/proc/" << pid << "/task";
  VisitNumbers(directory.c_str(), [&](int thread) {
    add(thread, LookAtThread(pid, thread, target, budget));
    return budget->HasTime();
  });
}

// Those in the foreground.
void LookAtGroup(pid_t group, const TtyTarget& target, LookBudget* budget, Findings* found) {
  for (size_t i = 0; i < pids.size() && budget->HasTime(); ++i) {
    const pid_t pid = pids[i];
    ThreadStat stat{};
    if (!ReadThreadStat(pid, pid, &stat) || stat.state == 'Z') continue;
    if (stat.group != group) {
      if (stat.state == 'T') {
        found->stopped_pid = pid;
        found->stopped = {Kind::kStopped, stat, -1, {}};
      }
      continue;
    }
    found->seen = true;
    LookAtProcess(pid, target, budget,
                  [&](pid_t thread, const ThreadLook& look) { AddThread(pid, thread, look, found); });
  }
}

// The others, who may read from it on behalf of one in the foreground: the server of tmux, a pinentry.
void LookAtOthers(pid_t group, const TtyTarget& target, LookBudget* budget, Findings* found) {
  for (size_t i = 0; i < pids.size() && budget->HasTime(); ++i) {
    const pid_t pid = pids[i];
    ThreadStat stat{};
    if (!ReadThreadStat(pid, pid, &stat) || stat.state == 'Z' || stat.group == group) continue;
    LookAtProcess(pid, target, budget,
                  [&](pid_t thread, const ThreadLook& look) { AddReader(pid, thread, look, found); });
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
  const kernel::Descriptor pidfd(kernel::Call(kPidfdOpen, inner.pid, 0));
  if (!pidfd.valid()) return false;
  const kernel::Descriptor master(kernel::Call(kPidfdGetfd, pidfd.get(), inner.fd, 0));
  uint32_t index = 0;
  int foreground = 0;
  if (!master.valid() || Control(master.get(), TIOCGPTN, &index) != 0 ||
      Control(master.get(), TIOCGPGRP, &foreground) != 0 || foreground <= 0) {
    return false;
  }
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

void Conclude(const Findings& found, Judgement* judgement) {
  const bool cooked = (judgement->flags & protocol::kCooked) != 0;
  const bool secret = cooked && (judgement->flags & protocol::kEcho) == 0;
  if (found.rank > 0) {
    Name(found.reader_pid, found.reader_thread, found.reader, judgement);
    const Verdict waits = secret ? Verdict::kPassword : cooked ? Verdict::kLine : Verdict::kKeys;
    judgement->verdict = found.rank == 1 ? Verdict::kRelay : found.rank == 2 ? Verdict::kWatching : waits;
  } else if (found.stopped_pid != 0) {
    Name(found.stopped_pid, found.stopped_pid, found.stopped, judgement);
    judgement->verdict = Verdict::kStopped;
  } else if (found.running) {
    Name(found.running_pid, found.running_pid, found.runner, judgement);
    judgement->verdict = Verdict::kBusy;
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
  *terminal = {master, slave, static_cast<pid_t>(kernel::Call(SYS_getpid)), shell,
               TtyTarget::OfSlave(slave, index)};
  return true;
}

Judgement Judge(const JudgedTerminal& terminal) {
  Judgement judgement{};
  judgement.verdict = Verdict::kUnknown;
  LookBudget budget;
  SetModes(terminal.master, &judgement.flags);
  int count = 0;
  if (Control(terminal.slave, FIONREAD, &count) == 0 && count > 0) {
    judgement.unread = static_cast<uint32_t>(count);
  }
  int foreground = 0;
  pid_t group = terminal.shell;
  if (Control(terminal.master, TIOCGPGRP, &foreground) == 0 && foreground > 0) group = foreground;
  TtyTarget target = terminal.target;
  if (CollectDescendants(terminal.root)) {
    for (int level = 0; level < kMaxLevels; ++level) {
      Findings found{};
      LookAtGroup(group, target, &budget, &found);
      constexpr uint32_t kPlain = protocol::kEcho | protocol::kCooked;
      const bool plain = (judgement.flags & kPlain) == kPlain;
      if (found.rank == 0 && found.seen && found.hidden_pid == 0 && !plain) {
        LookAtOthers(group, target, &budget, &found);
      }
      const InnerMaster inner = found.rank == 1  ? found.reader.inner
                                : found.rank > 1 ? InnerMaster{0, -1}
                                                 : found.inner;
      if (inner.pid != 0 && Enter(inner, &group, &target, &judgement.flags)) continue;
      Conclude(found, &judgement);
      break;
    }
  }
  if (budget.is_exceeded()) judgement.verdict = Verdict::kUnknown;
  judgement.took_us = budget.SpentUs();
  return judgement;
}

}  // namespace bashward::supervisor
