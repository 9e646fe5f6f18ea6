#include "supervisor/terminal/screen_edge.h"

#include <string.h>

namespace bashward::supervisor {
namespace {

constexpr unsigned char kEscape = 0x1b;
constexpr unsigned char kBell = 0x07;
constexpr uint32_t kMaxParameter = 100'000;
constexpr uint32_t kBracketedPaste = 2004;
constexpr uint32_t kReportStatus = 5;
constexpr uint32_t kReportCursor = 6;

// Those that switch to the other screen; 1049 and, of old, 47 and 1047.
bool IsAlternateScreen(uint32_t mode) {
  return mode == 1049 || mode == 1047 || mode == 47;
}

bool IsOneOf(const char* characters, char c) {
  for (; *characters != '\0'; ++characters) {
    if (*characters == c) return true;
  }
  return false;
}

}  // namespace

bool ScreenEdge::LooksLikePrompt() const {
  return alternate_ || IsOneOf(":?>$#%])*", last_);
}

void ScreenEdge::Feed(const char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    switch (state_) {
      case State::kText:
        FeedText(byte);
        break;
      case State::kEscape:
        // `[` begins a sequence, `]`, `P`, `X`, `^` and `_` a string, and one that names a character set has
        // one more byte; others are complete.
        state_ = byte == '[' ? State::kSequence : State::kText;
        if (byte == ']' || byte == 'P' || byte == 'X' || byte == '^' || byte == '_') state_ = State::kString;
        if (byte >= 0x20 && byte <= 0x2f) state_ = State::kCharset;
        if (byte == 'c') alternate_ = marks_paste_ = false;  // a full reset
        if (byte == 'c' || byte == 'D' || byte == 'E' || byte == 'M') line_size_ = 0;
        is_private_ = false;
        is_first_ = true;
        is_plain_ = true;
        parameter_ = 0;
        break;
      case State::kCharset:
        if (byte < 0x20 || byte > 0x2f) state_ = State::kText;
        break;
      case State::kSequence:
        FeedSequence(byte);
        break;
      case State::kString:
        if (byte == kBell) state_ = State::kText;
        if (byte == kEscape) state_ = State::kStringEscape;
        break;
      case State::kStringEscape:
        state_ = byte == '\\' ? State::kText : State::kString;
        break;
    }
  }
}

void ScreenEdge::FeedText(unsigned char byte) {
  if (byte == kEscape) {
    state_ = State::kEscape;
  } else if (byte == '\n' || byte == '\r') {
    last_ = '\0';
    line_size_ = 0;
  } else if (byte == '\b') {
    Erase();
  } else if (byte == '\t') {
    AddToLine(' ');
  } else if (byte >= ' ' && byte != 0x7f) {
    if (byte != ' ') last_ = static_cast<char>(byte);
    AddToLine(byte);
  }
}

void ScreenEdge::AddToLine(unsigned char byte) {
  if (line_size_ == kMaxLine) {
    constexpr size_t kKept = kMaxLine / 2;
    memmove(line_, line_ + kMaxLine - kKept, kKept);
    line_size_ = kKept;
  }
  line_[line_size_++] = static_cast<char>(byte);
}

// One character, in UTF-8. What is written over is not put back.
void ScreenEdge::Erase() {
  while (line_size_ > 0 && (static_cast<unsigned char>(line_[--line_size_]) & 0xc0) == 0x80) {
  }
}

// What moves the cursor to another row, or to the beginning of its own: what is there is not known.
void ScreenEdge::Move(unsigned char final) {
  const bool begins = final == 'G' && parameter_ <= 1;
  if (begins || IsOneOf("ABEFHLMSTdefru", static_cast<char>(final))) line_size_ = 0;
  if (final == 'C') AddToLine(' ');
}

void ScreenEdge::FeedSequence(unsigned char byte) {
  if (byte == '?') {
    is_private_ = true;
    is_plain_ = false;
  } else if (byte >= '0' && byte <= '9') {
    if (is_first_ && parameter_ < kMaxParameter) parameter_ = parameter_ * 10 + (byte - '0');
  } else if (byte == ';') {
    is_first_ = false;
  } else if (byte >= 0x40 && byte <= 0x7e) {
    const bool sets = byte == 'h';
    if (is_private_ && (sets || byte == 'l')) {
      if (IsAlternateScreen(parameter_)) alternate_ = sets;
      if (parameter_ == kBracketedPaste) marks_paste_ = sets;
    }
    if (is_plain_) Move(byte);
    if (is_plain_ && is_first_) AddQuery(byte);
    state_ = State::kText;
  } else if (byte == kEscape) {
    state_ = State::kEscape;
  } else {
    is_plain_ = false;
  }
}

void ScreenEdge::AddQuery(unsigned char final) {
  TtyQuery query = TtyQuery::kDevice;
  if (final == 'n' && parameter_ == kReportCursor) {
    query = TtyQuery::kCursor;
  } else if (final == 'n' && parameter_ == kReportStatus) {
    query = TtyQuery::kStatus;
  } else if (final != 'c' || parameter_ != 0) {
    return;
  }
  if (query_count_ < kMaxQueries) queries_[query_count_++] = query;
}

}  // namespace bashward::supervisor
