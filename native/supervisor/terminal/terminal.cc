#include "supervisor/terminal/terminal.h"

#include <string.h>
#include <time.h>

#include "supervisor/terminal/tty_calls.h"
#include "sys/clock.h"
#include "util/text.h"
#include "util/wipe.h"

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
// Whether a program reads what is in front of what is queued is only looked for so long after it has read
// some; then it is seen from what it has read, every kUnseenReaderMs.
constexpr uint64_t kMayReadMs = 2'000;

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

// Who has asked for something of its terminal reads the answer soon, or does not want it any more.
constexpr uint64_t kQueryMs = 1'000;

// Of what /proc says of start times (USER_HZ).
constexpr uint64_t kTicksPerSecond = 100;

// Only one that reads keys: a program that reads lines would take the answer for one, and so would a program
// on the other side of a relay.
bool TakesAnswers(const Judgement& judgement) {
  const bool reads =
      judgement.verdict == protocol::Verdict::kKeys || judgement.verdict == protocol::Verdict::kWatching;
  return reads && (judgement.flags & protocol::kCooked) == 0 && judgement.unread == 0;
}

// The cursor is where no program draws beyond the screen: nobody here knows where it is.
const char* AnswerTo(TtyQuery query) {
  switch (query) {
    case TtyQuery::kCursor:
      return "\x1b[1;1R";
    case TtyQuery::kStatus:
      return "\x1b[0n";
    case TtyQuery::kDevice:
      return "\x1b[?1;2c";
  }
  return "";
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

Terminal::Terminal(const Pty& pty, Job& job)
    : pty_(pty),
      job_(job),
      input_(pty.master.get(), pty.slave.get()),
      prober_(pty.master.get(), pty.slave.get()),
      stillness_(NowMs()) {}

void Terminal::Close() {
  for (size_t i = 0; i < kMaxWaiters; ++i) Tell(i, StateReason::kEnded);
  clients_.Close();
  if (entry_.connection != 0) util::Wipe(GetSecretMemory()->line, entry_.size);
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
  EnterSecret(now);
  ReleaseHeld(now);
  AnswerQueries(now);
  Drain(now);
  TellWaiters(now);
}

void Terminal::OnOutput() {
  const uint64_t now = NowMs();
  if (job_.has_read()) read_output_at_ms_ = now;
  if (job_.pumped_size() == 0) return;
  const size_t asked = edge_.query_count();
  edge_.Feed(job_.pumped(), job_.pumped_size());
  stillness_.OnOutput(now);
  if (edge_.query_count() > asked) NoteQueries(asked, now);
}

uint64_t Terminal::NextDeadlineMs() const {
  uint64_t next = clients_.NextDeadlineMs();
  if (input_.is_waiting()) next = Earlier(next, drained_at_ms_ + kUnseenReaderMs);
  if (edge_.query_count() > 0) next = Earlier(next, query_at_ms_ + kQueryMs);
  if (job_.secrets().holds()) next = Earlier(next, read_output_at_ms_ + SecretFilter::kHoldMs);
  if (IsAwaited()) next = Earlier(next, prober_.NextDeadlineMs(stillness_.next_look()));
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
    case TerminalMessage::kSecret:
      return TakeSecret(message);
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
    drained_at_ms_ = moved_at_ms_ = NowMs();
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

// Whoever is not connected any more does not count.
bool Terminal::IsAwaited() const {
  if (edge_.query_count() > 0 || MayRead(NowMs()) || entry_.connection != 0) return true;
  for (size_t i = 0; i < kMaxWaiters; ++i) {
    if (waiters_[i].connection != 0 && waiters_[i].connection == clients_.Connection(ClientOf(i)))
      return true;
  }
  return false;
}

void Terminal::Probe(uint64_t now) {
  Judgement answer{};
  const uint64_t asked_at = prober_.asked_at_ms();
  const bool is_late = prober_.IsBlind(now);
  const bool answered = prober_.TakeAnswer(&answer);
  if (answered && is_late) {
    // What it has seen is long past.
    stillness_.OnInput(now, false);
  } else if (answered) {
    judgement_ = answer;
    judged_at_ms_ = asked_at;
    stillness_.OnJudgement(asked_at, now, judgement_, edge_.LooksLikePrompt());
    if (entry_.connection != 0) stillness_.LookAt(now);
    if (input_.is_waiting() && now < read_at_ms_ + kReadingMs) stillness_.LookAt(now + kReadingPauseMs);
  }
  if (prober_.is_asked() || !IsAwaited() || now < stillness_.next_look()) return;
  prober_.Ask(shell_, entry_.connection != 0);
}

bool Terminal::MayDrain(uint64_t now) {
  const bool known = !prober_.IsBlind(now) && judgement_.verdict != protocol::Verdict::kUnknown &&
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
  read_at_ms_ = moved_at_ms_ = now;
  stillness_.LookAt(now);
}

bool Terminal::MayRead(uint64_t now) const {
  return input_.is_waiting() && (now < moved_at_ms_ + kMayReadMs || input_.CountUnread() == 0);
}

void Terminal::NoteQueries(size_t first, uint64_t now) {
  if (first == 0) query_at_ms_ = now;
  timespec since_boot{};
  clock_gettime(CLOCK_BOOTTIME, &since_boot);
  const uint64_t ticks = static_cast<uint64_t>(since_boot.tv_sec) * kTicksPerSecond +
                         static_cast<uint64_t>(since_boot.tv_nsec) / (1'000'000'000 / kTicksPerSecond);
  for (size_t i = first; i < edge_.query_count(); ++i) askers_[i] = {now, input_.ForegroundGroup(), ticks};
}

// The kernel does not tell who has printed it. One that was in the background then, or has begun since, was
// not it.
bool Terminal::IsFromReader(size_t query) const {
  return askers_[query].group == input_.ForegroundGroup() && judgement_.started <= askers_[query].ticks;
}

void Terminal::AnswerQueries(uint64_t now) {
  if (edge_.query_count() == 0) return;
  if (now >= query_at_ms_ + kQueryMs) return edge_.TakeQueries();
  if (judged_at_ms_ <= askers_[edge_.query_count() - 1].at_ms || !TakesAnswers(judgement_)) return;
  util::Text<ScreenEdge::kMaxQueries * 16> answers;
  for (size_t i = 0; i < edge_.query_count(); ++i) {
    if (IsFromReader(i)) answers << AnswerTo(edge_.query(i));
  }
  edge_.TakeQueries();
  if (answers.size() > 0 && input_.Answer(answers.c_str(), answers.size()))
    stillness_.OnInput(now, prober_.is_asked());
}

}  // namespace bashward::supervisor
