#include "sandbox/unlinked_directory.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "sandbox/system_calls.h"
#include "sys/unique_fd.h"

namespace bashward::sandbox {
namespace {

bool IsNormalized(std::string_view path) {
  if (path.empty() || path.front() != '/') return false;
  while (path.size() > 1) {
    path.remove_prefix(1);
    const std::string_view name = path.substr(0, std::min(path.find('/'), path.size()));
    if (name.empty() || name == "." || name == "..") return false;
    path.remove_prefix(name.size());
    if (path == "/") return false;
  }
  return true;
}

}  // namespace

std::optional<uid_t> OwnerOfUnlinked(const std::string& path) {
  if (!IsNormalized(path)) return std::nullopt;
  const open_how how{O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0, RESOLVE_NO_SYMLINKS};
  const sys::UniqueFd fd(
      static_cast<int>(syscall(number::kOpenat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
  struct stat status{};
  if (!fd.valid() || fstat(fd.get(), &status) != 0) return std::nullopt;
  return status.st_uid;
}

}  // namespace bashward::sandbox
