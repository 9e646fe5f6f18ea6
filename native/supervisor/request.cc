#include "supervisor/request.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>

#include "supervisor/control.h"

namespace bashward::supervisor {
namespace {

// What came is not our request; no system call has failed.
bool Refuse() {
  errno = 0;
  return false;
}

// A host of another version asks for what this one does not know: to run the command without that would be
// less than was asked for.
bool RefuseFlags() {
  errno = ENOTSUP;
  return false;
}

// One pipe is pumped, or one terminal; and only a job has somebody who does that.
bool HasOddTerminal(const protocol::Request& header) {
  if ((header.flags & protocol::kTerminal) == 0) return header.rows != 0 || header.columns != 0;
  constexpr uint32_t kOthers =
      protocol::kBackground | protocol::kSeparateStreams | protocol::kHasInput | protocol::kProbe;
  return (header.flags & kOthers) != protocol::kBackground || header.rows == 0 || header.columns == 0;
}

// Whether a block is that many texts, each ended by a NUL.
bool HasEntries(const char* block, size_t size, uint32_t count) {
  uint32_t found = 0;
  for (size_t i = 0; i < size; ++i) found += block[i] == '\0' ? 1 : 0;
  return found == count && (size == 0 || block[size - 1] == '\0');
}

}  // namespace

bool ReceiveAdoption(uint32_t size, Adoption* adoption) {
  protocol::Adoption header;
  if (size < sizeof header || size > protocol::kMaxRequest) return Refuse();
  if (!ReceiveAll(&header, sizeof header)) return false;
  const size_t text_size = size - sizeof header;
  if (header.directory_size == 0 || header.description_size == 0 ||
      size_t{header.directory_size} + header.description_size != text_size) {
    return Refuse();
  }
  void* memory = mmap(nullptr, text_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  const char* text = static_cast<char*>(memory);
  if (!ReceiveAll(memory, text_size)) return false;
  *adoption = {text, text + header.directory_size, header.output_limit};
  return (adoption->description[-1] == '\0' && text[text_size - 1] == '\0') || Refuse();
}

bool ReceiveHandOver(uint32_t size, HandOver* plan) {
  protocol::HandOver header;
  if (size < sizeof header) return Refuse();
  if (!ReceiveAll(&header, sizeof header)) return false;
  plan->limit_ms = header.limit_ms;
  plan->remaining_ms = header.remaining_ms;
  return ReceiveAdoption(static_cast<uint32_t>(size - sizeof header), &plan->job);
}

bool ReceiveRequest(Request* request) {
  protocol::MessageHeader message;
  if (!ReceiveAll(&message, sizeof message)) return false;
  if (message.type != protocol::MessageType::kRequest || message.size > protocol::kMaxRequest)
    return Refuse();
  protocol::Request& header = request->header;
  if (message.size < sizeof header) return Refuse();
  if (!ReceiveAll(&header, sizeof header)) return false;
  const size_t text_size = message.size - sizeof header;
  if (header.proxy_port > UINT16_MAX || header.proxy_control_port > UINT16_MAX) return Refuse();
  if (header.magic != protocol::kMagic || header.limit_count > protocol::kMaxLimits) return Refuse();
  if ((header.flags & ~protocol::kAllRequestFlags) != 0) return RefuseFlags();
  if (HasOddTerminal(header)) return Refuse();
  const uint32_t descriptor = header.prologue_descriptor;
  if ((header.flags & protocol::kSession) != 0 &&
      (descriptor < uint32_t{protocol::kMaxInheritedFds} || descriptor >= INT_MAX)) {
    return Refuse();
  }
  const uint32_t sizes[] = {header.shell_size,         header.command_size,         header.directory_size,
                            header.job_directory_size, header.job_description_size, header.prologue_size,
                            header.scratch_size,       header.proxy_grant_size,     header.mark_size};
  size_t total = size_t{header.roots_size} + header.watched_size + header.environment_size;
  for (const uint32_t size : sizes) {
    if (size == 0) return Refuse();  // each has its NUL
    total += size;
  }
  if (total != text_size || header.environment_count > header.environment_size) return Refuse();
  if (header.root_count > protocol::kMaxRoots || header.watched_count > protocol::kMaxWatched) {
    return Refuse();
  }

  // The pointers come first, for their alignment. Never unmapped: it is needed until the shell runs, and the
  // supervisor does nothing after that which would want the memory back.
  const size_t pointers_size = (size_t{header.environment_count} + 1) * sizeof(char*);
  void* memory =
      mmap(nullptr, pointers_size + text_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  request->environment = static_cast<char**>(memory);
  char* text = static_cast<char*>(memory) + pointers_size;
  if (!ReceiveAll(text, text_size)) return false;

  char** const blocks[] = {&request->shell,         &request->command,         &request->directory,
                           &request->job_directory, &request->job_description, &request->prologue,
                           &request->scratch,       &request->proxy_grant,     &request->mark};
  char* position = text;
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
    *blocks[i] = position;
    position += sizes[i];
    if (position[-1] != '\0') return Refuse();
  }
  request->command_length = header.command_size - 1;
  request->prologue_length = header.prologue_size - 1;
  request->proxy_grant_length = header.proxy_grant_size - 1;
  request->roots = position;
  position += header.roots_size;
  request->watched = position;
  position += header.watched_size;
  if (!HasEntries(request->roots, header.roots_size, header.root_count) ||
      !HasEntries(request->watched, header.watched_size, header.watched_count)) {
    return Refuse();
  }
  char* entry = position;
  char* const end = entry + header.environment_size;
  if (entry != end && end[-1] != '\0') return Refuse();
  uint32_t count = 0;
  for (; entry < end && count < header.environment_count; entry += strlen(entry) + 1) {
    request->environment[count++] = entry;
  }
  request->environment[count] = nullptr;
  return (entry == end && count == header.environment_count) || Refuse();
}

}  // namespace bashward::supervisor
