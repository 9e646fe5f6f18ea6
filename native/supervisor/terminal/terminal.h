// The terminal of a job, at work: what it prints goes where a pipe's output would, what hosts send goes to
// the program, and hosts are told how it is.
#ifndef BASHWARD_SUPERVISOR_TERMINAL_TERMINAL_H_
#define BASHWARD_SUPERVISOR_TERMINAL_TERMINAL_H_

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#include "supervisor/job.h"
#include "supervisor/terminal/pty.h"
#include "supervisor/terminal/tty_clients.h"
#include "supervisor/terminal/tty_input.h"

namespace bashward::supervisor {

// One for each process.
class Terminal {
 public:
  static constexpr size_t kMaxPolled = TtyClients::kMaxPolled + 1;

  // `pty` and `job` must outlive this.
  Terminal(const Pty& pty, const Job& job);

  // In the directory of the job. False: nobody could ever type anything.
  bool Listen(protocol::Failed* failure) { return clients_.Listen(job_.directory(), failure); }
  // No host is connected any more.
  void Close() { clients_.Close(); }

  int master() const { return pty_.master.get(); }
  int slave() const { return pty_.slave.get(); }

  size_t FillPolled(pollfd* polled) const;
  void Serve(const pollfd* polled);
  // When Serve() is to be called also if nothing has happened; ~0: never.
  uint64_t NextDeadlineMs() const;

 private:
  bool Take(const TtyMessage& message);
  bool TakeInput(const TtyMessage& message);
  bool TakeResize(const TtyMessage& message);
  void SendState(size_t client, uint32_t tag);

  const Pty& pty_;
  const Job& job_;
  TtyInput input_;
  TtyClients clients_;
  uint64_t retry_at_ms_ = 0;  // when input is to be written again although there seems to be no room
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_TERMINAL_TERMINAL_H_
