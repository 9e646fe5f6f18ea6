#include "supervisor/terminal/terminal.h"

#include <errno.h>
#include <string.h>

#include "supervisor/terminal/tty_calls.h"
#include "sys/clock.h"

namespace bashward::supervisor {
namespace {

using protocol::StateReason;
using protocol::TerminalMessage;
using sys::NowMs;

constexpr uint64_t kNever = ~uint64_t{0};

// A program that reads now and then, and is never seen waiting, gets more of what is queued after this time.
constexpr uint64_t kUnseenReaderMs = 1'000;
// How soon it is looked again while the program reads what is queued, and how long that counts.
constexpr uint64_t kReadingPauseMs = 2;
constexpr uint64_t kReadingMs = 200;

// Whether there is somebody who reads. Of what may not be looked into that is not known.
bool Reads(const Judgement& judgement) {
  switch (judgement.verdict) {
    case protocol::Verdict::kLine:
    case protocol::Verdict::kKeys:
    case protocol::Verdict::kPassword:
    case protocol::Verdict::kWatching:
    case protocol::Verdict::kRelay:
      return !judgement.hidden;
    default:
      return false;
  }
}

template <typename Body>
bool Read(const TtyMessage& message, Body* body) {
  if (message.size != sizeof *body) return false;
  memcpy(body, message.body, sizeof *body);
  return true;
}

uint64_t Earlier(uint64_t one, uint64_t other) {
  return one < other ? one : other;
}

}  // namespace

Terminal::Terminal(const Pty& pty, const Job& job)
    : pty_(pty),
      job_(job),
      input_(pty.master.get(), pty.slave.get()),
      prober_(pty.master.get(), pty.slave.get()),
      stillness_(NowMs()) {}

void Terminal::Close() {
  for (size_t i = 0; i < kMaxWaiters; ++i) Tell(i, StateReason::kEnded);
  clients_.Close();
}

size_t Terminal::FillPolled(pollfd* polled) const {
  polled[0] = {prober_.is_asked() ? prober_.answered_fd() : -1, POLLIN, 0};
  return clients_.FillPolled(polled + 1) + 1;
}

void Terminal::Serve(const pollfd* polled) {
  const uint64_t now = NowMs();
  const auto take = [](void* terminal, const TtyMessage& message) {
    return static_cast<Terminal*>(terminal)->Take(message);
  };
  clients_.Serve(polled + 1, {take, this});
  clients_.CloseLate(now);
  Probe(now);
  Drain(now);
  TellWaiters(now);
}

void Terminal::OnOutput() {
  if (job_.pumped_size() == 0) return;
  edge_.Feed(job_.pumped(), job_.pumped_size());
  stillness_.OnOutput(NowMs());
}

uint64_t Terminal::NextDeadlineMs() const {
  uint64_t next = clients_.NextDeadlineMs();
  if (input_.is_waiting()) next = Earlier(next, drained_at_ms_ + kUnseenReaderMs);
  if (!IsAwaited()) return next;
  next = Earlier(next,
                 prober_.is_asked() ? prober_.asked_at_ms() + Prober::kPatienceMs : stillness_.next_look());
  for (const Waiter& waiter : waiters_) {
    if (waiter.connection != 0) next = Earlier(next, Earlier(waiter.deadline_ms, QuietAtMs(waiter)));
  }
  return next;
}

bool Terminal::Take(const TtyMessage& message) {
  switch (message.type) {
    case TerminalMessage::kInput:
      return TakeInput(message);
    case TerminalMessage::kResize:
      return TakeResize(message);
    case TerminalMessage::kQuery:
      return TakeQuery(message);
    case TerminalMessage::kWait:
      return TakeWait(message);
    default:
      return false;
  }
}

bool Terminal::TakeInput(const TtyMessage& message) {
  protocol::Input input{};
  if (message.size <= sizeof input) return false;
  memcpy(&input, message.body, sizeof input);
  if (input.flags != 0) return false;
  const bool was_waiting = input_.is_waiting();
  protocol::Taken taken = input_.Take(message.body + sizeof input, message.size - sizeof input);
  taken.tag = input.tag;
  if (!was_waiting && input_.is_waiting()) {
    drained_at_ms_ = NowMs();
    reader_ = 0;
  }
  stillness_.OnInput(NowMs(), prober_.is_asked());
  clients_.Send(message.client, TerminalMessage::kTaken, &taken, sizeof taken);
  return true;
}

bool Terminal::TakeResize(const TtyMessage& message) {
  protocol::Resize resize{};
  if (!Read(message, &resize)) return false;
  SetWindowSize(master(), {resize.rows, resize.columns});
  SendState(message.client, resize.tag, StateReason::kAsked);
  return true;
}

bool Terminal::TakeQuery(const TtyMessage& message) {
  protocol::Query query{};
  if (!Read(message, &query)) return false;
  const uint64_t now = NowMs();
  Add(2 * message.client, {0, query.tag, true, now, kNever, 0, 0});
  stillness_.LookAt(now);
  return true;
}

bool Terminal::TakeWait(const TtyMessage& message) {
  protocol::Wait wait{};
  if (!Read(message, &wait)) return false;
  const uint64_t now = NowMs();
  if (!IsAwaited()) stillness_.OnInput(now, prober_.is_asked());
  Add(2 * message.client + 1,
      {0, wait.tag, false, now, now + wait.deadline_ms, wait.quiet_ms, wait.from_offset});
  return true;
}

void Terminal::Add(size_t place, const Waiter& waiter) {
  Tell(place, StateReason::kReplaced);
  waiters_[place] = waiter;
  waiters_[place].connection = clients_.Connection(ClientOf(place));
  clients_.SetWaiting(ClientOf(place), true);
}

// Whoever is not connected any more does not count.
bool Terminal::IsAwaited() const {
  if (input_.is_waiting()) return true;
  for (size_t i = 0; i < kMaxWaiters; ++i) {
    if (waiters_[i].connection != 0 && waiters_[i].connection == clients_.Connection(ClientOf(i)))
      return true;
  }
  return false;
}

void Terminal::Probe(uint64_t now) {
  Judgement answer{};
  const uint64_t asked_at = prober_.asked_at_ms();
  if (prober_.TakeAnswer(&answer)) {
    judgement_ = answer;
    judged_at_ms_ = asked_at;
    stillness_.OnJudgement(asked_at, now, judgement_, edge_.LooksLikePrompt());
    if (input_.is_waiting() && now < read_at_ms_ + kReadingMs) stillness_.LookAt(now + kReadingPauseMs);
  }
  if (prober_.is_asked() || !IsAwaited() || now < stillness_.next_look()) return;
  if (!prober_.HasFailed(now)) prober_.Ask(shell_);
}

bool Terminal::MayDrain(uint64_t now) {
  const bool known = !prober_.HasFailed(now) && judgement_.verdict != protocol::Verdict::kUnknown &&
                     judgement_.verdict != protocol::Verdict::kHidden && !judgement_.hidden;
  if (judged_at_ms_ > drained_at_ms_ && judgement_.unread == 0) {
    if (!known) return true;
    if (Reads(judgement_)) {
      if (reader_ == 0) reader_ = judgement_.pid;
      if (reader_ == judgement_.pid) return true;
      input_.DropQueue();
      return false;
    }
  }
  return now >= drained_at_ms_ + kUnseenReaderMs;
}

void Terminal::Drain(uint64_t now) {
  if (!input_.is_waiting() || !MayDrain(now)) return;
  drained_at_ms_ = now;
  if (!input_.Drain()) return;
  read_at_ms_ = now;
  stillness_.LookAt(now);
}

uint64_t Terminal::QuietAtMs(const Waiter& waiter) const {
  if (waiter.quiet_ms == 0 || job_.printed() <= waiter.from_offset) return kNever;
  const uint64_t since = waiter.since_ms > stillness_.output_at() ? waiter.since_ms : stillness_.output_at();
  return since + waiter.quiet_ms;
}

bool Terminal::IsDue(const Waiter& waiter, uint64_t now, StateReason* reason) const {
  if (waiter.asks) {
    *reason = StateReason::kAsked;
    return judged_at_ms_ >= waiter.since_ms;
  }
  if (!prober_.is_asked() && stillness_.IsSettled(now) && !input_.is_waiting()) {
    *reason = StateReason::kInput;
    return true;
  }
  *reason = now >= waiter.deadline_ms ? StateReason::kDeadline : StateReason::kQuiet;
  return now >= waiter.deadline_ms || now >= QuietAtMs(waiter);
}

void Terminal::TellWaiters(uint64_t now) {
  const bool blind = prober_.HasFailed(now);
  for (size_t i = 0; i < kMaxWaiters; ++i) {
    if (waiters_[i].connection == 0) continue;
    StateReason reason = StateReason::kAsked;
    if (IsDue(waiters_[i], now, &reason) || (blind && waiters_[i].asks)) Tell(i, reason);
  }
}

void Terminal::Tell(size_t place, StateReason reason) {
  const size_t client = ClientOf(place);
  const Waiter waiter = waiters_[place];
  waiters_[place].connection = 0;
  if (waiter.connection == 0 || waiter.connection != clients_.Connection(client)) return;
  clients_.SetWaiting(client, waiters_[place ^ 1].connection == waiter.connection);
  SendState(client, waiter.tag, reason);
}

void Terminal::SendState(size_t client, uint32_t tag, StateReason reason) {
  const uint64_t now = NowMs();
  protocol::State state{};
  state.tag = tag;
  state.reason = reason;
  const bool judged = !prober_.HasFailed(now) && judged_at_ms_ != 0;
  if (judged) {
    state.verdict = judgement_.verdict;
    state.flags = judgement_.flags;
    state.pid = judgement_.pid;
    state.name_size = judgement_.name_size;
    memcpy(state.name, judgement_.name, sizeof state.name);
  } else {
    KernelTermios settings{};
    if (TtyCall(master(), TCGETS, &settings) == 0) {
      if ((settings.c_lflag & ECHO) != 0) state.flags |= protocol::kEcho;
      if ((settings.c_lflag & ICANON) != 0) state.flags |= protocol::kCooked;
    }
  }
  const bool unsure =
      state.verdict == protocol::Verdict::kRelay || state.verdict == protocol::Verdict::kHidden;
  if (unsure && edge_.LooksLikePrompt()) state.flags |= protocol::kLikely;
  if (edge_.marks_paste()) state.flags |= protocol::kPasted;
  if (edge_.is_alternate()) state.flags |= protocol::kAltScreen;
  const WindowSize size = ReadWindowSize(master());
  state.rows = size.rows;
  state.columns = size.columns;
  state.foreground = input_.ForegroundGroup();
  state.unread = input_.CountUnread();
  state.queued = static_cast<uint32_t>(input_.queued());
  const uint64_t quiet = now - stillness_.output_at();
  state.quiet_ms = quiet < UINT32_MAX ? static_cast<uint32_t>(quiet) : UINT32_MAX;
  state.offset = job_.printed();
  state.dropped = input_.dropped();
  clients_.Send(client, TerminalMessage::kState, &state, sizeof state);
}

}  // namespace bashward::supervisor
