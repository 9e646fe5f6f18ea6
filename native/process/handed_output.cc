#include "process/handed_output.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <string_view>
#include <utility>
#include <vector>

namespace bashward::process {
namespace {

struct Source {
  std::string head;
  std::string tail;
  uint64_t total;
  std::string whole;  // the path of a file that may have all of it; empty: none
};

// 0 or errno.
int WriteAt(int file, uint64_t* offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(*offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    *offset += static_cast<uint64_t>(count);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return 0;
}

// Whether all of the output is in the file now.
bool CopyWhole(const Source& source, int file, HandedReport* report) {
  const sys::UniqueFd whole(open(source.whole.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!whole.valid()) return false;
  std::vector<char> buffer(size_t{256} * 1024);
  while (report->size < source.total) {
    const ssize_t count = pread(whole.get(), buffer.data(), buffer.size(), static_cast<off_t>(report->size));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    report->error = WriteAt(file, &report->size, {buffer.data(), static_cast<size_t>(count)});
    if (report->error != 0) return false;
  }
  return report->size == source.total;
}

void WriteEnds(const Source& source, int file, HandedReport* report) {
  std::string_view tail = source.tail;
  report->dropped = source.total - source.head.size() - tail.size();
  report->error = WriteAt(file, &report->size, source.head);
  if (report->error == 0 && report->dropped > 0) {
    // Leaves out the rest of a character that the gap has cut.
    for (int i = 0; i < 3 && !tail.empty() && (tail.front() & 0xC0) == 0x80; ++i) tail.remove_prefix(1);
    report->dropped = source.total - source.head.size() - tail.size();
    // As the supervisor writes it.
    report->error =
        WriteAt(file, &report->size, "\n\n[" + std::to_string(report->dropped) + " bytes dropped]\n\n");
  }
  if (report->error == 0) report->error = WriteAt(file, &report->size, tail);
}

HandedReport WriteSource(const Source& source, int file) {
  HandedReport report;
  if (!source.whole.empty() && CopyWhole(source, file, &report)) return report;
  report = {};
  if (ftruncate(file, 0) != 0) report.error = errno;
  if (report.error == 0) WriteEnds(source, file, &report);
  return report;
}

}  // namespace

HandedOutput::HandedOutput(EventLoop& loop, Callback on_written)
    : loop_(loop), on_written_(std::make_shared<Callback>(std::move(on_written))) {}

void HandedOutput::Write(sys::UniqueFd file, const util::HeadTailBuffer& captured, const SavedOutput* saved) {
  Source source{captured.head(), captured.tail(), captured.total(), {}};
  const bool is_short = source.head.size() + source.tail.size() == source.total;
  if (!is_short && saved != nullptr && saved->whole()) source.whole = saved->path();
  const bool own = source.whole.empty();
  const auto worker = own ? std::make_shared<WorkerThread>("bashward-hand") : saved->worker();
  auto task = [loop = &loop_, source = std::make_shared<Source>(std::move(source)),
               fd = std::make_shared<sys::UniqueFd>(std::move(file)),
               weak = std::weak_ptr<Callback>(on_written_)] {
    const HandedReport report = WriteSource(*source, fd->get());
    fd->reset();
    loop->Post([weak, report] {
      if (const auto on_written = weak.lock()) (*on_written)(report);
    });
  };
  const int error = worker->Post(std::move(task));
  if (own) worker->Stop();
  if (error == 0) return;
  loop_.Post([weak = std::weak_ptr<Callback>(on_written_), error] {
    if (const auto on_written = weak.lock()) (*on_written)({0, 0, error});
  });
}

}  // namespace bashward::process
