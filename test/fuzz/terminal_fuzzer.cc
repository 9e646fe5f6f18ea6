// Whoever connects to a terminal may send anything, programs print anything, and /proc shows names of their
// choosing: messages are taken whole or end their connection, and what is read stays within its bounds.
#include <fuzzer/FuzzedDataProvider.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "process/terminal_protocol.h"
#include "require.h"
#include "supervisor/terminal/screen_edge.h"
#include "supervisor/terminal/secret_filter.h"
#include "supervisor/terminal/tty_clients.h"
#include "supervisor/waiting/proc_text.h"

namespace bashward::supervisor {
namespace {

// Of this process, and its only one.
struct World {
  World() {
    char path[] = "/tmp/bashward-terminal-fuzzer-XXXXXX";
    Require(mkdtemp(path) != nullptr, "there is no directory");
    directory = path;
    protocol::Failed failure{};
    Require(clients.Listen(directory.c_str(), &failure), "it cannot listen");
  }
  ~World() {
    clients.Close();
    rmdir(directory.c_str());
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  std::string directory;
  TtyClients clients;
};

int Connect(const World& world) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = world.directory + "/tty";
  memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  Require(fd >= 0 && connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0,
          "nobody listens");
  return fd;
}

bool Take(void* argument, const TtyMessage& message) {
  auto* const world = static_cast<World*>(argument);
  Require(message.client < TtyClients::kMaxClients, "there is no such client");
  Require(message.size <= protocol::kMaxTerminalBody, "a message is too large");
  std::string copy(message.body, message.size);
  world->clients.Send(message.client, protocol::TerminalMessage::kState, copy.data(), copy.size() % 256);
  return copy.empty() || copy[0] != 'x';
}

void Serve(World* world) {
  for (int round = 0; round < 64; ++round) {
    pollfd polled[TtyClients::kMaxPolled];
    const size_t count = world->clients.FillPolled(polled);
    if (poll(polled, count, 0) <= 0) return;
    world->clients.Serve(polled, {Take, world});
  }
}

void Talk(World* world, FuzzedDataProvider* input) {
  const int fds[] = {Connect(*world), Connect(*world)};
  while (input->remaining_bytes() > 0) {
    const std::string bytes = input->ConsumeRandomLengthString(300);
    const ssize_t sent = send(fds[input->ConsumeBool() ? 1 : 0], bytes.data(), bytes.size(), MSG_NOSIGNAL);
    static_cast<void>(sent);  // it may have been closed
    Serve(world);
    world->clients.CloseLate(0);
  }
  for (const int fd : fds) close(fd);
  Serve(world);
}

// A secret that is in the output, and the output in two parts.
void Hide(const std::string& text) {
  if (text.size() < SecretFilter::kMinSize) return;
  const std::string secret = text.substr(text.size() / 2, protocol::kMaxSecret);
  SecretFilter filter;
  if (filter.Add(secret.data(), secret.size()) != 0) abort();
  prctl(PR_SET_DUMPABLE, 1);  // or its leaks could not be looked for
  std::string shown;
  for (const std::string& part : {text, std::string("\n"), text}) {
    for (const std::string& piece : {part.substr(0, part.size() / 3), part.substr(part.size() / 3)}) {
      if (piece.size() > SecretMemory::kMaxRead) return;
      const Shown applied = filter.Apply(piece.data(), piece.size());
      shown.append(applied.bytes, applied.size);
    }
  }
  const Shown rest = filter.Release();
  shown.append(rest.bytes, rest.size);
  // The mark may stand beside what makes one of it again.
  Require(secret.size() < SecretFilter::kMinSize || secret.find_first_of("[secret]") != std::string::npos ||
              shown.find(secret) == std::string::npos,
          "a secret is shown");
  filter.Forget();
}

void Read(const std::string& text) {
  ThreadStat stat{};
  if (ParseThreadStat(text.data(), text.size(), &stat)) {
    Require(stat.name_size <= ThreadStat::kMaxName && stat.name[stat.name_size] == '\0', "a name has no end");
  }
  ParseSystemCall(text.c_str());
  DescriptorInfo info{};
  ParseDescriptorInfo(text.c_str(), &info);
  const size_t half = text.size() / 2;
  ScreenEdge whole;
  ScreenEdge parts;
  whole.Feed(text.data(), text.size());
  parts.Feed(text.data(), half);
  parts.Feed(text.data() + half, text.size() - half);
  Require(
      whole.line_size() == parts.line_size() && memcmp(whole.line(), parts.line(), whole.line_size()) == 0,
      "the line depends on how it is cut");
  Require(whole.LooksLikePrompt() == parts.LooksLikePrompt() &&
              whole.is_alternate() == parts.is_alternate() && whole.marks_paste() == parts.marks_paste(),
          "it depends on how it is cut");
}

}  // namespace
}  // namespace bashward::supervisor

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace bashward::supervisor;
  static World world;
  FuzzedDataProvider input(bytes, size);
  if (input.ConsumeBool()) {
    Talk(&world, &input);
  } else {
    const std::string text = input.ConsumeRemainingBytesAsString();
    Read(text);
    Hide(text);
  }
  return 0;
}
