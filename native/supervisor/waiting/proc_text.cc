#include "supervisor/waiting/proc_text.h"

#include <string.h>
#include <time.h>

namespace bashward::supervisor {
namespace {

namespace kernel = broker::kernel;

// Of the calling thread: on a loaded machine a look takes long without costing anything.
uint64_t SpentCpuUs() {
  timespec now{};
  kernel::Call(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000 + static_cast<uint64_t>(now.tv_nsec) / 1000;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Moves behind " 0x" and what follows.
bool TakeHex(const char** position, uint64_t* value) {
  const char* at = *position;
  if (at[0] != ' ' || at[1] != '0' || at[2] != 'x') return false;
  at += 3;
  if (HexDigit(*at) < 0) return false;
  *value = 0;
  for (int digit = HexDigit(*at); digit >= 0; digit = HexDigit(*++at)) {
    *value = *value << 4 | static_cast<uint64_t>(digit);
  }
  *position = at;
  return true;
}

bool BeginsWith(const char* text, const char* prefix) {
  while (*prefix != '\0') {
    if (*text++ != *prefix++) return false;
  }
  return true;
}

// The number that follows, behind blanks; 0: none.
uint64_t NumberBehind(const char* text) {
  while (*text == ' ' || *text == '\t') ++text;
  return util::TakeNumber(&text);
}

bool ReadInfo(const char* path, DescriptorInfo* info) {
  char text[1024];
  if (ReadProcText(path, text, sizeof text) == 0) return false;
  ParseDescriptorInfo(text, info);
  return true;
}

// 4 KiB, but on some Arm machines: madvise(2) takes none but addresses of pages.
uint64_t PageSize() {
  uint64_t size = 4096;
  while (size < 65'536 && kernel::Call(SYS_madvise, size, 0, 0) != 0) size *= 2;
  return size;
}

// Whether no page has to be read from a file.
bool IsInMemory(pid_t pid, uint64_t address, size_t size) {
  constexpr uint64_t kPresent = uint64_t{1} << 63;
  constexpr uint64_t kSwapped = uint64_t{1} << 62;
  const auto path = util::ProcPath() << "/proc/" << pid << "/pagemap";
  const kernel::Descriptor pages = kernel::OpenOwn(path.c_str(), O_RDONLY);
  // A kernel without it (CONFIG_PROC_PAGE_MONITOR).
  if (pages.error() == -ENOENT) return true;
  const uint64_t page_size = PageSize();
  const uint64_t first = address / page_size;
  const uint64_t last = (address + size - 1) / page_size;
  for (uint64_t page = first; page <= last; ++page) {
    uint64_t entry = 0;
    if (kernel::Call(SYS_pread64, pages.get(), &entry, sizeof entry, page * sizeof entry) != sizeof entry ||
        (entry & (kPresent | kSwapped)) == 0) {
      return false;
    }
  }
  return true;
}

}  // namespace

LookBudget::LookBudget() : begun_us_(SpentCpuUs()) {}

bool LookBudget::HasTime() {
  if (SpentUs() >= kTimeUs) exceeded_ = true;
  return !exceeded_;
}

uint64_t LookBudget::SpentUs() const {
  return SpentCpuUs() - begun_us_;
}

bool LookBudget::Take(size_t* left, size_t count) {
  if (count > *left) {
    exceeded_ = true;
    return false;
  }
  *left -= count;
  return HasTime();
}

size_t ReadProcText(const char* path, char* buffer, size_t size) {
  buffer[0] = '\0';
  const kernel::Descriptor file = kernel::OpenOwn(path, O_RDONLY);
  if (!file.valid()) return 0;
  size_t length = 0;
  while (length < size - 1) {
    const long count = kernel::Call(SYS_read, file.get(), buffer + length, size - 1 - length);
    if (count == -EINTR) continue;
    if (count <= 0) break;
    length += static_cast<size_t>(count);
  }
  buffer[length] = '\0';
  return length;
}

bool ParseThreadStat(const char* text, size_t size, ThreadStat* stat) {
  // "PID (NAME) STATE PPID PGRP SESSION TTY …". The name may hold anything; the last parenthesis ends it.
  size_t begin = 0;
  while (begin < size && text[begin] != '(') ++begin;
  size_t end = size;
  while (end > begin && text[end - 1] != ')') --end;
  if (end <= begin + 1 || size - end < 3) return false;
  size_t name = end - 1 - (begin + 1);
  if (name > ThreadStat::kMaxName) name = ThreadStat::kMaxName;
  memcpy(stat->name, text + begin + 1, name);
  stat->name[name] = '\0';
  stat->name_size = name;
  const char* position = text + end + 1;
  stat->state = *position++;
  int64_t fields[4] = {};  // parent, group, session, terminal
  for (int64_t& field : fields) {
    if (*position++ != ' ') return false;
    const bool negative = *position == '-';
    if (negative) ++position;
    if (!util::IsDigit(*position)) return false;
    field = static_cast<int64_t>(util::TakeNumber(&position));
    if (negative) field = -field;
  }
  stat->group = static_cast<pid_t>(fields[1]);
  stat->terminal = static_cast<uint32_t>(fields[3]);
  stat->started = 0;
  // From field 8 to field 22.
  for (int field = 8; field <= 22; ++field) {
    if (*position++ != ' ') return true;
    if (*position == '-') ++position;
    const uint64_t value = util::TakeNumber(&position);
    if (field == 22) stat->started = value;
  }
  return true;
}

bool ReadThreadStat(pid_t pid, pid_t thread, ThreadStat* stat) {
  const auto path = util::ProcPath() << "/proc/" << pid << "/task/" << thread << "/stat";
  char text[1024];
  const size_t size = ReadProcText(path.c_str(), text, sizeof text);
  return ParseThreadStat(text, size, stat);
}

SystemCallLine ParseSystemCall(const char* text) {
  SystemCallLine line{};
  if (BeginsWith(text, "running")) {
    line.kind = SystemCallLine::Kind::kRunning;
    return line;
  }
  if (BeginsWith(text, "-1 ")) {
    line.kind = SystemCallLine::Kind::kNone;
    return line;
  }
  if (!util::IsDigit(*text)) return line;
  line.number = static_cast<long>(util::TakeNumber(&text));
  for (uint64_t& argument : line.arguments) {
    if (!TakeHex(&text, &argument)) return line;
  }
  // The stack of a 32-bit program, whose calls have other numbers, is down there.
  uint64_t stack = 0;
  if (TakeHex(&text, &stack) && stack >> 32 != 0) line.kind = SystemCallLine::Kind::kCall;
  return line;
}

SystemCallLine ReadSystemCall(pid_t pid, pid_t thread) {
  const auto path = util::ProcPath() << "/proc/" << pid << "/task/" << thread << "/syscall";
  char text[256];
  ReadProcText(path.c_str(), text, sizeof text);
  return ParseSystemCall(text);
}

void ParseDescriptorInfo(const char* text, DescriptorInfo* info) {
  *info = {0, 0, -1};
  for (const char* line = text; *line != '\0';) {
    if (BeginsWith(line, "mnt_id:")) info->mount = NumberBehind(line + 7);
    if (BeginsWith(line, "ino:")) info->inode = NumberBehind(line + 4);
    if (BeginsWith(line, "tty-index:")) info->tty_index = static_cast<int>(NumberBehind(line + 10));
    while (*line != '\0' && *line != '\n') ++line;
    if (*line == '\n') ++line;
  }
}

bool ReadDescriptorInfo(pid_t pid, int fd, DescriptorInfo* info) {
  return ReadInfo((util::ProcPath() << "/proc/" << pid << "/fdinfo/" << fd).c_str(), info);
}

bool ReadOwnDescriptorInfo(int fd, DescriptorInfo* info) {
  return ReadInfo((util::ProcPath() << "/proc/thread-self/fdinfo/" << fd).c_str(), info);
}

uint64_t ReadDescriptorTableSize(pid_t pid) {
  const auto path = util::ProcPath() << "/proc/" << pid << "/status";
  char text[4096];
  ReadProcText(path.c_str(), text, sizeof text);
  for (const char* line = text; *line != '\0';) {
    if (BeginsWith(line, "FDSize:")) return NumberBehind(line + 7);
    while (*line != '\0' && *line != '\n') ++line;
    if (*line == '\n') ++line;
  }
  return 0;
}

bool ReadMemory(pid_t pid, uint64_t address, void* buffer, size_t size) {
  if (size == 0) return true;
  if (address >> 63 != 0 || address + size - 1 < address || !IsInMemory(pid, address, size)) return false;
  // Not process_vm_readv(2): it waits for the mappings in a way that SIGKILL does not end.
  const auto path = util::ProcPath() << "/proc/" << pid << "/mem";
  const kernel::Descriptor memory = kernel::OpenOwn(path.c_str(), O_RDONLY);
  return memory.valid() &&
         kernel::Call(SYS_pread64, memory.get(), buffer, size, address) == static_cast<long>(size);
}

}  // namespace bashward::supervisor
