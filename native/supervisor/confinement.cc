#include "supervisor/confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "supervisor/control.h"

namespace bashward::supervisor {
namespace {

using protocol::ReportKind;

constexpr char kSharedMemory[] = "/dev/shm";

// Static: too large for a stack.
struct {
  protocol::Report header;
  char text[protocol::kMaxReportText];
} message;

void Send(ReportKind kind, uint32_t value, const char* text, size_t size) {
  message.header = {kind, value};
  if (size > sizeof message.text) size = sizeof message.text;
  memcpy(message.text, text, size);
  SendMessage(protocol::MessageType::kReport, &message, sizeof message.header + size);
}

}  // namespace

bool Confinement::Open(const Request& request, protocol::Failed* failure) {
  if (roots.Open(request.roots, request.header.root_count)) return true;
  *failure = {protocol::Step::kOpenRoot, errno};
  return false;
}

bool Confinement::Begin(const Request& request, const Scratch& scratch, protocol::Failed* failure) {
  watched_.Record(roots, request.watched, request.header.watched_count);
  if (scratch.exists() && !roots.Add(scratch.fd(), request.scratch)) {
    *failure = {protocol::Step::kMakeScratch, errno};
    return false;
  }
  if ((request.header.flags & protocol::kSharedMemory) != 0 && !AddSharedMemory()) {
    *failure = {protocol::Step::kOpenRoot, errno};
    return false;
  }
  return broker.Start(&roots, failure);
}

// Programs change the modes of the objects that they make there.
bool Confinement::AddSharedMemory() {
  const sys::UniqueFd directory(open(kSharedMemory, O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid()) return errno == ENOENT;
  return roots.Add(directory.get(), kSharedMemory);
}

void Confinement::Report(bool is_last) {
  const broker::DenialLog& denials = broker.denials();
  const uint32_t count = denials.count();
  for (; reported_denials_ < count; ++reported_denials_) {
    const broker::Denial& denial = denials[reported_denials_];
    Send(ReportKind::kDenied, static_cast<uint32_t>(denial.operation), denial.target, denial.size);
  }
  if (denials.dropped() > 0) Send(ReportKind::kMoreDenied, denials.dropped(), "", 0);
  if (!is_last) return;
  watched_.Compare([](const char* path, size_t size) { Send(ReportKind::kChanged, 0, path, size); });
  if (watched_.unwatched() > 0) Send(ReportKind::kMoreChanged, watched_.unwatched(), "", 0);
}

}  // namespace bashward::supervisor
