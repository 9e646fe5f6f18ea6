// What of a terminal's output tells whether it waits: whether a program fills the screen, and how the line
// ends in which the cursor is; and what it asks of the terminal.
#ifndef BASHWARD_SUPERVISOR_TERMINAL_SCREEN_EDGE_H_
#define BASHWARD_SUPERVISOR_TERMINAL_SCREEN_EDGE_H_

#include <stddef.h>
#include <stdint.h>

#include "process/terminal_protocol.h"

namespace bashward::supervisor {

// What a program may ask of its terminal, and is answered. Nothing that a program could have set before, such
// as a title: it would be typed.
enum class TtyQuery : uint8_t { kCursor, kStatus, kDevice };

class ScreenEdge {
 public:
  static constexpr size_t kMaxQueries = 16;
  static constexpr size_t kMaxLine = protocol::kMaxCursorLine;

  // The next bytes of the output; sequences may be cut anywhere.
  void Feed(const char* bytes, size_t size);

  bool is_alternate() const { return alternate_; }
  bool marks_paste() const { return marks_paste_; }  // ESC [ ? 2004 h
  // Whether it looks like a question or a prompt: the last character is one that those end with, or a program
  // fills the screen.
  bool LooksLikePrompt() const;

  // What was printed last in the line of the cursor, as far as it is known where that is: no sequences in it,
  // and of a long line the end.
  const char* line() const { return line_; }
  size_t line_size() const { return line_size_; }

  // What has been asked since they were taken, in order; further ones are left out.
  size_t query_count() const { return query_count_; }
  TtyQuery query(size_t i) const { return queries_[i]; }
  void TakeQueries() { query_count_ = 0; }

 private:
  enum class State { kText, kEscape, kCharset, kSequence, kString, kStringEscape };

  void FeedText(unsigned char byte);
  void FeedSequence(unsigned char byte);
  void AddQuery(unsigned char final);
  void AddToLine(unsigned char byte);
  void Erase();
  void Move(unsigned char final);

  State state_ = State::kText;
  bool alternate_ = false;
  bool marks_paste_ = false;
  char last_ = '\0';  // of the line, but for blanks; NUL: it is empty
  bool is_private_ = false;
  uint32_t parameter_ = 0;  // the first one
  bool is_first_ = true;
  bool is_plain_ = true;  // without anything but numbers
  TtyQuery queries_[kMaxQueries] = {};
  size_t query_count_ = 0;
  char line_[kMaxLine] = {};
  size_t line_size_ = 0;
};

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_TERMINAL_SCREEN_EDGE_H_
