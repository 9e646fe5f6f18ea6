#include "supervisor/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/capabilities.h"
#include "sandbox/probe.h"
#include "sandbox/resource_limits.h"
#include "supervisor/control.h"
#include "supervisor/hidden_arguments.h"
#include "supervisor/out_of_memory.h"
#include "supervisor/terminal/pty.h"
#include "sys/descriptors.h"
#include "sys/signals.h"
#include "sys/vfork.h"

namespace bashward::supervisor {
namespace {

using protocol::Step;

// MAX_ARG_STRLEN of execve(2): 32 pages of 4 KiB, the ending NUL included, on x86-64 and arm64.
constexpr size_t kMaxArgument = 32 * 4096;

// Where the shell finds a command that is no argument. The redirection closes it before the command runs,
// after the expansion has read it. The command's own text is not touched: quoting, here-documents and
// comments stay.
constexpr int kCommandFd = 3;
constexpr const char* kCommandPath = "/dev/fd/3";
char kEvalLongCommand[] = "\\builtin eval -- \"$(</dev/fd/3)\" 3<&-";
// Where nothing leads to a descriptor by its path, as in a chroot: three times as slow, and just as exact.
char kEvalReadCommand[] =
    "\\builtin eval -- \"$(\\builtin read -rd '' -u 3; \\builtin printf %s \"$REPLY\")\" 3<&-";

constexpr int kCommandArgument = 3;
constexpr int kNameArgument = 4;  // $0: as it is without

struct Child {
  const Request* request;
  char** arguments;  // the last is there when they are to be hidden
  int command_fd;    // -1: the command is an argument
  int prologue_fd;   // -1: no session
  pid_t supervisor;
  Job* job;                       // nullptr: a foreground command
  const sandbox::Policy* policy;  // nullptr: Unrestricted mode
  Confinement* confinement;       // nullptr: without writable roots
  int terminal;                   // -1: none
  // Written by the child.
  protocol::Failed failure;
  uint32_t confirmed;
  Tracing tracing;
};

int Fail(Child* child, Step step) {
  child->failure = {step, errno};
  return 127;
}

int PrologueDescriptor(const Child& child) {
  return static_cast<int>(child.request->header.prologue_descriptor);
}

// Before the limits: they may allow no descriptor as high as these.
bool PlaceSessionDescriptors(const Child& child) {
  if (child.prologue_fd < 0) return true;
  const int prologue = PrologueDescriptor(child);
  return dup2(protocol::kStateFd, prologue + 1) >= 0 && dup2(child.prologue_fd, prologue) >= 0;
}

// Beside stdin, stdout and stderr the shell gets only what belongs to a long command and to a session. The
// step that failed, with errno.
Step CloseOtherDescriptors(const Child& child) {
  int first = STDERR_FILENO + 1;
  if (child.command_fd >= 0) {
    if (dup2(child.command_fd, kCommandFd) < 0) return Step::kDup;
    first = kCommandFd + 1;
  }
  const bool session = child.prologue_fd >= 0;
  const int prologue = PrologueDescriptor(child);
  const bool closed = sys::CloseRange(first, session ? prologue - 1 : INT_MAX) &&
                      (!session || sys::CloseRange(prologue + 2, INT_MAX));
  return closed ? Step::kNone : Step::kCloseDescriptors;
}

// A description of its own: flags that a command sets on a shared one would show in other commands.
void OpenEmptyInput() {
  const int fd = open("/dev/null", O_RDONLY);
  if (fd < 0) return;  // the supervisor's has to do
  dup2(fd, STDIN_FILENO);
  if (fd != STDIN_FILENO) close(fd);
}

// The filter's listener is made in the descriptor table that this process still shares with its supervisor:
// sent through a socket it would count among the descriptors in flight of the user, of whom another process
// may have used up all (unix(7), ETOOMANYREFS).
bool InstallFilter(Child* child) {
  int listener = -1;
  if (!child->policy->InstallFilter(&child->failure, &listener)) return false;
  if (child->confinement == nullptr) return true;
  child->confinement->broker.Serve(listener);
  if (!sys::LeaveDescriptorTable()) {
    Fail(child, Step::kCloseDescriptors);
    return false;
  }
  // A probe executes nothing, which would close it. As long as it were open, calls would wait for a broker
  // that has ended.
  if ((child->request->header.flags & protocol::kProbe) != 0) close(listener);
  return true;
}

int Probe(Child* child) {
  const sandbox::WritableRoots* roots = child->confinement == nullptr ? nullptr : &child->confinement->roots;
  if (roots != nullptr && roots->size() == 0) roots = nullptr;
  child->confirmed = sandbox::AttemptRefused(child->request->command, child->supervisor, roots);
  return 0;
}

int ExecuteShell(void* argument) {
  auto* child = static_cast<Child*>(argument);
  const Request& request = *child->request;
  if (setsid() < 0) return Fail(child, Step::kSetsid);
  // A backup: nobody would watch a shell without its supervisor. The kernel clears this for the shell's own
  // children, so what the shell leaves behind on purpose lives on.
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != child->supervisor) _exit(127);
  // Before the filter, which refuses it.
  if (child->terminal >= 0 && !TakeControllingTerminal(child->terminal)) {
    return Fail(child, Step::kControllingTerminal);
  }
  if (chdir(request.directory) != 0) return Fail(child, Step::kChdir);
  if ((request.header.flags & protocol::kHasInput) == 0 && child->terminal < 0) OpenEmptyInput();
  if (!PlaceSessionDescriptors(*child)) return Fail(child, Step::kDup);
  // Before the shell can act, and before it may be limited: nothing runs that could not be found again.
  if (child->job != nullptr &&
      !child->job->Describe(child->supervisor, getpid(), getpid(), &child->failure)) {
    return 127;
  }
  if (child->confinement != nullptr) OfferToOutOfMemoryKiller();
  if (!sandbox::ApplyLimits(request.header)) return Fail(child, Step::kSetrlimit);
  if (child->policy != nullptr) {
    if (!child->policy->Enforce(&child->failure) || !InstallFilter(child)) return 127;
  } else if ((request.header.flags & protocol::kDropIntrospection) != 0 &&
             !sandbox::DropIntrospectionCapabilities()) {
    return Fail(child, Step::kCapset);
  }
  if ((request.header.flags & protocol::kProbe) != 0) return Probe(child);
  // The child does this, not the supervisor afterwards: the shell may begin by killing the supervisor, and
  // a host that has not heard of the shell cannot end what the shell leaves. A job is announced once it is
  // described.
  if ((request.header.flags & protocol::kBackground) == 0) {
    const protocol::Started started{getpid(), child->policy == nullptr ? 0 : child->policy->protections()};
    // With a descriptor of the shell, which stays its own when the number is given to another process.
    const int pidfd = sys::OpenPidfd(getpid());
    SendMessage(protocol::MessageType::kStarted, &started, sizeof started, pidfd);
  }
  if (child->terminal >= 0 && !TakeAsStreams(child->terminal)) return Fail(child, Step::kDup);
  const Step failed = CloseOtherDescriptors(*child);
  if (failed != Step::kNone) return Fail(child, failed);
  if (child->command_fd >= 0 && access(kCommandPath, R_OK) != 0) {
    child->arguments[kCommandArgument] = kEvalReadCommand;
  }
  if (child->arguments[kNameArgument] == nullptr) {
    sys::SetSignalMask(0);
  } else {
    AskToBeTraced(&child->tracing);
    if (child->tracing != Tracing::kGranted) child->arguments[kNameArgument] = nullptr;
  }
  execve(request.shell, child->arguments, request.environment);
  const int error = errno;
  sys::SetSignalMask(sys::kAllSignals);
  errno = error;
  return Fail(child, Step::kExecve);
}

// A text in a sealed memory file, positioned at its start; -1 with errno.
int MemoryFile(const char* name, const char* text, size_t length) {
  const int fd = memfd_create(name, MFD_ALLOW_SEALING | MFD_CLOEXEC);
  if (fd < 0) return -1;
  size_t written = 0;
  while (written < length) {
    const ssize_t count = write(fd, text + written, length - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    written += static_cast<size_t>(count);
  }
  if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0) return -1;
  return lseek(fd, 0, SEEK_SET) == 0 ? fd : -1;
}

pid_t Start(Child* child) {
  alignas(16) static char stack[sys::kVforkStackSize];
  child->tracing = Tracing::kNotAsked;
  return sys::Vfork(ExecuteShell, child, stack, nullptr, child->confinement == nullptr ? 0 : CLONE_FILES);
}

// Whether tracing kept the shell from starting. Nothing of the command has run then.
bool FailedTraced(const Child& child) {
  if (child.tracing == Tracing::kAsked) return true;
  // Some security modules refuse to trace a program that is to run with other rights.
  return child.tracing == Tracing::kGranted && child.failure.step == Step::kExecve &&
         (child.failure.error == EPERM || child.failure.error == EACCES);
}

}  // namespace

ShellStart StartShell(const Request& request, Job* job, const sandbox::Policy* policy,
                      Confinement* confinement, int terminal) {
  char name[] = "bash";
  char option[] = "-c";
  char end_of_options[] = "--";  // a command may begin with a minus or plus sign
  const bool is_long = request.command_length + 1 > kMaxArgument;
  const bool session = (request.header.flags & protocol::kSession) != 0;
  const bool probe = (request.header.flags & protocol::kProbe) != 0;
  const bool hide = !probe && !is_long && StaysBesidePrograms(request.command, request.environment) &&
                    MayBeTraced(request.shell);
  char* arguments[] = {
      name,   option, end_of_options, is_long ? kEvalLongCommand : request.command, hide ? name : nullptr,
      nullptr};
  Child child{&request, arguments,   -1,       -1, getpid(), job,
              policy,   confinement, terminal, {}, 0,        Tracing::kNotAsked};
  if (is_long) child.command_fd = MemoryFile("bashward-command", request.command, request.command_length);
  if (session) child.prologue_fd = MemoryFile("bashward-prologue", request.prologue, request.prologue_length);
  if ((is_long && child.command_fd < 0) || (session && child.prologue_fd < 0)) {
    return {0, {Step::kMemfdCreate, errno}, 0, 0};
  }
  pid_t pid = Start(&child);
  Hiding hiding{true, 0};
  if (pid > 0 && child.failure.step == Step::kNone && child.tracing == Tracing::kGranted) {
    hiding = HideArguments(pid);
  }
  if (pid > 0 && (FailedTraced(child) || !hiding.runs)) {
    wait4(pid, nullptr, __WALL, nullptr);
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    arguments[kNameArgument] = nullptr;
    child.failure = {};
    pid = Start(&child);
  }
  const int clone_error = errno;
  if (child.command_fd >= 0) close(child.command_fd);
  if (child.prologue_fd >= 0) close(child.prologue_fd);
  const protocol::Failed failure = pid < 0 ? protocol::Failed{Step::kClone, clone_error} : child.failure;
  const bool runs = failure.step == Step::kNone && !probe;
  // Reaped here: a host that is init or a subreaper itself would be left with it.
  if (!runs && pid > 0) wait4(pid, nullptr, __WALL, nullptr);
  return {failure.step == Step::kNone ? pid : 0, failure, child.confirmed, hiding.runs ? hiding.address : 0};
}

}  // namespace bashward::supervisor
