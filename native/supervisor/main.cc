// bashward-supervisor: watches over one command, so that no process of it gets away.
//
// Started by the host with the descriptors of process/control_protocol.h, an empty environment and every
// signal blocked. It has no options and is of no use by itself.
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <new>

#include "process/control_protocol.h"
#include "sandbox/policy.h"
#include "supervisor/call_mark.h"
#include "supervisor/confinement.h"
#include "supervisor/control.h"
#include "supervisor/request.h"
#include "supervisor/scratch.h"
#include "supervisor/shell.h"
#include "supervisor/supervision.h"
#include "supervisor/terminal/terminal.h"
#include "supervisor/wake_timer.h"
#include "sys/signals.h"

namespace {

using namespace bashward;
using protocol::MessageType;
using protocol::Step;

int ReportFailure(const protocol::Failed& failure) {
  supervisor::SendMessage(MessageType::kFailed, &failure, sizeof failure);
  return 1;
}

sandbox::GivenFiles FilesFor(uint32_t flags, const supervisor::Scratch& scratch,
                             const supervisor::Confinement* confinement, const supervisor::Pty& pty) {
  sandbox::GivenFiles given;
  given.terminal = pty.slave.get();
  given.scratch = scratch.fd();
  if (confinement != nullptr) given.roots = &confinement->roots;
  given.brokered = confinement != nullptr;
  given.opens_devices = (flags & protocol::kOpensDevices) != 0;
  given.shared_memory = (flags & protocol::kSharedMemory) != 0;
  if ((flags & protocol::kHasRuleset) != 0) given.ruleset = protocol::kRulesetFd;
  given.owns_ruleset = (flags & protocol::kOwnRuleset) != 0;
  return given;
}

// Not on the stack, for which the host may have set a small limit. Never destroyed: its thread is using it.
supervisor::Confinement* MakeConfinement() {
  alignas(supervisor::Confinement) static char memory[sizeof(supervisor::Confinement)];
  return new (memory) supervisor::Confinement;
}

// In memory of its own, which only a job with a terminal takes. Never unmapped: its thread is using it. Null
// with errno.
supervisor::Terminal* MakeTerminal(const supervisor::Pty& pty, supervisor::Job& job) {
  void* memory =
      mmap(nullptr, sizeof(supervisor::Terminal), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) supervisor::Terminal(pty, job);
}

int Supervise() {
  // A session of its own: the terminal's Ctrl-C and a kill of the host's group do not reach it.
  setsid();
  // It may live long, and should not keep a mount of the host busy.
  const bool moved = chdir("/") == 0;
  static_cast<void>(moved);
  // Executed from memory, its name would be the number of a descriptor.
  prctl(PR_SET_NAME, "bashward-superv", 0, 0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  // The end of the host is the end of the control stream. A command may have stopped its supervisor: this
  // wakes it.
  prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0);
  sys::SetSignalMask(sys::kAllSignals);
  sys::ResetSignalDispositions();

  supervisor::Request request{};
  if (!supervisor::ReceiveRequest(&request)) {
    return ReportFailure({Step::kProtocol, errno});
  }
  const uint32_t flags = request.header.flags;
  const bool background = (flags & protocol::kBackground) != 0;
  const bool confined = (flags & protocol::kConfined) != 0;
  protocol::Failed failure{};
  supervisor::Scratch scratch(request.scratch, request.header.scratch_limit);
  if (!scratch.Make()) return ReportFailure({Step::kMakeScratch, errno});
  const auto fail = [&scratch](const protocol::Failed& reason) {
    scratch.Remove();
    return ReportFailure(reason);
  };
  supervisor::Confinement* const confinement = NeedsConfinement(request) ? MakeConfinement() : nullptr;
  if (confinement != nullptr && !confinement->Open(request, &failure)) return fail(failure);
  const bool has_terminal = (flags & protocol::kTerminal) != 0;
  supervisor::Pty pty;
  if (has_terminal && !OpenPty({request.header.rows, request.header.columns}, &pty, &failure)) {
    return fail(failure);
  }
  sandbox::Policy policy;
  if (confined && !policy.Prepare(FilesFor(flags, scratch, confinement, pty), &failure)) return fail(failure);
  // After the policy has confined this process: the broker's thread is to be confined like it.
  if (confinement != nullptr && !confinement->Begin(request, scratch, &failure)) return fail(failure);
  supervisor::Job job(request.job_directory, request.job_description, request.header.job_output_limit);
  supervisor::Terminal* const terminal = has_terminal ? MakeTerminal(pty, job) : nullptr;
  if (has_terminal && terminal == nullptr) return fail({Step::kOpenTerminal, errno});
  const auto close_terminal = [terminal] {
    if (terminal != nullptr) terminal->Close();
  };
  if (background && (!job.Create(&failure) || (terminal != nullptr && !terminal->Listen(&failure)))) {
    close_terminal();
    job.Withdraw();
    return fail(failure);
  }
  // The last thing that can keep the call from starting, and be tried again.
  supervisor::CallMark mark(request.mark);
  if (mark.is_wanted()) {
    if (!mark.Make((flags & protocol::kDurableMark) != 0, &failure)) {
      close_terminal();
      if (background) job.Discard();
      return fail(failure);
    }
    supervisor::SendMessage(MessageType::kMarked, nullptr, 0, mark.fd());
  }
  // Before the job can stop this process: once it has been announced, the host does not watch it.
  if (background) supervisor::ArmWakeTimers();
  const supervisor::ShellStart start = supervisor::StartShell(
      request, background ? &job : nullptr, confined ? &policy : nullptr, confinement, pty.slave.get());
  if (start.pid == 0) {
    close_terminal();
    if (background) job.Withdraw();
    mark.Record(supervisor::CallMark::End::kNotStarted, 0, start.failure.error);
    return fail(start.failure);
  }
  if ((flags & protocol::kProbe) != 0) {
    if (confinement != nullptr && confinement->broker.ended()) {
      return fail({Step::kBroker, confinement->broker.error()});
    }
    const protocol::Probed probed{policy.protections(), start.confirmed};
    supervisor::SendMessage(MessageType::kProbed, &probed, sizeof probed);
    return 0;
  }
  if (terminal != nullptr) terminal->SetShell(start.pid);
  // The write ends belong to the command alone: their end is the end of its output.
  close(STDOUT_FILENO);
  close(STDERR_FILENO);
  if (background) {
    mark.Record(supervisor::CallMark::End::kBackground, 0, 0, request.job_directory);
    const protocol::Started started{start.pid, confined ? policy.protections() : 0};
    supervisor::SendMessage(MessageType::kStarted, &started, sizeof started);
  }

  supervisor::Supervision(request, start, background ? &job : nullptr, &scratch, confinement, &mark, terminal)
      .Run();
  return 0;
}

}  // namespace

int main() {
  // Nothing was registered to run at exit, and nothing is buffered.
  _exit(Supervise());
}
