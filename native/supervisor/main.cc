// bashward-supervisor: watches over one command, so that nothing of it can be lost.
//
// Started by the host with the descriptors of process/control_protocol.h, an empty environment and every
// signal blocked. It has no options and is of no use by itself.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "process/control_protocol.h"
#include "supervisor/control.h"
#include "supervisor/request.h"
#include "supervisor/shell.h"
#include "supervisor/supervision.h"
#include "sys/signals.h"

namespace {

using bashward::protocol::MessageType;

int Supervise() {
  using namespace bashward;
  // A session of its own: the terminal's Ctrl-C and a kill of the host's group do not reach it.
  setsid();
  // It may stay for long, and should keep no mount of its host busy.
  const bool moved = chdir("/") == 0;
  static_cast<void>(moved);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  // The end of the host is the end of the control stream. A command may have stopped its supervisor: this
  // wakes it.
  prctl(PR_SET_PDEATHSIG, SIGCONT, 0, 0, 0);
  sys::SetSignalMask(sys::kAllSignals);
  sys::ResetSignalDispositions();

  supervisor::Request request{};
  if (!supervisor::ReceiveRequest(&request)) {
    const protocol::Failed failure{protocol::Step::kProtocol, 0};
    supervisor::SendMessage(MessageType::kFailed, &failure, sizeof failure);
    return 1;
  }
  const bool background = (request.header.flags & protocol::kBackground) != 0;
  supervisor::Job job(request.job_directory, request.job_description, request.header.job_output_limit);
  protocol::Failed failure{};
  const bool ready = !background || job.Create(&failure);
  const pid_t shell = ready ? supervisor::StartShell(request, background ? &job : nullptr, &failure) : 0;
  if (shell == 0) {
    if (background) job.Withdraw();
    supervisor::SendMessage(MessageType::kFailed, &failure, sizeof failure);
    return 1;
  }
  // The write ends belong to the command alone: their end is the end of its output.
  close(STDOUT_FILENO);
  close(STDERR_FILENO);
  if (background) {
    const protocol::Started started{shell};
    supervisor::SendMessage(MessageType::kStarted, &started, sizeof started);
  }

  const bool can_be_job = request.job_directory[0] != '\0';
  supervisor::Supervision(request, shell, can_be_job ? &job : nullptr).Run();
  return 0;
}

}  // namespace

int main() {
  // Nothing was registered to run at exit, and nothing is buffered.
  _exit(Supervise());
}
