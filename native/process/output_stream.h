// One output pipe of a command: read, bounded, counted, and shown live to a listener.
#ifndef BASHWARD_PROCESS_OUTPUT_STREAM_H_
#define BASHWARD_PROCESS_OUTPUT_STREAM_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "process/event_loop.h"
#include "process/saved_output.h"
#include "sys/unique_fd.h"
#include "util/head_tail_buffer.h"
#include "util/live_window.h"

namespace bashward::process {

// What all streams of a reactor share. An ordinary user's pipe buffers are limited per uid
// (fs.pipe-user-pages-soft): were every flood given a large pipe, every other process of that user would be
// left with 8 KiB pipes.
struct OutputResources {
  static constexpr int kMaxLargePipes = 16;
  int large_pipes = 0;
  int null_fd = -1;                // /dev/null, where a flood's middle goes
  std::unique_ptr<char[]> buffer;  // kReadSize bytes, used within one read
};

class OutputStream {
 public:
  struct Limits {
    size_t head;
    size_t tail;
  };
  // Receives what a live view may see; null for none.
  using LiveCallback = std::function<void(util::LiveWindow::Piece)>;

  // `on_end` runs once, when every write end is closed. It may not destroy the stream.
  OutputStream(EventLoop& loop, OutputResources& resources, Limits limits, LiveCallback on_live,
               std::function<void()> on_end);
  ~OutputStream();
  OutputStream(const OutputStream&) = delete;
  OutputStream& operator=(const OutputStream&) = delete;

  // From now on, output beyond the head goes to this file as well, after the head itself. Must outlive the
  // stream.
  void SaveTo(SavedOutput* saved);
  // Takes a non-blocking read end. 0 or errno.
  int Open(sys::UniqueFd pipe);
  // Reads everything that is in the pipe now, and no more: a survivor may go on writing for ever.
  void ReadAvailable();
  // The supervisor reads from here on, after what is in the pipe now and until Resume(). Two readers at
  // once would each get pieces of the text.
  void Yield();
  // The supervisor is gone. 0 or errno.
  int Resume();
  // Stops reading and shows the live view the rest.
  void Close();
  bool ended() const { return !pipe_.valid(); }
  int fd() const { return pipe_.get(); }

  util::HeadTailBuffer& captured() { return captured_; }

 private:
  enum class Progress { kDrained, kMore, kEnd };

  void OnReady();
  // Comes back when the pipe holds something again, or after a pause when that saves work.
  void AwaitMore(uint64_t got);
  void Keep(const char* data, size_t size);
  // Reads at most about `budget` bytes.
  Progress Drain(uint64_t budget);
  // Each one system call's worth: the number of bytes, 0 at the end, -1 when the pipe is empty.
  int64_t ReadSome();
  int64_t ReadOnce();
  int64_t Discard();
  void Enlarge();
  void ScheduleLive();
  void FlushLive();

  OutputResources& resources_;
  LiveCallback on_live_;
  std::function<void()> on_end_;
  sys::UniqueFd pipe_;
  Watch watch_;
  Timer pause_timer_;
  Timer live_timer_;
  util::HeadTailBuffer captured_;
  util::LiveWindow live_;
  SavedOutput* saved_ = nullptr;
  bool saving_ = false;
  bool yielded_ = false;
  bool large_ = false;
  uint64_t pause_ns_ = 0;  // the last one
};

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_OUTPUT_STREAM_H_
