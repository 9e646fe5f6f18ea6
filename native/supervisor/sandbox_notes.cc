#include "supervisor/sandbox_notes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "util/text.h"

namespace bashward::supervisor {
namespace {

using protocol::ReportKind;

constexpr size_t kMaxBeginning = 32;

// Static: too large for a stack.
char note[kMaxBeginning + protocol::kMaxReportText + 1];

const char* WordFor(ReportKind kind) {
  switch (kind) {
    case ReportKind::kDenied:
      return "denied";
    case ReportKind::kMoreDenied:
      return "more-denied";
    case ReportKind::kChanged:
      return "changed";
    case ReportKind::kMoreChanged:
      break;
  }
  return "more-changed";
}

bool WriteAt(int fd, const char* data, size_t size, uint64_t offset) {
  while (size > 0) {
    const ssize_t count = pwrite(fd, data, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    data += count;
    offset += static_cast<uint64_t>(count);
    size -= static_cast<size_t>(count);
  }
  return true;
}

}  // namespace

void SandboxNotes::Add(ReportKind kind, uint32_t value, const char* text, size_t size) {
  Write(WordFor(kind), value, text, size);
}

void SandboxNotes::AddBrokerEnded() {
  Write("broker-ended", 1, "", 0);
}

void SandboxNotes::Write(const char* word, uint32_t value, const char* text, size_t size) {
  if (fd_ < 0) {
    util::Text<4200> path;  // as that of any file of a job
    path << directory_ << "/sandbox";
    fd_ = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  }
  util::Text<kMaxBeginning> beginning;
  beginning << word << " " << uint64_t{value} << " ";
  if (size > protocol::kMaxReportText) size = protocol::kMaxReportText;
  memcpy(note, beginning.c_str(), beginning.size());
  memcpy(note + beginning.size(), text, size);
  const size_t length = beginning.size() + size + 1;
  note[length - 1] = '\0';
  if (fd_ >= 0 && WriteAt(fd_, note, length, size_)) {
    size_ += length;
    return;
  }
  ++lost_;
  // A full disk takes the beginning of a note; what is written later begins where that did.
  const bool cut = fd_ >= 0 && ftruncate(fd_, static_cast<off_t>(size_)) == 0;
  static_cast<void>(cut);
}

}  // namespace bashward::supervisor
