// The host's end of the control protocol: framing, and what could not be sent yet.
#ifndef BASHWARD_PROCESS_CONTROL_CHANNEL_H_
#define BASHWARD_PROCESS_CONTROL_CHANNEL_H_

#include <sys/types.h>

#include <functional>
#include <string>
#include <utility>

#include "process/control_protocol.h"
#include "process/event_loop.h"
#include "sys/unique_fd.h"

namespace bashward::process {

class ControlChannel {
 public:
  // A message, or nullptr at the end of the stream. The callback may close the channel.
  using Callback = std::function<void(const protocol::MessageHeader* header, const char* body)>;

  ControlChannel(EventLoop& loop, Callback callback);

  // 0 or errno.
  int Open(sys::UniqueFd socket);
  void Close();
  bool is_open() const { return socket_.valid(); }
  // The descriptor that came last with a message; invalid when there was none.
  sys::UniqueFd TakeDescriptor() { return std::move(descriptor_); }
  // The same when it is a regular file. A message whose descriptor could not be sent may come together with
  // the next one, whose descriptor it would take.
  sys::UniqueFd TakeFile();

  // Never blocks: what the socket does not take now follows when it does. 0 or errno, when the kernel has no
  // memory for it: then the stream has ended, for both sides. A supervisor that is gone shows as its end,
  // too.
  int Send(protocol::MessageType type, const void* body, size_t size);

 private:
  void OnReady(uint32_t events);
  int Flush();
  void Receive();
  // `is_last`: nothing more lies there.
  ssize_t ReceiveChunk(char* chunk, size_t size, bool* is_last);
  // Hands on the messages that are complete. False when nothing more is to be read.
  bool Dispatch();

  sys::UniqueFd socket_;
  sys::UniqueFd descriptor_;
  Watch watch_;
  Callback callback_;
  bool awaits_room_ = false;
  std::string outgoing_;
  std::string incoming_;
};

}  // namespace bashward::process

#endif  // BASHWARD_PROCESS_CONTROL_CHANNEL_H_
