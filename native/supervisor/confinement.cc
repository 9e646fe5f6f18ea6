#include "supervisor/confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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

template <typename Tell>
void Confinement::TellDenials(uint32_t* next, Tell tell) const {
  const broker::DenialLog& denials = broker.denials();
  const uint32_t count = denials.count();
  for (; *next < count; ++*next) {
    const broker::Denial& denial = denials[*next];
    tell(ReportKind::kDenied, static_cast<uint32_t>(denial.operation), denial.target, size_t{denial.size});
  }
}

template <typename Tell>
void Confinement::TellChanges(Tell tell) {
  watched_.Compare([&tell](const char* path, size_t size) { tell(ReportKind::kChanged, 0U, path, size); });
  if (watched_.unwatched() > 0) tell(ReportKind::kMoreChanged, watched_.unwatched(), "", size_t{0});
}

void Confinement::Report(bool is_last) {
  TellDenials(&reported_denials_, Send);
  reported_dropped_ = broker.denials().dropped();
  if (reported_dropped_ > 0) Send(ReportKind::kMoreDenied, reported_dropped_, "", 0);
  if (is_last) TellChanges(Send);
}

void Confinement::BeginNotes(SandboxNotes* notes) {
  notes_ = notes;
  noted_denials_ = reported_denials_;
  dropped_before_notes_ = reported_dropped_;
  // Without a descriptor for it they are noted at the end.
  broker.WatchDenials();
  Note(false);
}

void Confinement::Note(bool is_last) {
  if (notes_ == nullptr) return;
  uint64_t count = 0;
  const bool was_woken = read(broker.denials_fd(), &count, sizeof count) > 0;
  static_cast<void>(was_woken);
  const auto add = [this](ReportKind kind, uint32_t value, const char* text, size_t size) {
    notes_->Add(kind, value, text, size);
  };
  TellDenials(&noted_denials_, add);
  if (!is_last) return;
  const uint32_t dropped = broker.denials().dropped() - dropped_before_notes_;
  if (dropped > 0) add(ReportKind::kMoreDenied, dropped, "", 0);
  TellChanges(add);
}

}  // namespace bashward::supervisor
