// What a host holds of a command's output, on its way into the file of the job that the command becomes.
#ifndef BASHWARD_PROCESS_HANDED_OUTPUT_H_
#define BASHWARD_PROCESS_HANDED_OUTPUT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "process/event_loop.h"
#include "process/saved_output.h"
#include "process/worker_thread.h"
#include "sys/unique_fd.h"
#include "util/head_tail_buffer.h"

namespace bashward::process {

struct HandedReport {
  uint64_t size = 0;     // bytes in the file
  uint64_t dropped = 0;  // of the output, not in the file
  int error = 0;         // errno, when not all of that could be written
};

// Written on a thread of its own: a disk that hangs holds up this command and no other.
class HandedOutput {
 public:
  using Callback = std::function<void(HandedReport)>;

  // `on_written` is called when the file has been written and closed, unless this object has ended before.
  HandedOutput(EventLoop& loop, Callback on_written);
  HandedOutput(const HandedOutput&) = delete;
  HandedOutput& operator=(const HandedOutput&) = delete;

  // Writes head and tail, and between them how much is missing; or, where `saved` (may be null) has it, the
  // whole.
  void Write(sys::UniqueFd file, const util::HeadTailBuffer& captured, const SavedOutput* saved);

 private:
  EventLoop& loop_;
  // Tasks on their way back find out whether this object still lives.
  std::shared_ptr<Callback> on_written_;
};

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_HANDED_OUTPUT_H_
