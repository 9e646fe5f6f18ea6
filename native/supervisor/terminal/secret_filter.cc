#include "supervisor/terminal/secret_filter.h"

#include <errno.h>
#include <string.h>

#include "util/wipe.h"

namespace bashward::supervisor {
namespace {

constexpr char kMark[] = "[secret]";
constexpr size_t kMarkSize = sizeof kMark - 1;

// Static: too large for a stack. Of two bytes for each that came there is room for any marks.
char out[2 * sizeof(SecretMemory::window) + kMarkSize];

size_t SizeAt(const char* known) {
  uint16_t size = 0;
  memcpy(&size, known, sizeof size);
  return size;
}

bool Equal(const char* one, const char* other, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (one[i] != other[i]) return false;
  }
  return true;
}

}  // namespace

int SecretFilter::Add(const char* secret, size_t size) {
  if (size < kMinSize) return 0;
  if (size > protocol::kMaxSecret) return EMSGSIZE;
  memory_ = GetSecretMemory();
  if (memory_ == nullptr) return errno;
  for (size_t at = 0; at < known_; at += sizeof(uint16_t) + SizeAt(memory_->known + at)) {
    const char* const known = memory_->known + at;
    if (SizeAt(known) == size && Equal(known + sizeof(uint16_t), secret, size)) return 0;
  }
  if (known_ + sizeof(uint16_t) + size > sizeof memory_->known) return ENOBUFS;
  const auto stored = static_cast<uint16_t>(size);
  memcpy(memory_->known + known_, &stored, sizeof stored);
  memcpy(memory_->known + known_ + sizeof stored, secret, size);
  known_ += sizeof stored + size;
  may_begin_[static_cast<unsigned char>(secret[0])] = true;
  return 0;
}

SecretFilter::Match SecretFilter::MatchAt(const char* bytes, size_t size) const {
  Match match{0, false};
  for (size_t at = 0; at < known_;) {
    const size_t secret = SizeAt(memory_->known + at);
    const char* const text = memory_->known + at + sizeof(uint16_t);
    at += sizeof(uint16_t) + secret;
    if (secret <= match.complete || !Equal(text, bytes, secret < size ? secret : size)) continue;
    if (secret <= size) {
      match.complete = secret;
    } else {
      match.may_come = true;
    }
  }
  return match;
}

Shown SecretFilter::Apply(const char* bytes, size_t size) {
  if (!is_armed()) return {bytes, size};
  char* const window = memory_->window;
  memcpy(window + held_, bytes, size);
  const size_t total = held_ + size;
  size_t written = 0;
  size_t at = 0;
  // Moves on. What was shown before is not shown once more.
  const auto pass = [&](size_t count, bool marks) {
    if (marks && !(is_marked_ && at == 0)) {
      memcpy(out + written, kMark, kMarkSize);
      written += kMarkSize;
    } else if (!marks && at >= shown_) {
      out[written++] = window[at];
    }
    at += count;
  };
  while (at < total) {
    const bool may_begin = may_begin_[static_cast<unsigned char>(window[at])];
    const Match match = may_begin ? MatchAt(window + at, total - at) : Match{0, false};
    if (match.may_come) break;
    if (match.complete > 0) {
      pass(match.complete, true);
    } else {
      pass(1, false);
    }
  }
  if (at > 0) is_marked_ = false;
  shown_ = shown_ > at ? shown_ - at : 0;
  held_ = total - at;
  memmove(window, window + at, held_);
  util::Wipe(window + held_, total - held_);
  return {out, written};
}

Shown SecretFilter::Release() {
  if (!holds()) return {out, 0};
  size_t written = 0;
  if (held_ < kMinSize) {
    written = held_ - shown_;
    memcpy(out, memory_->window + shown_, written);
  } else if (!is_marked_) {
    written = kMarkSize;
    memcpy(out, kMark, kMarkSize);
    is_marked_ = true;
  }
  shown_ = held_;
  return {out, written};
}

void SecretFilter::Forget() {
  if (!is_armed()) return;
  util::Wipe(memory_, sizeof *memory_);
  util::Wipe(may_begin_, sizeof may_begin_);
  util::Wipe(out, sizeof out);
  memory_ = nullptr;
  known_ = held_ = shown_ = 0;
}

}  // namespace bashward::supervisor
