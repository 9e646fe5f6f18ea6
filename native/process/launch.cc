#include "process/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "process/sealed_program.h"
#include "sys/descriptors.h"
#include "sys/signals.h"
#include "sys/vfork.h"

namespace bashward::process {
namespace {

using protocol::Step;

struct Child {
  const char* path;
  bool has_program;  // the last descriptor is what is executed, and not inherited
  int fds[protocol::kMaxInheritedFds + 1];
  int fd_count;
  // Written by the child: its memory is ours until it executes.
  Step step = Step::kNone;
  int error = 0;
};

[[noreturn]] __attribute__((no_sanitize("address", "thread", "undefined"))) void Fail(Child* child) {
  child->error = errno;
  _exit(127);
}

// Runs in the child on the host's memory: system calls only. All signals stay blocked across execve, as the
// supervisor expects.
__attribute__((no_sanitize("address", "thread", "undefined"))) int ExecuteSupervisor(void* argument) {
  auto* child = static_cast<Child*>(argument);
  child->step = Step::kDup;
  if (sys::PlaceDescriptors(child->fds, child->fd_count) == 0) {
    child->step = Step::kCloseDescriptors;
    if (!sys::CloseRange(child->fd_count, INT_MAX)) Fail(child);
    child->step = Step::kExecveSupervisor;
    char name[] = "bashward-supervisor";
    char* const argv[] = {name, nullptr};
    char* const envp[] = {nullptr};
    if (child->has_program) {
      fcntl(child->fd_count - 1, F_SETFD, FD_CLOEXEC);
      syscall(SYS_execveat, child->fd_count - 1, "", argv, envp, AT_EMPTY_PATH);
    } else {
      execve(child->path, argv, envp);
    }
  }
  Fail(child);
}

LaunchFailure OpenPipe(sys::UniqueFd* read_end, sys::UniqueFd* write_end) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return {Step::kPipe, errno};
  read_end->reset(fds[0]);
  write_end->reset(fds[1]);
  return {};
}

// Some systems execute nothing but the files that they know. ENOENT: a script cannot be executed by a
// descriptor that its interpreter does not get (execveat(2)).
bool MayNotExecute(const LaunchFailure& failure) {
  return failure.step == Step::kExecveSupervisor && (failure.error == EACCES || failure.error == EPERM ||
                                                     failure.error == ENOSYS || failure.error == ENOENT);
}

// Waits for a child that could not execute. It does not matter if the host has reaped it, or ignores
// SIGCHLD.
void Reap(const Supervisor& child) {
  siginfo_t info{};
  while (waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(child.pidfd.get()), &info,
                WEXITED | __WALL) != 0 &&
         errno == EINTR) {
  }
}

}  // namespace

LaunchFailure Launcher::Launch(const LaunchOptions& options, Supervisor* out) {
  if (!copy_refused_ || IsSealed(options.path)) {
    const int copy = CopyOfProgram(options.path);
    if (copy >= 0) {
      const LaunchFailure failure = Start(options, copy, out);
      if (!MayNotExecute(failure) || IsSealed(options.path)) return failure;
      copy_refused_ = true;
      Reap(*out);
      *out = Supervisor();
    }
  }
  return Start(options, -1, out);
}

LaunchFailure Launcher::Start(const LaunchOptions& options, int program, Supervisor* out) {
  sys::UniqueFd write_end[2];
  const int streams = options.separate_streams ? 2 : 1;
  for (int i = 0; i < streams; ++i) {
    const LaunchFailure failure = OpenPipe(&out->output[i], &write_end[i]);
    if (failure.step != Step::kNone) return failure;
    // The flag belongs to the open file description: the supervisor's copy of the read end has it too.
    fcntl(out->output[i].get(), F_SETFL, O_RDONLY | O_NONBLOCK);
  }
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return {Step::kSocketpair, errno};
  out->control.reset(sockets[0]);
  const sys::UniqueFd supervisor_control(sockets[1]);

  if (options.session) {
    out->state.reset(memfd_create("bashward-state", MFD_CLOEXEC));
    if (!out->state.valid()) return {Step::kMemfdCreate, errno};
  }

  Child child{};
  child.path = options.path.c_str();
  // Unused descriptors are /dev/null: the numbers are fixed.
  for (int& fd : child.fds) fd = options.null_fd;
  if (options.input >= 0) child.fds[STDIN_FILENO] = options.input;
  child.fds[STDOUT_FILENO] = write_end[0].get();
  child.fds[STDERR_FILENO] = write_end[options.separate_streams ? 1 : 0].get();
  child.fds[protocol::kControlFd] = supervisor_control.get();
  for (int i = 0; i < streams; ++i) child.fds[protocol::kFirstOutputFd + i] = out->output[i].get();
  child.fd_count = protocol::kFirstOutputFd + streams;
  if (options.session) {
    child.fds[protocol::kStateFd] = out->state.get();
    child.fd_count = protocol::kStateFd + 1;
  }
  if (options.ruleset >= 0) {
    child.fds[protocol::kRulesetFd] = options.ruleset;
    child.fd_count = protocol::kRulesetFd + 1;
  }

  child.has_program = program >= 0;
  if (child.has_program) child.fds[child.fd_count++] = program;

  alignas(16) static char stack[sys::kVforkStackSize];
  int pidfd = -1;
  pid_t pid = -1;
  int clone_error = 0;
  {
    const sys::SignalBlock block;
    pid = sys::Vfork(ExecuteSupervisor, &child, stack, &pidfd);
    clone_error = errno;
  }
  if (pid < 0) return {Step::kClone, clone_error};
  out->pid = pid;
  out->pidfd.reset(pidfd);
  // A child that could not execute has ended; the caller reaps it by its pidfd like any other.
  if (child.error != 0) return {child.step, child.error};
  return {};
}

}  // namespace bashward::process
