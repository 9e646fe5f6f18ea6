#include "supervisor/job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sys/process_stat.h"
#include "sys/signals.h"
#include "sys/unique_fd.h"
#include "util/text.h"

namespace bashward::supervisor {
namespace {

using protocol::Step;
using Line = util::Text<512>;

// Room in the file behind the last bytes of the ring, for the notice and the status line.
constexpr uint64_t kReserve = 1024;

bool WriteAll(int fd, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t count = write(fd, data, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    data += count;
    size -= static_cast<size_t>(count);
  }
  return true;
}

// By a descriptor if possible: where /proc is another PID namespace's, a number may mean another process.
bool ReadStartTime(pid_t pid, uint64_t* start_time) {
  const sys::UniqueFd pidfd(sys::OpenPidfd(pid));
  sys::ProcessStat stat{};
  if (!sys::ReadStatOf(pidfd.get(), pid, &stat)) return false;
  *start_time = stat.start_time;
  return true;
}

size_t BriefSize(const char* description) {
  size_t size = 0;
  while (description[size] != '\n' && description[size] != '\0') ++size;
  return description[size] == '\n' ? size : 0;
}

const char* BehindBrief(const char* description) {
  const size_t size = BriefSize(description);
  return size == 0 ? description : description + size + 1;
}

}  // namespace

Job::Job(const char* directory, const char* description, uint64_t max_output_bytes)
    : directory_(directory),
      description_(BehindBrief(description)),
      max_output_bytes_(max_output_bytes),
      notes_(directory),
      end_record_(directory, description, BriefSize(description)) {}

int Job::OpenIn(const char* name, int flags) const {
  util::Text<4200> path;  // PATH_MAX, and a name of ours
  path << directory_ << "/" << name;
  return open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600);
}

bool Job::RenameIn(const char* from, const char* to) const {
  util::Text<4200> from_path;
  util::Text<4200> to_path;
  from_path << directory_ << "/" << from;
  to_path << directory_ << "/" << to;
  return rename(from_path.c_str(), to_path.c_str()) == 0;
}

// The directory of all jobs is made with the first of them.
bool Job::MakeParents() const {
  util::Text<4200> parent;
  const char* rest = directory_;
  const char* slash = strrchr(directory_, '/');
  while (rest != slash) {
    do {
      const char letter[] = {*rest, '\0'};
      parent << letter;
    } while (++rest != slash && *rest != '/');
    if (mkdir(parent.c_str(), 0700) != 0 && errno != EEXIST) return false;
  }
  return true;
}

bool Job::Create(protocol::Failed* failure) {
  if (mkdir(directory_, 0700) != 0 && !(errno == ENOENT && MakeParents() && mkdir(directory_, 0700) == 0)) {
    *failure = {Step::kMkdir, errno};
    return false;
  }
  output_fd_ = OpenIn("output", O_RDWR | O_CREAT | O_EXCL);
  if (output_fd_ < 0) {
    *failure = {Step::kOpenOutput, errno};
    return false;
  }
  // Held as long as this supervisor lives: so readers see that it does, also in other PID namespaces.
  locked_ = syscall(SYS_flock, output_fd_, LOCK_EX | LOCK_NB) == 0;
  // Takes its blocks now: how the job ended has to fit on a disk that the job itself has filled.
  exit_fd_ = OpenIn("exit.json.tmp", O_WRONLY | O_CREAT | O_EXCL);
  char blank[kExitSize];
  memset(blank, ' ', sizeof blank);
  if (exit_fd_ < 0 || !WriteAll(exit_fd_, blank, sizeof blank)) {
    *failure = {Step::kOpenOutput, errno};
    return false;
  }
  // Behind the lock: so whoever finds it can tell whether its supervisor lives.
  if (!end_record_.Create()) {
    *failure = {Step::kOpenOutput, errno};
    return false;
  }
  const uint64_t reserved = kRingSize + kReserve;
  head_limit_ = max_output_bytes_ > reserved ? max_output_bytes_ - reserved : 0;
  return true;
}

bool Job::WriteRecord(pid_t supervisor, pid_t group, pid_t shell, protocol::Failed* failure) {
  uint64_t shell_start = 0;
  uint64_t supervisor_start = 0;
  // Without a start time, no reader would believe that the process is the job's.
  if ((shell != 0 && !ReadStartTime(shell, &shell_start)) || !ReadStartTime(supervisor, &supervisor_start)) {
    *failure = {Step::kWriteRecord, errno};
    return false;
  }
  Line line;
  line << "\"pid\":" << group << ",\"pgid\":" << group << ",\"startTime\":" << shell_start
       << ",\"supervisor\":{\"pid\":" << supervisor << ",\"startTime\":" << supervisor_start
       << ",\"locksOutput\":" << (locked_ ? "true" : "false") << "}}\n";
  const int fd = OpenIn("job.json.tmp", O_WRONLY | O_CREAT | O_EXCL);
  const bool written =
      fd >= 0 && WriteAll(fd, description_, strlen(description_)) && WriteAll(fd, line.c_str(), line.size());
  if (!written) *failure = {Step::kWriteRecord, errno};
  if (fd >= 0) close(fd);
  return written;
}

bool Job::Publish(protocol::Failed* failure) {
  if (RenameIn("job.json.tmp", "job.json")) return true;
  *failure = {Step::kWriteRecord, errno};
  return false;
}

bool Job::Describe(pid_t supervisor, pid_t group, pid_t shell, protocol::Failed* failure) {
  return WriteRecord(supervisor, group, shell, failure) && Publish(failure);
}

void Job::Withdraw() {
  RenameIn("job.json", "job.json.tmp");
  end_record_.Remove();
}

int Job::OpenOutput() const {
  return OpenIn("output", O_WRONLY);
}

void Job::Discard() {
  end_record_.Remove();
  static constexpr const char* kNames[] = {"job.json.tmp", "exit.json.tmp", "output"};
  for (const char* name : kNames) {
    util::Text<4200> path;
    path << directory_ << "/" << name;
    unlinkat(AT_FDCWD, path.c_str(), 0);
  }
  unlinkat(AT_FDCWD, directory_, AT_REMOVEDIR);
  if (output_fd_ >= 0) close(output_fd_);
  if (exit_fd_ >= 0) close(exit_fd_);
  output_fd_ = -1;
  exit_fd_ = -1;
}

}  // namespace bashward::supervisor
