#include "supervisor/terminal/terminal.h"

#include <errno.h>
#include <string.h>

#include "supervisor/terminal/tty_calls.h"
#include "sys/clock.h"

namespace bashward::supervisor {
namespace {

using protocol::TerminalMessage;

// Where poll(2) sees room and write(2) finds none; and how often the foreground group is looked at while
// something is queued.
constexpr uint64_t kRetryMs = 20;

template <typename Body>
bool Read(const TtyMessage& message, Body* body) {
  if (message.size != sizeof *body) return false;
  memcpy(body, message.body, sizeof *body);
  return true;
}

}  // namespace

Terminal::Terminal(const Pty& pty, const Job& job)
    : pty_(pty), job_(job), input_(pty.master.get(), pty.slave.get()) {}

size_t Terminal::FillPolled(pollfd* polled) const {
  const bool writes = input_.is_waiting() && sys::NowMs() >= retry_at_ms_;
  polled[0] = {writes ? master() : -1, POLLOUT, 0};
  return clients_.FillPolled(polled + 1) + 1;
}

void Terminal::Serve(const pollfd* polled) {
  const uint64_t now = sys::NowMs();
  if (input_.is_waiting() && (polled[0].revents != 0 || now >= retry_at_ms_)) {
    retry_at_ms_ = input_.Drain() ? 0 : now + kRetryMs;
  }
  const auto take = [](void* terminal, const TtyMessage& message) {
    return static_cast<Terminal*>(terminal)->Take(message);
  };
  clients_.Serve(polled + 1, {take, this});
  clients_.CloseLate(now);
}

uint64_t Terminal::NextDeadlineMs() const {
  const uint64_t late = clients_.NextDeadlineMs();
  if (!input_.is_waiting()) return late;
  const uint64_t retry = retry_at_ms_ == 0 ? sys::NowMs() + kRetryMs : retry_at_ms_;
  return retry < late ? retry : late;
}

bool Terminal::Take(const TtyMessage& message) {
  switch (message.type) {
    case TerminalMessage::kInput:
      return TakeInput(message);
    case TerminalMessage::kResize:
      return TakeResize(message);
    case TerminalMessage::kQuery: {
      protocol::Query query{};
      if (!Read(message, &query)) return false;
      SendState(message.client, query.tag);
      return true;
    }
    default:
      return false;
  }
}

bool Terminal::TakeInput(const TtyMessage& message) {
  protocol::Input input{};
  if (message.size <= sizeof input) return false;
  memcpy(&input, message.body, sizeof input);
  if (input.flags != 0) return false;
  protocol::Taken taken = input_.Take(message.body + sizeof input, message.size - sizeof input);
  taken.tag = input.tag;
  clients_.Send(message.client, TerminalMessage::kTaken, &taken, sizeof taken);
  return true;
}

bool Terminal::TakeResize(const TtyMessage& message) {
  protocol::Resize resize{};
  if (!Read(message, &resize)) return false;
  SetWindowSize(master(), {resize.rows, resize.columns});
  SendState(message.client, resize.tag);
  return true;
}

void Terminal::SendState(size_t client, uint32_t tag) {
  protocol::State state{};
  state.tag = tag;
  KernelTermios settings{};
  if (TtyCall(master(), TCGETS, &settings) == 0) {
    if ((settings.c_lflag & ECHO) != 0) state.flags |= protocol::kEcho;
    if ((settings.c_lflag & ICANON) != 0) state.flags |= protocol::kCooked;
  }
  const WindowSize size = ReadWindowSize(master());
  state.rows = size.rows;
  state.columns = size.columns;
  state.foreground = input_.ForegroundGroup();
  state.unread = input_.CountUnread();
  state.queued = static_cast<uint32_t>(input_.queued());
  state.offset = job_.printed();
  state.dropped = input_.dropped();
  clients_.Send(client, TerminalMessage::kState, &state, sizeof state);
}

}  // namespace bashward::supervisor
