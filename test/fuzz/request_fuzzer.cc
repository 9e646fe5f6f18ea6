// The supervisor reads any request, from a host that is another program or has gone mad: it refuses it, or
// every text in it ends where it is said to.
#include <fcntl.h>
#include <fuzzer/FuzzedDataProvider.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>

#include "process/control_protocol.h"
#include "require.h"
#include "supervisor/request.h"

namespace bashward::supervisor {
namespace {

// A socket takes more than that at once.
constexpr size_t kMaxText = 16 * 1024;

// Right but for what the input says otherwise.
std::string MakeMessage(FuzzedDataProvider* input) {
  protocol::Request header{};
  header.magic =
      input->ConsumeProbability<float>() < 0.99F ? protocol::kMagic : input->ConsumeIntegral<uint32_t>();
  header.limit_count = input->ConsumeIntegralInRange<uint32_t>(0, protocol::kMaxLimits + 1);
  std::string text;
  uint32_t* const sizes[] = {&header.shell_size,         &header.command_size,         &header.directory_size,
                             &header.job_directory_size, &header.job_description_size, &header.prologue_size,
                             &header.scratch_size,       &header.proxy_grant_size,     &header.mark_size};
  for (uint32_t* size : sizes) {
    const std::string part = input->ConsumeRandomLengthString(64);
    text += part;
    text.push_back('\0');
    *size = static_cast<uint32_t>(part.size()) + 1;
  }
  const std::string environment = input->ConsumeRandomLengthString(kMaxText / 2);
  text += environment;
  header.environment_size = static_cast<uint32_t>(environment.size());
  for (const char c : environment) header.environment_count += c == '\0' ? 1 : 0;
  if (input->ConsumeBool()) *sizes[input->ConsumeIntegralInRange(0, 8)] = input->ConsumeIntegral<uint32_t>();
  if (input->ConsumeBool()) header.environment_count = input->ConsumeIntegral<uint32_t>();
  if (input->ConsumeBool()) header.environment_size = input->ConsumeIntegral<uint32_t>();
  if (input->ConsumeBool()) header.flags = input->ConsumeIntegral<uint32_t>();
  if (input->ConsumeBool()) header.prologue_descriptor = input->ConsumeIntegral<uint32_t>();
  if (input->ConsumeBool()) header.proxy_port = input->ConsumeIntegral<uint32_t>();
  if (input->ConsumeBool()) header.rows = input->ConsumeIntegral<uint16_t>();
  if (input->ConsumeBool()) header.columns = input->ConsumeIntegral<uint16_t>();
  protocol::MessageHeader message{protocol::MessageType::kRequest,
                                  static_cast<uint32_t>(sizeof header + text.size())};
  if (input->ConsumeBool()) message.size = input->ConsumeIntegral<uint32_t>();
  std::string bytes(reinterpret_cast<const char*>(&message), sizeof message);
  bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
  return bytes + text;
}

std::array<uint32_t, 9> SizesOf(const protocol::Request& header) {
  return {header.shell_size,         header.command_size,         header.directory_size,
          header.job_directory_size, header.job_description_size, header.prologue_size,
          header.scratch_size,       header.proxy_grant_size,     header.mark_size};
}

void RequireTexts(const Request& request) {
  const char* const texts[] = {request.shell,         request.command,         request.directory,
                               request.job_directory, request.job_description, request.prologue,
                               request.scratch,       request.proxy_grant,     request.mark};
  const protocol::Request& header = request.header;
  const auto sizes = SizesOf(header);
  for (size_t i = 0; i < sizes.size(); ++i) {
    Require(strlen(texts[i]) < sizes[i], "a text goes on behind its end");
    Require(i == 0 || texts[i] == texts[i - 1] + sizes[i - 1], "a text is not behind the one before it");
  }
  Require(request.command_length == header.command_size - 1, "the length of the command is another one");
  const char* const end_of_texts = texts[sizes.size() - 1] + sizes.back();
  uint32_t count = 0;
  for (char** entry = request.environment; *entry != nullptr; ++entry) {
    ++count;
    Require(*entry >= end_of_texts, "a variable is not behind the texts");
    Require(*entry + strlen(*entry) < end_of_texts + header.environment_size, "a variable has no end");
  }
  Require(count == header.environment_count, "there is another number of variables");
  const uint32_t descriptor = header.prologue_descriptor;
  Require((header.flags & protocol::kSession) == 0 ||
              (descriptor >= uint32_t{protocol::kMaxInheritedFds} && descriptor < INT_MAX),
          "the descriptors of a session are in use, or no numbers");
}

// Just what was mapped, as the header says it, which need not be what was sent: the page behind it is
// somebody else's.
void Unmap(const Request& request) {
  if (request.environment == nullptr) return;
  const protocol::Request& header = request.header;
  const size_t pointers_size = (size_t{header.environment_count} + 1) * sizeof(char*);
  size_t text_size = header.environment_size;
  for (const uint32_t size : SizesOf(header)) text_size += size;
  Require(munmap(request.environment, pointers_size + text_size) == 0, "the request cannot be unmapped");
}

}  // namespace
}  // namespace bashward::supervisor

// Before libFuzzer opens a file of its own there.
extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  using namespace bashward;
  int fd = 0;
  while (fd < protocol::kControlFd) fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  Require(fd == protocol::kControlFd, "something else has the descriptor of the control socket");
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace bashward;
  using namespace bashward::supervisor;
  FuzzedDataProvider input(bytes, size);
  const std::string message = MakeMessage(&input);
  int sockets[2];
  Require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0, "there are no sockets");
  const size_t sent =
      input.ConsumeBool() ? message.size() : input.ConsumeIntegralInRange<size_t>(0, message.size());
  Require(send(sockets[0], message.data(), sent, MSG_DONTWAIT) == static_cast<ssize_t>(sent),
          "too long a message");
  close(sockets[0]);
  dup2(sockets[1], protocol::kControlFd);
  close(sockets[1]);

  Request request{};
  if (ReceiveRequest(&request)) {
    Require(sent == message.size(), "a request that is incomplete was taken");
    RequireTexts(request);
  }
  Unmap(request);
  return 0;
}
