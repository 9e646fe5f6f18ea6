// A secret that a person gives: typed once it has been looked who would read it, and whether it would be
// shown.
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "supervisor/terminal/terminal.h"
#include "supervisor/terminal/tty_calls.h"
#include "sys/clock.h"
#include "util/wipe.h"

namespace bashward::supervisor {
namespace {

using protocol::TerminalMessage;
using protocol::Verdict;
using sys::NowMs;

bool HasControls(const char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte < 0x20 || byte == 0x7f) return true;
  }
  return false;
}

// Whether anybody would read it, now or soon.
bool WouldBeRead(Verdict verdict) {
  switch (verdict) {
    case Verdict::kLine:
    case Verdict::kKeys:
    case Verdict::kPassword:
    case Verdict::kWatching:
    case Verdict::kRelay:
    case Verdict::kHidden:
      return true;
    default:
      return false;
  }
}

// Some look after other things meanwhile.
bool WaitsForHiddenLine(const Judgement& judgement) {
  constexpr uint32_t kModes = protocol::kEcho | protocol::kCooked;
  const bool hides = (judgement.flags & kModes) == protocol::kCooked;
  return judgement.verdict == Verdict::kPassword || (judgement.verdict == Verdict::kWatching && hides);
}

bool HasOutput(int master) {
  pollfd entry{master, POLLIN, 0};
  const timespec now{};
  return ppoll(&entry, 1, &now, nullptr) > 0;
}

// False also when it cannot be told.
bool HidesLines(int master) {
  KernelTermios settings{};
  return TtyCall(master, TCGETS, &settings) == 0 && (settings.c_lflag & ECHO) == 0 &&
         (settings.c_lflag & ICANON) != 0;
}

}  // namespace

bool Terminal::TakeSecret(const TtyMessage& message) {
  protocol::Secret secret{};
  if (message.size < sizeof secret) return false;
  memcpy(&secret, message.body, sizeof secret);
  if ((secret.flags & ~uint32_t{protocol::kSeenAsked}) != 0) return false;
  const char* const line = message.body + sizeof secret;
  const size_t size = message.size - sizeof secret;
  Entry entry{clients_.Connection(message.client), message.client, secret, size, NowMs()};
  int error = 0;
  if (entry_.connection != 0) {
    error = EAGAIN;
  } else if (size > protocol::kMaxSecret) {
    error = EMSGSIZE;
  } else if (HasControls(line, size)) {
    error = EINVAL;
  } else {
    SecretMemory* const memory = GetSecretMemory();
    if (memory == nullptr) {
      error = errno;
    } else {
      memcpy(memory->line, line, size);
      memory->line[size] = '\r';
    }
  }
  if (error != 0) {
    AnswerSecret(entry, error);
    return true;
  }
  entry_ = entry;
  clients_.SetWaiting(message.client, true);
  stillness_.LookAt(entry.since_ms);
  return true;
}

void Terminal::EnterSecret(uint64_t now) {
  if (entry_.connection == 0) return;
  const bool blind = prober_.IsBlind(now);
  const bool looked = judged_at_ms_ >= entry_.since_ms && judgement_.other.looked;
  if (!blind && !looked) return;
  const Entry entry = entry_;
  entry_.connection = 0;
  SecretMemory* const memory = GetSecretMemory();
  int error = EIO;
  // Whoever has sent it may have lost interest.
  const bool wanted = clients_.Connection(entry.client) == entry.connection;
  if (wanted) error = blind ? EAGAIN : WhyNotEnter(entry);
  if (error == 0) error = job_.secrets().Add(memory->line, entry.size);
  if (error == 0 && !input_.Answer(memory->line, entry.size + 1)) error = EIO;
  util::Wipe(memory->line, entry.size);
  // Who else reads is looked for once for each.
  judgement_.other.looked = false;
  if (!wanted) return;
  clients_.SetWaiting(entry.client, WaitsForState(entry.client));
  if (error == 0) {
    stillness_.OnInput(now, prober_.is_asked());
    // It is not asked for any more, whatever the look has said.
    judged_at_ms_ = 0;
  }
  AnswerSecret(entry, error);
}

int Terminal::WhyNotEnter(const Entry& entry) const {
  const protocol::Secret& secret = entry.secret;
  const bool same = judgement_.pid == secret.pid && judgement_.started == secret.start_time &&
                    job_.printed() == secret.offset;
  const bool first = judgement_.unread == 0 && input_.queued() == 0 && input_.CountUnread() == 0;
  if (!same || !first || !WouldBeRead(judgement_.verdict) || HasOutput(master())) return ESTALE;
  if (judgement_.other.pid != 0) return EBUSY;
  if ((secret.flags & protocol::kSeenAsked) != 0) {
    // It may be shown, and would not be found.
    return entry.size > 0 && entry.size < SecretFilter::kMinSize ? EPERM : 0;
  }
  if (!WaitsForHiddenLine(judgement_)) return EPERM;
  // Those of a terminal within have just been looked at.
  return (judgement_.flags & protocol::kNested) != 0 || HidesLines(master()) ? 0 : EPERM;
}

void Terminal::AnswerSecret(const Entry& entry, int error) {
  protocol::SecretTaken taken{};
  taken.tag = entry.secret.tag;
  taken.error = error;
  if (error == EBUSY) {
    taken.pid = judgement_.other.pid;
    taken.name_size = judgement_.other.name_size;
    memcpy(taken.name, judgement_.other.name, sizeof taken.name);
  }
  clients_.Send(entry.client, TerminalMessage::kSecretTaken, &taken, sizeof taken);
}

// What may have been the beginning of one.
void Terminal::ReleaseHeld(uint64_t now) {
  if (!job_.secrets().holds() || now < read_output_at_ms_ + SecretFilter::kHoldMs) return;
  job_.Release();
  OnOutput();
}

}  // namespace bashward::supervisor
