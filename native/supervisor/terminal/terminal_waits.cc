// Whoever waits for a State, and what it says.
#include <string.h>

#include "supervisor/terminal/terminal.h"
#include "supervisor/terminal/tty_calls.h"
#include "sys/clock.h"

namespace bashward::supervisor {
namespace {

using protocol::StateReason;
using protocol::TerminalMessage;
using sys::NowMs;

constexpr uint64_t kNever = ~uint64_t{0};

}  // namespace

void Terminal::Add(size_t place, const Waiter& waiter) {
  Tell(place, StateReason::kReplaced);
  waiters_[place] = waiter;
  waiters_[place].connection = clients_.Connection(ClientOf(place));
  clients_.SetWaiting(ClientOf(place), true);
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
  const bool blind = prober_.IsBlind(now);
  for (size_t i = 0; i < kMaxWaiters; ++i) {
    if (waiters_[i].connection == 0) continue;
    StateReason reason = StateReason::kAsked;
    if (IsDue(waiters_[i], now, &reason) || (blind && waiters_[i].asks)) Tell(i, reason);
  }
}

bool Terminal::WaitsForState(size_t client) const {
  const uint32_t connection = clients_.Connection(client);
  return waiters_[2 * client].connection == connection || waiters_[2 * client + 1].connection == connection;
}

void Terminal::Tell(size_t place, StateReason reason) {
  const size_t client = ClientOf(place);
  const Waiter waiter = waiters_[place];
  waiters_[place].connection = 0;
  if (waiter.connection == 0 || waiter.connection != clients_.Connection(client)) return;
  const bool gives = entry_.connection == waiter.connection;
  clients_.SetWaiting(client, gives || waiters_[place ^ 1].connection == waiter.connection);
  SendState(client, waiter.tag, reason);
}

void Terminal::SendState(size_t client, uint32_t tag, StateReason reason) {
  const uint64_t now = NowMs();
  protocol::State state{};
  state.tag = tag;
  state.reason = reason;
  const bool judged = !prober_.IsBlind(now) && judged_at_ms_ != 0;
  if (judged) {
    state.verdict = judgement_.verdict;
    state.flags = judgement_.flags;
    state.pid = judgement_.pid;
    state.name_size = judgement_.name_size;
    memcpy(state.name, judgement_.name, sizeof state.name);
    state.start_time = judgement_.started;
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
  state.line_size = static_cast<uint32_t>(edge_.line_size());
  memcpy(state.line, edge_.line(), edge_.line_size());
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
