#include "broker/sockets/proc_net_tcp.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>

#include "broker/kernel.h"
#include "util/text.h"

namespace bashward::broker {
namespace {

constexpr int kWordDigits = 8;
constexpr int kPortDigits = 4;
constexpr int kStateDigits = 2;
constexpr size_t kMappedPrefix = 12;

bool TakeHex(const char** position, int digits, uint32_t* number) {
  *number = 0;
  for (int i = 0; i < digits; ++i) {
    const char c = *(*position)++;
    uint32_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<uint32_t>(c - '0');
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<uint32_t>(c - 'A') + 10;
    } else {
      return false;
    }
    *number = *number * 16 + digit;
  }
  return true;
}

bool Take(const char** position, char wanted) {
  if (**position != wanted) return false;
  ++*position;
  return true;
}

void SkipSpaces(const char** position) {
  while (**position == ' ') ++*position;
}

void SkipField(const char** position) {
  SkipSpaces(position);
  while (**position != ' ' && **position != '\0') ++*position;
}

// Each word of an address is written as a number of this machine, whose least byte is the first.
bool TakeEndpoint(const char** position, uint16_t family, Endpoint* endpoint) {
  memset(endpoint, 0, sizeof *endpoint);
  endpoint->family = family;
  uint32_t number = 0;
  const int words = family == AF_INET ? 1 : 4;
  for (int i = 0; i < words; ++i) {
    if (!TakeHex(position, kWordDigits, &number)) return false;
    memcpy(endpoint->address + static_cast<size_t>(i) * sizeof number, &number, sizeof number);
  }
  if (!Take(position, ':') || !TakeHex(position, kPortDigits, &number)) return false;
  endpoint->port = static_cast<uint16_t>(number);
  static constexpr uint8_t kMapped[kMappedPrefix] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  for (size_t i = 0; i < kMappedPrefix; ++i) {
    if (family == AF_INET || endpoint->address[i] != kMapped[i]) return true;
  }
  endpoint->family = AF_INET;
  memmove(endpoint->address, endpoint->address + kMappedPrefix, sizeof number);
  memset(endpoint->address + sizeof number, 0, kMappedPrefix);
  return true;
}

int ReadList(const char* path, uint16_t family, VisitListed visit, void* context) {
  const kernel::Descriptor file = kernel::OpenOwn(path, O_RDONLY);
  if (!file.valid()) return file.error();
  static char buffer[4096];
  size_t filled = 0;
  for (;;) {
    const long count = kernel::Call(SYS_read, file.get(), buffer + filled, sizeof buffer - filled);
    if (count == -EINTR) continue;
    if (count < 0) return static_cast<int>(count);
    if (count == 0) return 0;
    filled += static_cast<size_t>(count);
    size_t start = 0;
    for (size_t i = 0; i < filled; ++i) {
      if (buffer[i] != '\n') continue;
      buffer[i] = '\0';
      ListedSocket socket;
      if (ParseListedSocket(buffer + start, family, &socket)) visit(context, socket);
      start = i + 1;
    }
    if (start == 0 && filled == sizeof buffer) return -EPROTO;
    filled -= start;
    memmove(buffer, buffer + start, filled);
  }
}

}  // namespace

bool ParseListedSocket(const char* line, uint16_t family, ListedSocket* socket) {
  SkipField(&line);
  SkipSpaces(&line);
  uint32_t state = 0;
  if (!TakeEndpoint(&line, family, &socket->local) || !Take(&line, ' ') ||
      !TakeEndpoint(&line, family, &socket->remote) || !Take(&line, ' ') ||
      !TakeHex(&line, kStateDigits, &state)) {
    return false;
  }
  socket->state = static_cast<uint8_t>(state);
  // Queues, timer, retransmissions, user, timeout.
  for (int i = 0; i < 5; ++i) SkipField(&line);
  SkipSpaces(&line);
  if (!util::IsDigit(*line)) return false;
  socket->inode = util::TakeNumber(&line);
  return true;
}

int ForEachListedSocket(VisitListed visit, void* context) {
  const int error = ReadList("/proc/thread-self/net/tcp", AF_INET, visit, context);
  if (error != 0) return error;
  // There is none without IPv6.
  const int error6 = ReadList("/proc/thread-self/net/tcp6", AF_INET6, visit, context);
  return error6 == -ENOENT ? 0 : error6;
}

}  // namespace bashward::broker
