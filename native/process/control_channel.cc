#include "process/control_channel.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <cstring>

namespace bashward::process {
namespace {

// The largest message of a supervisor is `Ended` with every survivor it may name.
constexpr size_t kMaxBody = sizeof(protocol::Ended) + protocol::kMaxSurvivors * sizeof(protocol::Survivor);

}  // namespace

ControlChannel::ControlChannel(EventLoop& loop, Callback callback)
    : watch_(loop, [this](uint32_t events) { OnReady(events); }), callback_(std::move(callback)) {}

int ControlChannel::Open(sys::UniqueFd socket) {
  socket_ = std::move(socket);
  return watch_.Set(socket_.get(), EPOLLIN);
}

void ControlChannel::Close() {
  watch_.Stop();
  socket_.reset();
  outgoing_.clear();
  incoming_.clear();
  descriptor_.reset();
}

int ControlChannel::Send(protocol::MessageType type, const void* body, size_t size) {
  if (!is_open()) return 0;
  const bool idle = outgoing_.empty();
  const protocol::MessageHeader header{type, static_cast<uint32_t>(size)};
  outgoing_.append(reinterpret_cast<const char*>(&header), sizeof header);
  outgoing_.append(static_cast<const char*>(body), size);
  return idle ? Flush() : 0;
}

int ControlChannel::Flush() {
  size_t sent = 0;
  int error = 0;
  while (sent < outgoing_.size()) {
    const ssize_t count =
        send(socket_.get(), outgoing_.data() + sent, outgoing_.size() - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) break;
    if (count < 0) {
      // EPIPE: nobody reads any more. ENOBUFS and ENOMEM: the other side would wait for the missing
      // message.
      if (errno != EPIPE) error = errno;
      shutdown(socket_.get(), SHUT_RDWR);
      sent = outgoing_.size();
    }
    if (count > 0) sent += static_cast<size_t>(count);
  }
  outgoing_.erase(0, sent);
  if (awaits_room_ == !outgoing_.empty()) return error;
  awaits_room_ = !outgoing_.empty();
  watch_.Set(socket_.get(), awaits_room_ ? EPOLLIN | EPOLLOUT : EPOLLIN);
  return error;
}

sys::UniqueFd ControlChannel::TakeFile() {
  struct stat status{};
  const bool is_file = fstat(descriptor_.get(), &status) == 0 && S_ISREG(status.st_mode);
  return is_file ? TakeDescriptor() : sys::UniqueFd();
}

void ControlChannel::OnReady(uint32_t events) {
  if ((events & EPOLLOUT) != 0) Flush();
  if ((events & ~static_cast<uint32_t>(EPOLLOUT)) != 0) Receive();
}

ssize_t ControlChannel::ReceiveChunk(char* chunk, size_t size, bool* is_last) {
  iovec part{chunk, size};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t count = recvmsg(socket_.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (count < 0) return count;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(int))) {
    int descriptor = -1;
    memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    descriptor_.reset(descriptor);
  }
  // The kernel ends a read behind a descriptor, whatever follows; also when there was no room for it here.
  const bool had_descriptor = header != nullptr || (message.msg_flags & MSG_CTRUNC) != 0;
  *is_last = static_cast<size_t>(count) < size && !had_descriptor;
  return count;
}

void ControlChannel::Receive() {
  char chunk[4096];
  for (bool is_last = false; !is_last;) {
    const ssize_t count = ReceiveChunk(chunk, sizeof chunk, &is_last);
    if (count < 0 && errno == EINTR) continue;
    // ECONNRESET: the supervisor ended before it had read everything. ENOMEM: it is still there.
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != ENOMEM)) return callback_(nullptr, nullptr);
    if (count < 0) return;
    incoming_.append(chunk, static_cast<size_t>(count));
    // Before the next read, whose descriptor would take the place of this one's.
    if (!Dispatch()) return;
  }
}

bool ControlChannel::Dispatch() {
  size_t position = 0;
  while (incoming_.size() - position >= sizeof(protocol::MessageHeader)) {
    protocol::MessageHeader header;
    memcpy(&header, incoming_.data() + position, sizeof header);
    if (header.size > kMaxBody) {
      callback_(nullptr, nullptr);  // not our supervisor's: treated as its end
      return false;
    }
    if (incoming_.size() - position - sizeof header < header.size) break;
    callback_(&header, incoming_.data() + position + sizeof header);
    if (!is_open()) return false;
    position += sizeof header + header.size;
  }
  incoming_.erase(0, position);
  return true;
}

}  // namespace bashward::process
