#include "supervisor/waiting/other_readers.h"

#include <string.h>
#include <unistd.h>

#include "supervisor/waiting/descendant_list.h"
#include "supervisor/waiting/thread_look.h"

namespace bashward::supervisor {
namespace {

using Kind = ThreadLook::Kind;

constexpr uint64_t kMaxUs = 50'000;

bool Reads(Kind kind) {
  return kind == Kind::kReads || kind == Kind::kWatches || kind == Kind::kRelays;
}

void Name(pid_t pid, const ThreadStat& stat, OtherReader* other) {
  other->pid = pid;
  other->name_size = static_cast<uint32_t>(stat.name_size);
  memcpy(other->name, stat.name, sizeof other->name);
}

// What a thread of the job does. False at the first one that reads.
bool LookAtThreads(pid_t pid, const ReadTerminal& terminal, OtherReader* other) {
  ThreadStat main{};
  if (pid == terminal.reader || !ReadThreadStat(pid, pid, &main)) return true;
  LookBudget budget;
  const auto directory = util::ProcPath() << "/proc/" << pid << "/task";
  VisitNumbers(directory.c_str(), [&](int thread) {
    const ThreadLook look = LookAtThread(pid, main.started, thread, terminal.target, &budget);
    if (Reads(look.kind)) Name(pid, look.stat, other);
    return other->pid == 0 && budget.HasTime();
  });
  return other->pid == 0;
}

// Of a stranger it is enough that it has the terminal open. What its descriptors are is all that is asked:
// its memory, and the sets of an epoll, can be such that reading them takes for ever.
bool LookAtDescriptors(pid_t pid, const ReadTerminal& terminal, OtherReader* other) {
  ThreadStat stat{};
  LookBudget budget;
  const auto directory = util::ProcPath() << "/proc/" << pid << "/fd";
  VisitNumbers(directory.c_str(), [&](int fd) {
    const DescriptorLink link(pid, fd);
    if (link.is_terminal() && terminal.target.Is(pid, fd, link, 0) && ReadThreadStat(pid, pid, &stat)) {
      Name(pid, stat, other);
    }
    return other->pid == 0 && budget.TakeDescriptor();
  });
  return other->pid == 0;
}

bool IsDescendant(pid_t pid) {
  for (size_t i = 0; i < DescendantCount(); ++i) {
    if (Descendant(i) == pid) return true;
  }
  return false;
}

}  // namespace

OtherReader FindOtherReader(const ReadTerminal* terminals, size_t count) {
  OtherReader other{};
  other.looked = true;
  const LookBudget all;
  const auto self = static_cast<pid_t>(broker::kernel::Call(SYS_getpid));
  const auto look = [&](pid_t pid, bool (*look_at)(pid_t, const ReadTerminal&, OtherReader*)) {
    for (size_t i = 0; i < count; ++i) {
      if (!look_at(pid, terminals[i], &other)) return false;
    }
    return all.SpentUs() < kMaxUs;
  };
  for (size_t i = 0; i < DescendantCount(); ++i) {
    if (!look(Descendant(i), LookAtThreads)) return other;
  }
  VisitNumbers("/proc",
               [&](pid_t pid) { return pid == self || IsDescendant(pid) || look(pid, LookAtDescriptors); });
  return other;
}

}  // namespace bashward::supervisor
