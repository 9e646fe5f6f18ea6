#include "process/saved_output.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "sandbox/system_calls.h"
#include "sys/unique_fd.h"

namespace bashward::process {
namespace {

constexpr size_t kMaxWaiting = 2 * 1024 * 1024;

// The directory of a path that had no links when it was checked.
sys::UniqueFd OpenDirectory(const std::string& path) {
  constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const std::string directory = path.substr(0, std::max<size_t>(path.find_last_of('/'), 1));
  const open_how how{kFlags, 0, RESOLVE_NO_SYMLINKS};
  const long fd = syscall(sandbox::number::kOpenat2, AT_FDCWD, directory.c_str(), &how, sizeof how);
  // A container refuses openat2(2).
  if (fd < 0 && (errno == ENOSYS || errno == EPERM)) return sys::UniqueFd(open(directory.c_str(), kFlags));
  return sys::UniqueFd(static_cast<int>(fd));
}

}  // namespace

// Used on the worker's thread only.
struct SavedOutput::File {
  // The command, which has not begun, may lead the path elsewhere before there is anything to save.
  explicit File(std::string file_path)
      : path(std::move(file_path)),
        name(path.substr(path.find_last_of('/') + 1)),
        directory(OpenDirectory(path)),
        directory_error(directory.valid() ? 0 : errno) {}

  void Write(const std::string& bytes) {
    if (!report.created && report.error == 0) report.error = directory_error;
    if (!report.created && report.error == 0) {
      // Never through a link, never into a file that somebody else has put there.
      fd.reset(
          openat(directory.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
      report.created = fd.valid();
      if (!fd.valid()) report.error = errno;
    }
    size_t position = 0;
    while (report.error == 0 && position < bytes.size()) {
      const ssize_t count = write(fd.get(), bytes.data() + position, bytes.size() - position);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) report.error = errno;
      if (count > 0) position += static_cast<size_t>(count);
    }
    report.bytes += position;
  }

  const std::string path;
  const std::string name;
  const sys::UniqueFd directory;
  const int directory_error;
  sys::UniqueFd fd;
  SaveReport report;
};

SavedOutput::SavedOutput(EventLoop& loop, std::string path, uint64_t limit)
    : loop_(loop),
      worker_(std::make_shared<WorkerThread>("bashward-file")),
      limit_(limit),
      file_(std::make_shared<File>(std::move(path))),
      self_(std::make_shared<SavedOutput*>(this)) {}

const std::string& SavedOutput::path() const {
  return file_->path;
}

void SavedOutput::Append(const char* data, size_t size) {
  const size_t taken = static_cast<size_t>(std::min<uint64_t>(size, limit_ - accepted_));
  if (taken == 0) return;
  accepted_ += taken;
  waiting_ += taken;
  auto task = [this_loop = &loop_, file = file_, weak = std::weak_ptr<SavedOutput*>(self_),
               bytes = std::make_shared<std::string>(data, taken)] {
    file->Write(*bytes);
    this_loop->Post([weak, size = bytes->size()] {
      if (const auto self = weak.lock()) (*self)->OnWritten(size);
    });
  };
  const int error = worker_->Post(std::move(task));
  if (error == 0) return;
  // Without a thread there is no file, and nobody else who looks at its report.
  waiting_ -= taken;
  file_->report.error = error;
}

bool SavedOutput::congested() const {
  return waiting_ > kMaxWaiting;
}

void SavedOutput::OnWritten(size_t size) {
  const bool was_congested = congested();
  waiting_ -= size;
  if (was_congested && !congested() && on_relief_) on_relief_();
}

void SavedOutput::Close(std::function<void(SaveReport)> on_closed) {
  on_closed_ = std::move(on_closed);
  auto task = [this_loop = &loop_, file = file_, weak = std::weak_ptr<SavedOutput*>(self_)] {
    file->fd.reset();
    this_loop->Post([weak, report = file->report] {
      if (const auto self = weak.lock()) (*self)->on_closed_(report);
    });
  };
  if (worker_->Post(std::move(task)) != 0) on_closed_(file_->report);
}

}  // namespace bashward::process
