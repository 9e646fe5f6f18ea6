#include "supervisor/confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <new>

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

// Never destroyed: its thread may be using it.
FarWatch* MakeFarWatch() {
  alignas(FarWatch) static char memory[sizeof(FarWatch)];
  return new (memory) FarWatch;
}

}  // namespace

bool NeedsConfinement(const Request& request) {
  constexpr uint32_t kSockets = protocol::kLoopback | protocol::kOwnUnixSockets;
  return request.header.root_count > 0 || (request.header.flags & kSockets) != 0 ||
         request.header.proxy_port != 0;
}

bool Confinement::Open(const Request& request, protocol::Failed* failure) {
  if (roots.Open(request.roots, request.header.root_count, request.header.roots_that_may_hang)) return true;
  *failure = {protocol::Step::kOpenRoot, errno};
  return false;
}

bool Confinement::Begin(const Request& request, const Scratch& scratch, protocol::Failed* failure) {
  if (request.header.watched_count > 0) Watch(request);
  if (scratch.exists() && !roots.Add(scratch.fd(), request.scratch)) {
    *failure = {protocol::Step::kMakeScratch, errno};
    return false;
  }
  if ((request.header.flags & protocol::kSharedMemory) != 0 && !AddSharedMemory()) {
    *failure = {protocol::Step::kOpenRoot, errno};
    return false;
  }
  broker::SocketRules& rules = broker.sockets.rules;
  rules.loopback = (request.header.flags & protocol::kLoopback) != 0;
  rules.unix_sockets = (request.header.flags & protocol::kOwnUnixSockets) != 0;
  rules.proxy_port = static_cast<uint16_t>(request.header.proxy_port);
  if (request.header.proxy_control_port != 0 && !proxy_.Open(request, failure)) return false;
  return broker.Start(&roots, failure);
}

void Confinement::Watch(const Request& request) {
  const uint32_t count = request.header.watched_count;
  uint32_t all = 0;
  uint32_t far = 0;
  for (size_t i = 0; i < roots.size(); ++i) {
    all |= uint32_t{1} << i;
    if (!roots[i].may_hang) continue;
    far |= uint32_t{1} << i;
    far_paths_ += count;
  }
  watched_.Record(roots, request.watched, count, {Mounts::kSameOnly, far});
  far |= watched_.crossed_roots();
  recorded_crossings_ = watched_.crossings();
  if (far == 0) return;
  far_ = MakeFarWatch();
  far_->Record(roots, request.watched, count, {Mounts::kAny, all & ~far});
}

// Programs change the modes of the objects that they make there.
bool Confinement::AddSharedMemory() {
  const sys::UniqueFd directory(open(kSharedMemory, O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid()) return errno == ENOENT;
  return roots.Add(directory.get(), kSharedMemory);
}

void Confinement::ReadProxy() {
  if (proxy_.fd() >= 0 && !proxy_.Read(&broker.denials())) broker.sockets.ForgetProxy();
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
void Confinement::TellChanges(FarWatch::Until until, Tell tell) {
  uint32_t told = 0;
  uint32_t unknown = 0;
  const auto tell_path = [&](const char* path, size_t size) {
    if (told == protocol::kMaxChanges) {
      ++unknown;
    } else {
      ++told;
      tell(ReportKind::kChanged, 0U, path, size);
    }
  };
  watched_.Compare(tell_path);
  unknown += watched_.unwatched();
  if (far_ == nullptr) {
    // Something was mounted there meanwhile.
    unknown += watched_.crossings();
  } else if (!far_->FindChanges(until)) {
    unknown += far_paths_ + watched_.crossings();
  } else {
    far_->paths().ForEachChange(tell_path, &watched_);
    unknown += far_->paths().unwatched() + watched_.crossings() - recorded_crossings_;
  }
  if (unknown > 0) tell(ReportKind::kMoreChanged, unknown, "", size_t{0});
}

void Confinement::Report(bool is_last) {
  // The proxy says so here before its client hears of a refusal.
  ReadProxy();
  TellDenials(&reported_denials_, Send);
  reported_dropped_ = broker.denials().dropped();
  if (reported_dropped_ > 0) Send(ReportKind::kMoreDenied, reported_dropped_, "", 0);
  if (is_last) TellChanges(FarWatch::Until::kHostSpeaks, Send);
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
  if (is_last) ReadProxy();
  const auto add = [this](ReportKind kind, uint32_t value, const char* text, size_t size) {
    notes_->Add(kind, value, text, size);
  };
  TellDenials(&noted_denials_, add);
  if (!is_last) return;
  const uint32_t dropped = broker.denials().dropped() - dropped_before_notes_;
  if (dropped > 0) add(ReportKind::kMoreDenied, dropped, "", 0);
  TellChanges(FarWatch::Until::kLate, add);
}

}  // namespace bashward::supervisor
