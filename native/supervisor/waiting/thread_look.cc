#include "supervisor/waiting/thread_look.h"

#include <fcntl.h>
#include <string.h>

namespace bashward::supervisor {
namespace {

using Kind = ThreadLook::Kind;

Kind KindOfSet(const WaitedSet& set) {
  if (!set.known) return Kind::kHidden;
  const bool relays = set.sockets > 0 || set.listeners > 0 || set.inner.pid != 0;
  if (set.terminals > 0) return relays ? Kind::kRelays : set.limited ? Kind::kWatches : Kind::kReads;
  if (set.inner.pid != 0) return Kind::kOther;
  if (set.listeners > 0) return Kind::kListen;
  if (set.sockets > 0) return Kind::kNetwork;
  if (set.pipes > 0) return Kind::kPipe;
  return set.limited ? Kind::kSleep : Kind::kOther;
}

Kind KindOfRead(const WaitedSet& set) {
  if (set.terminals > 0) return Kind::kReads;
  if (set.inner.pid != 0) return Kind::kOther;
  return set.sockets > 0 || set.listeners > 0 ? Kind::kNetwork : Kind::kPipe;
}

bool Contains(const char* text, const char* part) {
  return strstr(text, part) != nullptr;
}

// The kernel's function that a thread waits in.
struct WaitChannel {
  char name[64];
};

WaitChannel ReadWaitChannel(pid_t pid, pid_t thread) {
  const auto path = util::ProcPath() << "/proc/" << pid << "/task/" << thread << "/wchan";
  WaitChannel channel;
  ReadProcText(path.c_str(), channel.name, sizeof channel.name);
  return channel;
}

bool InputIsTerminal(const Viewed& viewed) {
  return viewed.target.Is(viewed.pid, 0, DescriptorLink(viewed.pid, 0), viewed.controlling);
}

// What reads from the background is stopped in read(2), which it goes on with later (SIGTTIN); so is what
// sets the terminal from there, in ioctl(2), and what was stopped while it read.
bool WantsTerminal(const Viewed& viewed, pid_t thread) {
  const SystemCallLine line = ReadSystemCall(viewed.pid, thread);
  if (line.kind != SystemCallLine::Kind::kCall) return false;
  const WaitedCall call = CallOf(line.number);
  if (call != WaitedCall::kRead && call != WaitedCall::kWrite && line.number != SYS_ioctl) return false;
  const int fd = static_cast<int32_t>(line.arguments[0]);
  return viewed.target.Is(viewed.pid, fd, DescriptorLink(viewed.pid, fd), viewed.controlling);
}

// It is told about more programs than their system calls are: also where Yama or a container's profile
// refuses those. What polls may poll anything, so that says nothing.
Kind KindOfHidden(const Viewed& viewed, pid_t thread) {
  const WaitChannel channel = ReadWaitChannel(viewed.pid, thread);
  const bool reads = strcmp(channel.name, "n_tty_read") == 0 || strcmp(channel.name, "wait_woken") == 0;
  return reads && InputIsTerminal(viewed) ? Kind::kReads : Kind::kHidden;
}

// What it was called with is not told any more, only that it goes on.
Kind KindOfRestarted(const Viewed& viewed, pid_t thread) {
  const WaitChannel channel = ReadWaitChannel(viewed.pid, thread);
  const bool polls = Contains(channel.name, "poll") || Contains(channel.name, "select");
  return polls && InputIsTerminal(viewed) ? Kind::kWatches : Kind::kSleep;
}

Kind KindOfCall(const Viewed& viewed, pid_t thread, WaitedCall call, const uint64_t* arguments,
                LookBudget* budget, ThreadLook* look) {
  switch (call) {
    case WaitedCall::kPoll:
    case WaitedCall::kPpoll:
    case WaitedCall::kSelect:
    case WaitedCall::kPselect:
    case WaitedCall::kEpoll:
    case WaitedCall::kEpollWithStructure: {
      const WaitedSet set = ReadWaitedSet(viewed, call, arguments, budget);
      look->inner = set.inner;
      return KindOfSet(set);
    }
    case WaitedCall::kRead: {
      WaitedSet set{};
      AddToSet(viewed, static_cast<int32_t>(arguments[0]), budget, &set);
      look->inner = set.inner;
      return KindOfRead(set);
    }
    case WaitedCall::kWrite:
    case WaitedCall::kOpen:
      return Kind::kPipe;
    case WaitedCall::kReceive:
    case WaitedCall::kSend:
    case WaitedCall::kConnect:
      return Kind::kNetwork;
    case WaitedCall::kAccept:
      return Kind::kListen;
    case WaitedCall::kChild:
      return Kind::kChild;
    case WaitedCall::kSleep:
      return Kind::kSleep;
    case WaitedCall::kRestart:
      return KindOfRestarted(viewed, thread);
    case WaitedCall::kFutex:
      return Kind::kFutex;
    case WaitedCall::kLock:
      return Kind::kLock;
    case WaitedCall::kFcntl: {
      constexpr uint64_t kWaitForOwnLock = 38;  // F_OFD_SETLKW
      return arguments[1] == F_SETLKW || arguments[1] == kWaitForOwnLock ? Kind::kLock : Kind::kOther;
    }
    default:
      return Kind::kOther;
  }
}

}  // namespace

ThreadLook LookAtThread(pid_t pid, uint64_t started, pid_t thread, const TtyTarget& target,
                        LookBudget* budget) {
  ThreadLook look{};
  look.kind = Kind::kEnded;
  look.call = -1;
  if (!ReadThreadStat(pid, thread, &look.stat)) return look;
  const Viewed viewed{pid, started, look.stat.terminal, target};
  switch (look.stat.state) {
    case 'Z':
    case 'X':
      return look;
    case 'T':
      look.kind = Kind::kStopped;
      look.wants = WantsTerminal(viewed, thread);
      return look;
    case 'R':
      look.kind = Kind::kRunning;
      return look;
    default:
      break;
  }
  const SystemCallLine line = ReadSystemCall(pid, thread);
  switch (line.kind) {
    case SystemCallLine::Kind::kRunning:
    case SystemCallLine::Kind::kNone:
      look.kind = Kind::kRunning;
      return look;
    case SystemCallLine::Kind::kUnknown:
      look.kind = KindOfHidden(viewed, thread);
      return look;
    case SystemCallLine::Kind::kCall:
      break;
  }
  look.call = line.number;
  look.kind = KindOfCall(viewed, thread, CallOf(line.number), line.arguments, budget, &look);
  if (look.stat.state == 'D' && look.kind != Kind::kReads) look.kind = Kind::kDisk;
  return look;
}

}  // namespace bashward::supervisor
