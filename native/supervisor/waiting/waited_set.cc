#include "supervisor/waiting/waited_set.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

namespace bashward::supervisor {
namespace {

namespace kernel = broker::kernel;

constexpr short kPollIn = POLLIN | POLLPRI | POLLRDNORM | POLLRDBAND;
constexpr uint32_t kEpollIn = 0x1 | 0x2 | 0x40 | 0x80;
constexpr size_t kMaxEpolls = 32;
constexpr int kMaxDepth = 4;
constexpr long kPidfdOpen = 434;
constexpr long kPidfdGetfd = 438;

// Static: there is one thread that looks.
pollfd polled[LookBudget::kDescriptors];
char epoll_text[64 * 1024];

bool HasTime(pid_t pid, uint64_t address) {
  int64_t time[2];
  return address != 0 && ReadMemory(pid, address, time, sizeof time);
}

bool Contains(const char* text, const char* part) {
  return strstr(text, part) != nullptr;
}

// Whether a thread asks the files of an epoll whether they are ready, with its lock held, and does not come
// back from that: it has to be in one of the calls that do so, and not in the wait itself. Where the kernel
// does not tell in which of its functions (`0`), that is not known, and hardly ever the case.
bool AsksFiles(pid_t pid, pid_t thread) {
  const SystemCallLine line = ReadSystemCall(pid, thread);
  if (line.kind != SystemCallLine::Kind::kCall) return false;
  if (line.number == SYS_epoll_ctl) return true;
  const WaitedCall call = CallOf(line.number);
  if (call != WaitedCall::kEpoll && call != WaitedCall::kEpollWithStructure) return false;
  char function[64];
  const auto path = util::ProcPath() << "/proc/" << pid << "/task/" << thread << "/wchan";
  ReadProcText(path.c_str(), function, sizeof function);
  return function[0] > '9' && !Contains(function, "epoll") && !Contains(function, "ep_poll");
}

bool EpollsAreFree(pid_t pid, LookBudget* budget) {
  if (budget->epolls.pid != pid) {
    budget->epolls = {pid, true};
    const auto directory = util::ProcPath() << "/proc/" << pid << "/task";
    VisitNumbers(directory.c_str(), [&](int thread) {
      if (AsksFiles(pid, thread)) budget->epolls.free = false;
      return budget->epolls.free && budget->HasTime();
    });
  }
  return budget->epolls.free;
}

// A pair of sockets within a process is how its event loop is woken, and tells nothing.
void AddSocket(const Viewed& viewed, int fd, WaitedSet* set) {
  const kernel::Descriptor socket = CopyDescriptor(viewed.pid, viewed.started, fd);
  int listens = 0;
  socklen_t size = sizeof listens;
  if (!socket.valid() ||
      kernel::Call(SYS_getsockopt, socket.get(), SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0) {
    ++set->sockets;
    return;
  }
  if (listens != 0) {
    ++set->listeners;
    return;
  }
  ucred peer{};
  size = sizeof peer;
  const long known = kernel::Call(SYS_getsockopt, socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size);
  if (known != 0 || peer.pid != viewed.pid) ++set->sockets;
}

void AddFile(const Viewed& viewed, int fd, const DescriptorLink& link, WaitedSet* set) {
  if (viewed.target.Is(viewed.pid, fd, link, viewed.controlling)) {
    ++set->terminals;
    return;
  }
  DescriptorInfo info{};
  if (ReadDescriptorInfo(viewed.pid, fd, &info) && info.tty_index >= 0)
    set->inner = {viewed.pid, fd, viewed.started};
}

void AddLinked(const Viewed& viewed, int fd, const DescriptorLink& link, WaitedSet* set) {
  ++set->members;
  switch (link.kind()) {
    case DescriptorLink::Kind::kSocket:
      return AddSocket(viewed, fd, set);
    case DescriptorLink::Kind::kPipe:
      ++set->pipes;
      return;
    case DescriptorLink::Kind::kFile:
      return AddFile(viewed, fd, link, set);
    default:
      return;
  }
}

void AddPolled(const Viewed& viewed, uint64_t address, uint64_t count, LookBudget* budget, WaitedSet* set) {
  if (count > LookBudget::kDescriptors) return budget->Exceed();
  set->known = count == 0 || ReadMemory(viewed.pid, address, polled, count * sizeof *polled);
  for (uint64_t i = 0; set->known && i < count; ++i) {
    if (polled[i].fd >= 0 && (polled[i].events & kPollIn) != 0) AddToSet(viewed, polled[i].fd, budget, set);
  }
}

void AddSelected(const Viewed& viewed, uint64_t address, int count, LookBudget* budget, WaitedSet* set) {
  constexpr int kBits = 64;
  uint64_t words[LookBudget::kDescriptors / kBits] = {};
  constexpr int kMost = static_cast<int>(LookBudget::kDescriptors);
  // The kernel looks no further than the table of descriptors reaches, nor does the program's set: some ask
  // for all that they could ever have.
  if (count > kMost) {
    const uint64_t table = ReadDescriptorTableSize(viewed.pid);
    if (table == 0 || table > LookBudget::kDescriptors) return budget->Exceed();
    count = static_cast<int>(table);
  }
  if (count < 0) count = 0;
  const size_t size = static_cast<size_t>((count + kBits - 1) / kBits) * sizeof *words;
  set->known = address == 0 || size == 0 || ReadMemory(viewed.pid, address, words, size);
  if (address == 0 || !set->known) return;
  for (int fd = 0; fd < count; ++fd) {
    if ((words[fd / kBits] >> (fd % kBits) & 1) != 0) AddToSet(viewed, fd, budget, set);
  }
}

// A list of epoll descriptors that are to be read, each once.
class Epolls {
 public:
  // False when there are more of them, or deeper ones, than are looked at.
  bool Add(int fd, int depth) {
    for (size_t i = 0; i < count_; ++i) {
      if (entries_[i].fd == fd) return true;
    }
    if (count_ == kMaxEpolls || depth == kMaxDepth) return false;
    entries_[count_++] = {fd, depth};
    return true;
  }
  bool Next(int* fd, int* depth) {
    if (next_ == count_) return false;
    *fd = entries_[next_].fd;
    *depth = entries_[next_++].depth;
    return true;
  }

 private:
  struct Entry {
    int fd;
    int depth;
  };
  Entry entries_[kMaxEpolls];
  size_t count_ = 0;
  size_t next_ = 0;
};

bool BeginsWith(const char* text, const char* prefix) {
  while (*prefix != '\0') {
    if (*text++ != *prefix++) return false;
  }
  return true;
}

uint32_t TakeHex(const char* text) {
  uint32_t value = 0;
  for (;; ++text) {
    uint32_t digit = 0;
    if (util::IsDigit(*text)) {
      digit = static_cast<uint32_t>(*text - '0');
    } else if (*text >= 'a' && *text <= 'f') {
      digit = static_cast<uint32_t>(*text - 'a' + 10);
    } else {
      return value;
    }
    value = value << 4 | digit;
  }
}

// A line such as "tfd:        0 events:       19 data: …": decimal, hexadecimal.
bool TakeEntry(const char* line, int* fd, uint32_t* events) {
  if (!BeginsWith(line, "tfd:")) return false;
  line += 4;
  while (*line == ' ') ++line;
  if (!util::IsDigit(*line)) return false;
  *fd = static_cast<int>(util::TakeNumber(&line));
  while (*line == ' ') ++line;
  if (!BeginsWith(line, "events:")) return false;
  line += 7;
  while (*line == ' ') ++line;
  *events = TakeHex(line);
  return true;
}

void AddEntries(const Viewed& viewed, const char* text, int depth, Epolls* epolls, LookBudget* budget,
                WaitedSet* set) {
  for (const char* line = text; *line != '\0';) {
    int fd = 0;
    uint32_t events = 0;
    if (TakeEntry(line, &fd, &events) && (events & kEpollIn) != 0) {
      if (!budget->TakeDescriptor()) return;
      const DescriptorLink link(viewed.pid, fd);
      if (link.kind() == DescriptorLink::Kind::kEpoll) {
        if (!epolls->Add(fd, depth + 1)) return budget->Exceed();
      } else {
        AddLinked(viewed, fd, link, set);
      }
    }
    while (*line != '\0' && *line != '\n') ++line;
    if (*line == '\n') ++line;
  }
}

void AddEpoll(const Viewed& viewed, int epoll, LookBudget* budget, WaitedSet* set) {
  if (!EpollsAreFree(viewed.pid, budget)) return budget->Exceed();
  Epolls epolls;
  epolls.Add(epoll, 0);
  int fd = 0;
  int depth = 0;
  while (!budget->is_exceeded() && epolls.Next(&fd, &depth)) {
    const auto path = util::ProcPath() << "/proc/" << viewed.pid << "/fdinfo/" << fd;
    const size_t size = ReadProcText(path.c_str(), epoll_text, sizeof epoll_text);
    if (size == 0) continue;
    set->known = true;
    // One that does not fit is read in part, and that is not enough to tell.
    if (!budget->TakeBytes(size + 1 == sizeof epoll_text ? LookBudget::kBytes : size)) return;
    AddEntries(viewed, epoll_text, depth, &epolls, budget, set);
  }
}

bool IsLimited(pid_t pid, WaitedCall call, const uint64_t* arguments) {
  switch (call) {
    case WaitedCall::kPoll:
      return static_cast<int32_t>(arguments[2]) >= 0;
    case WaitedCall::kPpoll:
      return HasTime(pid, arguments[2]);
    case WaitedCall::kSelect:
    case WaitedCall::kPselect:
      return HasTime(pid, arguments[4]);
    case WaitedCall::kEpoll:
      return static_cast<int32_t>(arguments[3]) >= 0;
    default:
      return HasTime(pid, arguments[3]);
  }
}

}  // namespace

kernel::Descriptor CopyDescriptor(pid_t pid, uint64_t started, int fd) {
  const kernel::Descriptor pidfd(kernel::Call(kPidfdOpen, pid, 0));
  if (!pidfd.valid()) return kernel::Descriptor(pidfd.error());
  ThreadStat stat{};
  if (!ReadThreadStat(pid, pid, &stat) || stat.started != started) return kernel::Descriptor(-ESRCH);
  return kernel::Descriptor(kernel::Call(kPidfdGetfd, pidfd.get(), fd, 0));
}

void AddToSet(const Viewed& viewed, int fd, LookBudget* budget, WaitedSet* set) {
  if (!budget->TakeDescriptor()) return;
  const DescriptorLink link(viewed.pid, fd);
  if (link.kind() == DescriptorLink::Kind::kEpoll) {
    ++set->members;
    return AddEpoll(viewed, fd, budget, set);
  }
  AddLinked(viewed, fd, link, set);
}

WaitedSet ReadWaitedSet(const Viewed& viewed, WaitedCall call, const uint64_t* arguments,
                        LookBudget* budget) {
  WaitedSet set{};
  set.limited = IsLimited(viewed.pid, call, arguments);
  if (call == WaitedCall::kPoll || call == WaitedCall::kPpoll) {
    AddPolled(viewed, arguments[0], arguments[1], budget, &set);
  } else if (call == WaitedCall::kSelect || call == WaitedCall::kPselect) {
    AddSelected(viewed, arguments[1], static_cast<int32_t>(arguments[0]), budget, &set);
  } else {
    AddEpoll(viewed, static_cast<int32_t>(arguments[0]), budget, &set);
  }
  return set;
}

}  // namespace bashward::supervisor
