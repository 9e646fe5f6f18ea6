#include "supervisor/proxy_connection.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "broker/sockets/inet_address.h"
#include "sys/clock.h"

namespace bashward::supervisor {
namespace {

using protocol::Operation;
using protocol::Step;

// The proxy is on this machine, which may be busy.
constexpr uint64_t kPatienceMs = 10'000;
constexpr char kAgreement[] = "OK\n";
constexpr char kRefusal[] = "DENIED ";
// So much is read before other things get their turn.
constexpr int kReadsInARow = 16;

// False with errno: ETIMEDOUT when the deadline has come.
bool WaitFor(int fd, short events, uint64_t deadline) {
  const uint64_t now = sys::NowMs();
  const uint64_t left = deadline > now ? deadline - now : 0;
  const timespec timeout{static_cast<time_t>(left / 1000), static_cast<long>(left % 1000) * 1'000'000};
  pollfd entry{fd, events, 0};
  const int count = ppoll(&entry, 1, &timeout, nullptr);
  if (count == 0) errno = ETIMEDOUT;
  return count > 0 || (count < 0 && errno == EINTR);
}

bool Connect(int fd, uint32_t port, uint64_t deadline) {
  const broker::WrittenAddress to =
      broker::Write({AF_INET, {AF_INET, {127, 0, 0, 1}, static_cast<uint16_t>(port)}});
  if (syscall(SYS_connect, fd, to.bytes, to.size) == 0) return true;
  if (errno != EINPROGRESS || !WaitFor(fd, POLLOUT, deadline)) return false;
  int error = 0;
  socklen_t size = sizeof error;
  if (syscall(SYS_getsockopt, fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) return false;
  errno = error;
  return error == 0;
}

bool SendAll(int fd, const char* data, size_t size, uint64_t deadline) {
  while (size > 0) {
    const ssize_t count = send(fd, data, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno != EAGAIN || !WaitFor(fd, POLLOUT, deadline))) return false;
    if (count < 0) continue;
    data += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

// What comes behind it is left for later.
bool ReceiveAgreement(int fd, uint64_t deadline) {
  char text[sizeof kAgreement] = {};
  for (size_t size = 0; size < sizeof kAgreement - 1;) {
    const ssize_t count = recv(fd, text + size, sizeof kAgreement - 1 - size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno != EAGAIN || !WaitFor(fd, POLLIN, deadline))) return false;
    if (count == 0) {
      errno = EPROTO;
      return false;
    }
    if (count > 0) size += static_cast<size_t>(count);
  }
  errno = EPROTO;
  return strcmp(text, kAgreement) == 0;
}

}  // namespace

bool ProxyConnection::Open(const Request& request, protocol::Failed* failure) {
  const uint64_t deadline = sys::NowMs() + kPatienceMs;
  fd_.reset(static_cast<int>(syscall(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)));
  const bool opened = fd_.valid() && Connect(fd_.get(), request.header.proxy_control_port, deadline) &&
                      SendAll(fd_.get(), request.proxy_grant, request.proxy_grant_length, deadline) &&
                      ReceiveAgreement(fd_.get(), deadline);
  if (!opened) *failure = {Step::kProxy, errno};
  return opened;
}

bool ProxyConnection::Read(broker::DenialLog* denials) {
  if (!fd_.valid()) return false;
  for (int reads = 0; reads < kReadsInARow;) {
    char buffer[1024];
    const ssize_t count = recv(fd_.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return true;
    if (count <= 0) {
      fd_.reset();
      denials->Add(Operation::kReachHost, "", 0);
      return false;
    }
    ++reads;
    for (ssize_t i = 0; i < count; ++i) {
      if (buffer[i] == '\n') {
        TakeLine(denials);
      } else if (line_size_ < kMaxLine) {
        line_[line_size_++] = buffer[i];
      }
    }
  }
  return true;
}

void ProxyConnection::TakeLine(broker::DenialLog* denials) {
  constexpr size_t kPrefix = sizeof kRefusal - 1;
  bool is_refusal = line_size_ > kPrefix;
  for (size_t i = 0; is_refusal && i < kPrefix; ++i) is_refusal = line_[i] == kRefusal[i];
  if (is_refusal) denials->Add(Operation::kReachHost, line_ + kPrefix, line_size_ - kPrefix);
  line_size_ = 0;
}

}  // namespace bashward::supervisor
