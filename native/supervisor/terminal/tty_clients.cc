#include "supervisor/terminal/tty_clients.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "sys/clock.h"
#include "sys/unique_fd.h"
#include "util/text.h"
#include "util/wipe.h"

namespace bashward::supervisor {
namespace {

using protocol::Step;
using protocol::TerminalHeader;
using protocol::TerminalMessage;
using sys::NowMs;

constexpr uint64_t kNever = ~uint64_t{0};
constexpr char kName[] = "tty";
// Whoever connects beyond that waits until others have been accepted.
constexpr int kBacklog = 64;

// Bound by a path through the directory's descriptor where its own is too long for an address (108 bytes).
bool Bind(int fd, const char* directory) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  util::Text<sizeof address.sun_path> path;
  path << directory << "/" << kName;
  sys::UniqueFd parent;
  if (strlen(directory) + sizeof kName + 1 > sizeof address.sun_path) {
    parent.reset(open(directory, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!parent.valid()) return false;
    path = {};
    path << "/proc/self/fd/" << parent.get() << "/" << kName;
  }
  memcpy(address.sun_path, path.c_str(), path.size() + 1);
  // The mode of the socket's file; the directory keeps others out in the meantime, too.
  const long mask = syscall(SYS_umask, 0177);
  const bool bound = syscall(SYS_bind, fd, &address, sizeof address) == 0;
  const int error = errno;
  syscall(SYS_umask, mask);
  errno = error;
  return bound;
}

bool IsOurs(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (syscall(SYS_getsockopt, fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  return peer.uid == 0 || peer.uid == static_cast<uid_t>(syscall(SYS_geteuid));
}

}  // namespace

bool TtyClients::Listen(const char* directory, protocol::Failed* failure) {
  constexpr int kType = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
  listening_ = static_cast<int>(syscall(SYS_socket, AF_UNIX, kType, 0));
  if (listening_ >= 0 && Bind(listening_, directory)) {
    directory_ = directory;
    if (syscall(SYS_listen, listening_, kBacklog) == 0) return true;
  }
  *failure = {Step::kListen, errno};
  return false;
}

void TtyClients::Close() {
  if (listening_ < 0) return;
  for (size_t i = 0; i < kMaxClients; ++i) Drop(i);
  close(listening_);
  listening_ = -1;
  if (directory_ == nullptr) return;
  util::Text<4200> path;  // PATH_MAX, and a name of ours
  path << directory_ << "/" << kName;
  unlinkat(AT_FDCWD, path.c_str(), 0);
}

size_t TtyClients::FillPolled(pollfd* polled) const {
  polled[0] = {listening_, POLLIN, 0};
  for (size_t i = 0; i < kMaxClients; ++i) {
    const short events = clients_[i].unsent > 0 ? POLLIN | POLLOUT : POLLIN;
    polled[i + 1] = {clients_[i].fd, events, 0};
  }
  return kMaxPolled;
}

void TtyClients::Serve(const pollfd* polled, const TtyHandler& handler) {
  for (size_t i = 0; i < kMaxClients; ++i) {
    // Whoever has taken this place since has not been polled.
    if (clients_[i].fd < 0 || clients_[i].fd != polled[i + 1].fd) continue;
    if ((polled[i + 1].revents & POLLOUT) != 0) Flush(i);
    if ((polled[i + 1].revents & ~POLLOUT) != 0 && clients_[i].fd >= 0) Receive(i, handler);
  }
  if (polled[0].revents != 0) AcceptAll();
}

uint64_t TtyClients::NextDeadlineMs() const {
  uint64_t next = kNever;
  for (const Client& client : clients_) {
    if (client.fd >= 0 && client.frame_at_ms != 0 && client.frame_at_ms < next) next = client.frame_at_ms;
  }
  return next;
}

void TtyClients::CloseLate(uint64_t now_ms) {
  for (size_t i = 0; i < kMaxClients; ++i) {
    if (clients_[i].fd >= 0 && clients_[i].frame_at_ms != 0 && clients_[i].frame_at_ms <= now_ms) Drop(i);
  }
}

// Not more at a time than there is room for: each may cost an older one its connection.
void TtyClients::AcceptAll() {
  for (size_t i = 0; i < kMaxClients && Accept(); ++i) {
  }
}

bool TtyClients::Accept() {
  const int fd =
      static_cast<int>(syscall(SYS_accept4, listening_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (fd < 0) return false;
  if (!IsOurs(fd)) {
    close(fd);
    return true;
  }
  const size_t place = MakeRoom();
  Client& client = clients_[place];
  client.fd = fd;
  client.connection = ++last_connection_;
  client.waiting = false;
  client.active_ms = NowMs();
  client.frame_at_ms = 0;
  client.received = 0;
  client.unsent = 0;
  const protocol::Hello hello{protocol::kTerminalMagic, 0};
  Send(place, TerminalMessage::kHello, &hello, sizeof hello);
  return true;
}

size_t TtyClients::MakeRoom() {
  size_t oldest = 0;
  for (size_t i = 0; i < kMaxClients; ++i) {
    if (clients_[i].fd < 0) return i;
    const bool idler = !clients_[i].waiting && clients_[oldest].waiting;
    const bool older = clients_[i].active_ms < clients_[oldest].active_ms;
    if (idler || (older && clients_[i].waiting == clients_[oldest].waiting)) oldest = i;
  }
  Drop(oldest);
  return oldest;
}

void TtyClients::Receive(size_t index, const TtyHandler& handler) {
  Client& client = clients_[index];
  const ssize_t count = recv(client.fd, client.frame + client.received, kMaxFrame - client.received, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return Drop(index);
  client.active_ms = NowMs();
  client.received += static_cast<size_t>(count);
  if (!TakeMessages(index, handler)) Drop(index);
}

// What is left is the beginning of a frame, at the beginning of the buffer.
bool TtyClients::TakeMessages(size_t index, const TtyHandler& handler) {
  Client& client = clients_[index];
  const int fd = client.fd;
  size_t position = 0;
  while (client.received - position >= sizeof(TerminalHeader)) {
    TerminalHeader header{};
    memcpy(&header, client.frame + position, sizeof header);
    if (header.size > protocol::kMaxTerminalBody) return false;
    if (client.received - position - sizeof header < header.size) break;
    const TtyMessage message{index, header.type, client.frame + position + sizeof header, header.size};
    if (!handler.take(handler.argument, message)) return false;
    // Its answer may have ended it.
    if (client.fd != fd) return true;
    position += sizeof header + header.size;
  }
  client.received -= position;
  memmove(client.frame, client.frame + position, client.received);
  // It may have been a secret.
  util::Wipe(client.frame + client.received, position);
  if (client.received == 0) {
    client.frame_at_ms = 0;
  } else if (position > 0 || client.frame_at_ms == 0) {
    client.frame_at_ms = NowMs() + kFrameMs;
  }
  return true;
}

void TtyClients::Send(size_t index, TerminalMessage type, const void* body, size_t size) {
  Client& client = clients_[index];
  if (client.fd < 0) return;
  const TerminalHeader header{type, static_cast<uint32_t>(size)};
  if (client.unsent + sizeof header + size > kMaxUnsent) return Drop(index);
  memcpy(client.answers + client.unsent, &header, sizeof header);
  memcpy(client.answers + client.unsent + sizeof header, body, size);
  client.unsent += sizeof header + size;
  Flush(index);
}

uint32_t TtyClients::Connection(size_t index) const {
  return clients_[index].fd < 0 ? 0 : clients_[index].connection;
}

void TtyClients::SetWaiting(size_t index, bool waiting) {
  clients_[index].waiting = waiting;
}

void TtyClients::Flush(size_t index) {
  Client& client = clients_[index];
  const ssize_t count = send(client.fd, client.answers, client.unsent, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR || errno == ENOBUFS || errno == ENOMEM)) return;
  if (count < 0) return Drop(index);
  client.unsent -= static_cast<size_t>(count);
  memmove(client.answers, client.answers + count, client.unsent);
}

void TtyClients::Drop(size_t index) {
  Client& client = clients_[index];
  if (client.fd < 0) return;
  close(client.fd);
  client.fd = -1;
  util::Wipe(client.frame, client.received);
}

}  // namespace bashward::supervisor
