// The terminal of a job, at work: what it prints goes where a pipe's output would, what hosts send goes to
// the program, and hosts are told how it is.
#ifndef BASHWARD_SUPERVISOR_TERMINAL_TERMINAL_H_
#define BASHWARD_SUPERVISOR_TERMINAL_TERMINAL_H_

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#include "supervisor/job.h"
#include "supervisor/terminal/pty.h"
#include "supervisor/terminal/screen_edge.h"
#include "supervisor/terminal/stillness.h"
#include "supervisor/terminal/tty_clients.h"
#include "supervisor/terminal/tty_input.h"
#include "supervisor/waiting/prober.h"

namespace bashward::supervisor {

// One for each process.
class Terminal {
 public:
  static constexpr size_t kMaxPolled = TtyClients::kMaxPolled + 1;

  // `pty` and `job` must outlive this.
  Terminal(const Pty& pty, Job& job);

  // In the directory of the job. False: nobody could ever type anything.
  bool Listen(protocol::Failed* failure) { return clients_.Listen(job_.directory(), failure); }
  // The shell has been started.
  void SetShell(pid_t shell) { shell_ = shell; }
  // The job has ended, or does not start: whoever waits is told, and no host is connected any more.
  void Close();

  int master() const { return pty_.master.get(); }
  int slave() const { return pty_.slave.get(); }

  size_t FillPolled(pollfd* polled) const;
  void Serve(const pollfd* polled);
  // The job has pumped something.
  void OnOutput();
  // When Serve() is to be called also if nothing has happened; ~0: never.
  uint64_t NextDeadlineMs() const;

 private:
  // Somebody who waits for a State. Each connection may have one that asks, and one that waits.
  struct Waiter {
    uint32_t connection;  // 0: none
    uint32_t tag;
    bool asks;  // for how it is now
    uint64_t since_ms;
    uint64_t deadline_ms;
    uint32_t quiet_ms;
    uint64_t from_offset;
  };

  // Who may have asked something of the terminal.
  struct Asker {
    uint64_t at_ms;
    pid_t group;     // that was in the foreground
    uint64_t ticks;  // from boot to then
  };

  // A secret on its way. Its line is in the SecretMemory.
  struct Entry {
    uint32_t connection;  // 0: none
    size_t client;
    protocol::Secret secret;
    size_t size;
    uint64_t since_ms;
  };

  static constexpr size_t kMaxWaiters = 2 * TtyClients::kMaxClients;

  bool Take(const TtyMessage& message);
  bool TakeInput(const TtyMessage& message);
  bool TakeResize(const TtyMessage& message);
  bool TakeQuery(const TtyMessage& message);
  bool TakeWait(const TtyMessage& message);
  bool TakeSecret(const TtyMessage& message);
  void EnterSecret(uint64_t now);
  // 0, or an errno as SecretTaken has it.
  int WhyNotEnter(const Entry& entry) const;
  void AnswerSecret(const Entry& entry, int error);
  void ReleaseHeld(uint64_t now);
  void Add(size_t place, const Waiter& waiter);
  static size_t ClientOf(size_t place) { return place / 2; }
  bool IsAwaited() const;
  // Whether there may be somebody who reads what is queued.
  bool MayRead(uint64_t now) const;
  // Those from that one on, which have just been printed.
  void NoteQueries(size_t first, uint64_t now);
  // Whether the reader may have asked that.
  bool IsFromReader(size_t query) const;
  bool WaitsForState(size_t client) const;
  // What is queued goes to the program that has read what was in front of it, and to no other.
  void Drain(uint64_t now);
  void AnswerQueries(uint64_t now);
  bool MayDrain(uint64_t now);
  void Probe(uint64_t now);
  // Why it is to be told now; false when it is not.
  bool IsDue(const Waiter& waiter, uint64_t now, protocol::StateReason* reason) const;
  uint64_t QuietAtMs(const Waiter& waiter) const;
  void TellWaiters(uint64_t now);
  void Tell(size_t place, protocol::StateReason reason);
  void SendState(size_t client, uint32_t tag, protocol::StateReason reason);

  const Pty& pty_;
  Job& job_;
  TtyInput input_;
  TtyClients clients_;
  Prober prober_;
  ScreenEdge edge_;
  Stillness stillness_;
  Waiter waiters_[kMaxWaiters] = {};
  Entry entry_{};
  Judgement judgement_{};      // the last one
  uint64_t judged_at_ms_ = 0;  // when it was asked for; 0: never
  pid_t shell_ = 0;
  uint64_t read_output_at_ms_ = 0;
  uint64_t query_at_ms_ = 0;  // when the first of what a program asks of its terminal was asked
  Asker askers_[ScreenEdge::kMaxQueries] = {};
  uint64_t drained_at_ms_ = 0;  // or when something was queued
  uint64_t read_at_ms_ = 0;     // when some of it was taken last
  uint64_t moved_at_ms_ = 0;    // or something was queued while nothing was
  pid_t reader_ = 0;            // who reads what is queued; 0: not known yet
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_TERMINAL_TERMINAL_H_
