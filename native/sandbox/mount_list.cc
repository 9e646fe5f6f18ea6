#include "sandbox/mount_list.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <array>
#include <utility>

#include "sandbox/mount_field.h"

namespace bashward::sandbox {
namespace {

// Far more than any machine has: a broken file ends nothing.
constexpr size_t kMaxSize = 64 * 1024 * 1024;

bool HasOption(std::string_view options, std::string_view wanted) {
  while (!options.empty()) {
    const size_t end = std::min(options.find(','), options.size());
    if (options.substr(0, end) == wanted) return true;
    options.remove_prefix(std::min(end + 1, options.size()));
  }
  return false;
}

std::string Unescaped(std::string_view field) {
  std::string text(field);
  text.resize(UnescapeMountField(text.data()));
  return text;
}

std::string_view TakeField(std::string_view* line) {
  const size_t end = std::min(line->find(' '), line->size());
  const std::string_view field = line->substr(0, end);
  line->remove_prefix(std::min(end + 1, line->size()));
  return field;
}

// 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
bool ParseLine(std::string_view line, Mount* mount) {
  TakeField(&line);
  TakeField(&line);
  mount->device = ParseMountDevice(std::string(TakeField(&line)).c_str());
  mount->root = Unescaped(TakeField(&line));
  mount->point = Unescaped(TakeField(&line));
  mount->opens_devices = !HasOption(TakeField(&line), "nodev");
  while (!line.empty() && TakeField(&line) != "-") {
  }
  mount->type = TakeField(&line);
  return !mount->point.empty() && !mount->type.empty();
}

}  // namespace

std::string Rebase(std::string_view path, std::string_view from, std::string_view to) {
  path.remove_prefix(from == "/" ? 0 : from.size());
  if (path.empty() || path == "/") return std::string(to);
  return (to == "/" ? std::string() : std::string(to)).append(path);
}

bool IsAtOrBelow(std::string_view path, std::string_view directory) {
  if (directory == "/") return true;
  return path.substr(0, directory.size()) == directory &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

bool MountList::Update() {
  if (file_.valid() && !HasChanged()) return true;
  if (Read()) return true;
  const int error = errno;
  file_.reset();
  mounts_.clear();
  errno = error;
  return false;
}

bool MountList::HasChanged() const {
  pollfd request{file_.get(), POLLPRI, 0};
  return poll(&request, 1, 0) != 0;
}

bool MountList::Read() {
  ++version_;
  mounts_.clear();
  // Opened anew: it tells of what changes from now on, before it is read.
  file_.reset(open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC));
  if (!file_.valid()) return false;
  std::string text;
  std::array<char, 16384> buffer;
  for (;;) {
    const ssize_t count = read(file_.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0) break;
    if (text.size() > kMaxSize) return errno = E2BIG, false;
    text.append(buffer.data(), static_cast<size_t>(count));
  }
  for (std::string_view rest = text; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    Mount mount;
    // A mount that is not known could show what is not to be read.
    if (!ParseLine(rest.substr(0, end), &mount)) return errno = EPROTO, false;
    mounts_.push_back(std::move(mount));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return true;
}

const Mount* MountList::Of(std::string_view path) const {
  const Mount* found = nullptr;
  for (const Mount& mount : mounts_) {
    // Of two in one place, the later one hides the other.
    if (IsAtOrBelow(path, mount.point) && (found == nullptr || mount.point.size() >= found->point.size())) {
      found = &mount;
    }
  }
  return found;
}

std::vector<std::string> MountList::OtherNames(const std::string& path) const {
  std::vector<std::string> names;
  const Mount* own = Of(path);
  struct stat status{};
  if (own == nullptr || stat(path.c_str(), &status) != 0) return names;
  const std::string inner = Rebase(path, own->point, own->root);
  for (const Mount& mount : mounts_) {
    if (&mount == own || mount.device != own->device || !IsAtOrBelow(inner, mount.root)) continue;
    std::string name = Rebase(inner, mount.root, mount.point);
    struct stat there{};
    // Another mount may hide it.
    const bool is_same =
        stat(name.c_str(), &there) == 0 && there.st_dev == status.st_dev && there.st_ino == status.st_ino;
    if (is_same && name != path) names.push_back(std::move(name));
  }
  return names;
}

std::vector<std::string> MountList::PointsBelow(const std::string& path) const {
  std::vector<std::string> points;
  for (const Mount& mount : mounts_) {
    if (mount.point != path && IsAtOrBelow(mount.point, path)) points.push_back(mount.point);
  }
  return points;
}

}  // namespace bashward::sandbox
