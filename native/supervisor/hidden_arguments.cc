#include "supervisor/hidden_arguments.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/signals.h"
#include "sys/unique_fd.h"

namespace bashward::supervisor {
namespace {

using Word = uint64_t;

constexpr Word kArguments = 5;
constexpr size_t kNameLength = 4;  // of "bash"

bool Peek(pid_t pid, Word address, Word* value) {
  return syscall(SYS_ptrace, PTRACE_PEEKDATA, pid, address, value) == 0;
}

bool Poke(pid_t pid, Word address, Word value) {
  return syscall(SYS_ptrace, PTRACE_POKEDATA, pid, address, value) == 0;
}

// Where argc is before anything has run, and argv above it. 0 on failure.
Word StackPointer(pid_t pid) {
  user_regs_struct registers{};
  iovec area{&registers, sizeof registers};
  if (syscall(SYS_ptrace, PTRACE_GETREGSET, pid, NT_PRSTATUS, &area) != 0) return 0;
#if defined(__x86_64__)
  return registers.rsp;
#else
  return registers.sp;
#endif
}

uint64_t Edit(pid_t pid) {
  const Word stack = StackPointer(pid);
  const auto argument = [stack](Word index) { return stack + (1 + index) * sizeof(Word); };
  Word count = 0;
  Word first = 0;
  Word last = 0;
  Word text = 0;
  // Anything else: a file of 32 bits, or one that its own interpreter executes.
  if (stack == 0 || !Peek(pid, stack, &count) || count != kArguments || !Peek(pid, argument(0), &first) ||
      !Peek(pid, argument(kArguments - 1), &last) || !Peek(pid, last, &text)) {
    return 0;
  }
  char bytes[sizeof text];
  memcpy(bytes, &text, sizeof text);
  if (bytes[kNameLength] != '\0') return 0;
  bytes[kNameLength] = ' ';
  memcpy(&text, bytes, sizeof text);
  return Poke(pid, argument(kArguments - 1), first) && Poke(pid, last, text) ? first : 0;
}

bool IsOneOf(const char* characters, char c) {
  while (*characters != '\0' && *characters != c) ++characters;
  return *characters != '\0';
}

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         IsOneOf("_-./+:@,[", c);
}

bool IsSame(const char* word, const char* end, const char* other) {
  while (word != end && *word == *other) ++word, ++other;
  return word == end && *other == '\0';
}

bool HasPrefix(const char* text, const char* prefix) {
  while (*prefix != '\0' && *text == *prefix) ++text, ++prefix;
  return *prefix == '\0';
}

// Words that make bash itself run something else.
bool IsRunner(const char* word, const char* end) {
  static const char* const kRunners[] = {".",       "builtin",   "compgen", "coproc", "eval",
                                         "mapfile", "readarray", "source",  "time",   "trap"};
  for (const char* runner : kRunners) {
    if (IsSame(word, end, runner)) return true;
  }
  return false;
}

}  // namespace

bool StaysBesidePrograms(const char* command, const char* const* environment) {
  for (const char* const* entry = environment; *entry != nullptr; ++entry) {
    if (HasPrefix(*entry, "BASH_ENV=") || HasPrefix(*entry, "BASH_FUNC_")) return true;
  }
  while (*command == ' ') ++command;
  const char* end = command;
  while (IsWordCharacter(*end)) ++end;
  if ((*end != ' ' && *end != '\0') || IsRunner(command, end)) return true;
  while (*end != '\0' && !IsOneOf(";&|<>()$`\n!", *end)) ++end;
  return *end != '\0';
}

bool MayBeTraced(const char* path) {
  struct stat status{};
  if (fstatat(AT_FDCWD, path, &status, 0) != 0 || (status.st_mode & (S_ISUID | S_ISGID)) != 0) return false;
  if (syscall(SYS_getxattr, path, "security.capability", nullptr, 0) >= 0) return false;
  if (errno != ENODATA && errno != EOPNOTSUPP) return false;
  const sys::UniqueFd file(open(path, O_RDONLY | O_CLOEXEC));
  char start[2];
  return !file.valid() || read(file.get(), start, sizeof start) != sizeof start || start[0] != '#' ||
         start[1] != '!';
}

void AskToBeTraced(Tracing* tracing) {
  sys::SetSignalMask(sys::kAllSignals & ~sys::SignalSet(SIGTRAP));
  // If it does not survive that, let it leave no core file.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  *tracing = Tracing::kAsked;
  const bool granted = syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0) == 0;
  *tracing = granted ? Tracing::kGranted : Tracing::kRefused;
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
  if (!granted) sys::SetSignalMask(0);
}

Hiding HideArguments(pid_t pid) {
  for (;;) {
    siginfo_t info{};
    if (syscall(SYS_waitid, P_PID, pid, &info, WEXITED | WSTOPPED | WNOWAIT | __WALL, nullptr) != 0) {
      if (errno == EINTR) continue;
      return {true, 0};
    }
    if (info.si_code != CLD_TRAPPED && info.si_code != CLD_STOPPED) return {true, 0};
    int status = 0;
    if (wait4(pid, &status, __WALL, nullptr) != pid) continue;
    if (WSTOPSIG(status) == SIGTRAP) break;
    // A signal came first. The child gets it, and stops once more.
    syscall(SYS_ptrace, PTRACE_CONT, pid, 0, WSTOPSIG(status));
  }
  const uint64_t address = Edit(pid);
  constexpr sys::KernelSignalSet kNone = 0;
  const bool unblocked = syscall(SYS_ptrace, PTRACE_SETSIGMASK, pid, sizeof kNone, &kNone) == 0;
  if (!unblocked) syscall(SYS_kill, pid, SIGKILL);
  syscall(SYS_ptrace, PTRACE_DETACH, pid, 0, 0);
  return {unblocked, address};
}

}  // namespace bashward::supervisor
