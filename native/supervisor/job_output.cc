// What a job prints, from its pipe to its file, and how it ended.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "supervisor/job.h"
#include "util/text.h"
#include "util/wipe.h"

namespace bashward::supervisor {
namespace {

using Line = util::Text<Job::kExitSize>;

// Static: one supervisor has one job, and pages that are never touched cost nothing.
char buffer[SecretMemory::kMaxRead];
char ring[Job::kRingSize];

// Signals that can end a process by their default action; others have no business here.
const char* SignalName(int number) {
  static const char* const kNames[] = {
      "",          "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGBUS",
      "SIGFPE",    "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM", "SIGTERM",
      "SIGSTKFLT", "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU", "SIGURG",
      "SIGXCPU",   "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",   "SIGPWR",  "SIGSYS",
  };
  constexpr int kCount = sizeof kNames / sizeof *kNames;
  return number > 0 && number < kCount ? kNames[number] : "SIGRT";
}

uint64_t Microseconds(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_usec);
}

// Writes as much as it can at an offset; errno says why the rest is missing.
size_t WriteAt(int fd, const char* data, size_t size, uint64_t offset) {
  size_t written = 0;
  while (written < size) {
    const ssize_t count = pwrite(fd, data + written, size - written, static_cast<off_t>(offset + written));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += static_cast<size_t>(count);
  }
  return written;
}

void DescribeEnd(const JobEnd& end, Line* line) {
  *line << "\n\n[background process ";
  switch (end.kind) {
    case JobEnd::Kind::kExited:
      if (end.exit_code == 0) {
        *line << "completed";
      } else {
        *line << "failed: exit code " << end.exit_code;
      }
      break;
    case JobEnd::Kind::kKilled:
      *line << "killed: " << SignalName(end.signal);
      break;
    case JobEnd::Kind::kTimedOut: {
      constexpr uint64_t kHour = 3'600'000;
      *line << "timed out after ";
      if (end.limit_ms % kHour == 0) {
        *line << end.limit_ms / kHour << "h";
      } else if (end.limit_ms % 1000 == 0) {
        *line << end.limit_ms / 1000 << "s";
      } else {
        *line << end.limit_ms << "ms";
      }
    }
  }
  *line << "]";
}

const char* StatusName(const JobEnd& end) {
  switch (end.kind) {
    case JobEnd::Kind::kExited:
      return end.exit_code == 0 ? "completed" : "failed";
    case JobEnd::Kind::kKilled:
      return "killed";
    case JobEnd::Kind::kTimedOut:
      break;
  }
  return "timed_out";
}

}  // namespace

void Job::TakeOver(const protocol::Commit& commit) {
  file_size_ = commit.file_size;
  printed_ = commit.printed;
  dropped_ = commit.dropped;
}

bool Job::Pump(int pipe) {
  const ssize_t count = read(pipe, buffer, sizeof buffer);
  pumped_ = {buffer, 0};
  has_read_ = count > 0;
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  const auto size = static_cast<size_t>(count);
  const Shown shown = secrets_.Apply(buffer, size);
  if (secrets_.is_armed()) util::Wipe(buffer, size);
  Keep(shown);
  return true;
}

void Job::Release() {
  has_read_ = false;
  Keep(secrets_.Release());
}

void Job::Keep(Shown output) {
  pumped_ = output;
  const size_t size = output.size;
  printed_ += size;
  size_t kept = 0;
  if (ring_total_ == 0 && lost_error_ == 0) {
    // What was handed over may be more than its share.
    const uint64_t room = head_limit_ > file_size_ ? head_limit_ - file_size_ : 0;
    const size_t wanted = size < room ? size : static_cast<size_t>(room);
    kept = WriteAt(output_fd_, output.bytes, wanted, file_size_);
    if (kept < wanted) lost_error_ = errno;  // ENOSPC and the like: the job runs on
    file_size_ += kept;
  }
  for (; kept < size; ++kept) ring[ring_total_++ % kRingSize] = output.bytes[kept];
}

bool Job::Append(const char* data, size_t size) {
  const size_t written = WriteAt(output_fd_, data, size, file_size_);
  if (written < size) lost_error_ = errno;
  file_size_ += written;
  return written == size;
}

void Job::AppendRing() {
  if (ring_total_ == 0) return;
  const uint64_t dropped = ring_total_ > kRingSize ? ring_total_ - kRingSize : 0;
  uint64_t position = dropped;
  if (dropped > 0) {
    // Leaves out the rest of a character that the gap has cut.
    while (position < dropped + 3 && (ring[position % kRingSize] & 0xC0) == 0x80) ++position;
    // The ring is in use because of the cap, or because the disk was full.
    (lost_error_ == 0 ? dropped_ : lost_) += position;
    Line notice;
    notice << "\n\n[" << position
           << (lost_error_ == 0 ? " bytes dropped]\n\n" : " bytes could not be written]\n\n");
    const uint64_t start = file_size_;
    if (!Append(notice.c_str(), notice.size())) file_size_ = start;
  }
  const uint64_t before = file_size_;
  const uint64_t length = ring_total_ - position;
  const uint64_t offset = position % kRingSize;
  const uint64_t first = length < kRingSize - offset ? length : kRingSize - offset;
  Append(ring + offset, static_cast<size_t>(first));
  if (file_size_ - before == first) Append(ring, static_cast<size_t>(length - first));
  lost_ += length - (file_size_ - before);
}

// Above the status line, which stays the last one.
void Job::AppendNotice(const JobEnd& end) {
  if (end.scratch_limit == 0) return;
  Line notice;
  notice << "\n\n[scratch directory limit of ";
  util::AppendSize(&notice, end.scratch_limit);
  notice << " reached: everything was killed]";
  const uint64_t start = file_size_;
  if (!Append(notice.c_str(), notice.size())) file_size_ = start;
}

void Job::Finish(const JobEnd& end, const rusage& usage) {
  Release();
  secrets_.Forget();
  AppendRing();
  end_record_.KeepTail(output_fd_, file_size_);
  AppendNotice(end);
  Line line;
  DescribeEnd(end, &line);
  const uint64_t line_start = file_size_;
  if (!Append(line.c_str(), line.size())) {
    // A full disk: the status takes the place of the last output, whose blocks are there.
    file_size_ = line_start > line.size() ? line_start - line.size() : 0;
    lost_ += line_start - file_size_;
    Append(line.c_str(), line.size());
  }
  // Cuts off parts of what did not fit.
  const bool cut = ftruncate(output_fd_, static_cast<off_t>(file_size_)) == 0;
  static_cast<void>(cut);
  WriteExit(end, usage, line.size());
}

void Job::WriteExit(const JobEnd& end, const rusage& usage, size_t status_line_size) {
  Line json;
  json << "{\"version\":1,\"status\":\"" << StatusName(end) << "\",\"exitCode\":";
  if (end.kind == JobEnd::Kind::kExited) {
    json << end.exit_code << ",\"signal\":null";
  } else {
    json << "null,\"signal\":\"" << SignalName(end.signal) << "\"";
  }
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  json << ",\"endedAt\":"
       << static_cast<uint64_t>(now.tv_sec) * 1000 + static_cast<uint64_t>(now.tv_nsec) / 1'000'000
       << ",\"outputBytes\":" << printed_ << ",\"droppedBytes\":" << dropped_ << ",\"lostBytes\":" << lost_
       << ",\"lostErrno\":" << (lost_ > 0 ? lost_error_ : 0)
       << ",\"userMs\":" << Microseconds(usage.ru_utime) / 1000
       << ",\"systemMs\":" << Microseconds(usage.ru_stime) / 1000
       << ",\"maxRssBytes\":" << static_cast<uint64_t>(usage.ru_maxrss) * 1024
       << ",\"statusLineBytes\":" << static_cast<uint64_t>(status_line_size);
  if (notes_.lost() > 0) json << ",\"lostNotes\":" << uint64_t{notes_.lost()};
  json << "}\n";
  // Without the line break.
  end_record_.Write(json.c_str(), json.size() - 1);
  WriteAt(exit_fd_, json.c_str(), json.size(), 0);
  if (ftruncate(exit_fd_, static_cast<off_t>(json.size())) == 0) RenameIn("exit.json.tmp", "exit.json");
  end_record_.Finish();
}

}  // namespace bashward::supervisor
