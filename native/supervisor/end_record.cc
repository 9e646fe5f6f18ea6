#include "supervisor/end_record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/text.h"

namespace bashward::supervisor {
namespace {

using Path = util::Text<4200>;  // PATH_MAX, and names of ours

// What a record takes besides the brief and the last bytes, exit.json included.
constexpr size_t kOwnSize = 640;
constexpr int kTries = 10;
constexpr char kUnended[] = "\"exit\":null}\n";

// Static: one supervisor has one job, and pages that are never touched cost nothing.
char tail[EndRecord::kSize];
char record[EndRecord::kSize];

// DIRECTORY/../NAME, or a file of that name in it that is called like the job.
Path Beside(const char* directory, const char* name, bool is_file) {
  Path path;
  const char* id = strrchr(directory, '/') + 1;
  for (const char* letter = directory; letter != id; ++letter) {
    const char text[] = {*letter, '\0'};
    path << text;
  }
  path << name;
  if (is_file) path << "/" << id;
  return path;
}

// False with errno. Another supervisor may make it at the same time.
bool MakeDirectory(const char* directory, const char* name) {
  return mkdir(Beside(directory, name, false).c_str(), 0700) == 0 || errno == EEXIST;
}

size_t Put(size_t at, const char* text, size_t size) {
  const size_t fits = size < sizeof record - at ? size : sizeof record - at;
  memcpy(record + at, text, fits);
  return at + fits;
}

bool WriteRecord(int fd, size_t size) {
  size_t written = 0;
  while (written < size) {
    const ssize_t count = pwrite(fd, record + written, size - written, static_cast<off_t>(written));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    written += static_cast<size_t>(count);
  }
  return true;
}

}  // namespace

bool EndRecord::Create() {
  if (brief_size_ == 0) return true;
  const Path path = Beside(directory_, "running", true);
  constexpr int kFlags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  fd_ = open(path.c_str(), kFlags, 0600);
  // Whoever cleans up removes them while they are empty.
  for (int i = 0; fd_ < 0 && errno == ENOENT && i < kTries; ++i) {
    if (!MakeDirectory(directory_, "running")) return false;
    // If it cannot be made now, the end makes it.
    MakeDirectory(directory_, "ended");
    fd_ = open(path.c_str(), kFlags, 0600);
  }
  if (fd_ < 0) return false;
  memset(record, ' ', sizeof record);
  Put(Put(0, brief_, brief_size_), kUnended, sizeof kUnended - 1);
  if (WriteRecord(fd_, sizeof record)) return true;
  const int error = errno;
  Remove();
  errno = error;
  return false;
}

void EndRecord::Remove() {
  if (!exists()) return;
  unlinkat(AT_FDCWD, Beside(directory_, "running", true).c_str(), 0);
  close(fd_);
  fd_ = -1;
  // It may have been the first of all.
  unlinkat(AT_FDCWD, Beside(directory_, "ended", false).c_str(), AT_REMOVEDIR);
  unlinkat(AT_FDCWD, Beside(directory_, "running", false).c_str(), AT_REMOVEDIR);
}

void EndRecord::KeepTail(int output, uint64_t size) {
  if (!exists() || brief_size_ + kOwnSize > kSize) return;
  const size_t room = kSize - kOwnSize - brief_size_;
  tail_is_cut_ = size > room;
  const size_t wanted = tail_is_cut_ ? room : static_cast<size_t>(size);
  ssize_t count = -1;
  do {
    count = pread(output, tail, wanted, static_cast<off_t>(size - wanted));
  } while (count < 0 && errno == EINTR);
  tail_size_ = count > 0 ? static_cast<size_t>(count) : 0;
}

void EndRecord::Write(const char* exit, size_t exit_size) {
  if (!exists()) return;
  size_t size = Put(0, brief_, brief_size_);
  size = Put(size, "\"tailIsCut\":", 12);
  size = tail_is_cut_ ? Put(size, "true,", 5) : Put(size, "false,", 6);
  size = Put(size, "\"exit\":", 7);
  size = Put(size, exit, exit_size);
  size = Put(size, "}\n", 2);
  size = Put(size, tail, tail_size_);
  // Should it fail: exit.json says the same, and who reads the record knows where that is.
  if (WriteRecord(fd_, size)) static_cast<void>(ftruncate(fd_, static_cast<off_t>(size)) == 0);
}

void EndRecord::Finish() {
  if (!exists()) return;
  const Path from = Beside(directory_, "running", true);
  const Path to = Beside(directory_, "ended", true);
  // A clean-up may just have removed the directory for being empty. If it is the record that is gone,
  // somebody has told of this end already.
  for (int i = 0; i < kTries && rename(from.c_str(), to.c_str()) != 0 && errno == ENOENT; ++i) {
    if (access(from.c_str(), F_OK) != 0) return;
    MakeDirectory(directory_, "ended");
  }
}

}  // namespace bashward::supervisor
