#include "sys/memory_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

namespace bashward::sys {
namespace {

// Without MFD_EXEC, kernels from 6.3 may make a file that cannot be executed; older ones do not know the
// flag.
int CreateExecutable(const char* name) {
  constexpr unsigned int kFlags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int fd = memfd_create(name, kFlags | MFD_EXEC);
  return fd < 0 && errno == EINVAL ? memfd_create(name, kFlags) : fd;
}

}  // namespace

UniqueFd CopyToMemory(const char* path, const char* name) {
  constexpr size_t kChunk = 1024 * 1024;
  const UniqueFd file(open(path, O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return {};
  UniqueFd copy(CreateExecutable(name));
  if (!copy.valid()) return {};
  ssize_t count = 0;
  do {
    count = sendfile(copy.get(), file.get(), nullptr, kChunk);
  } while (count > 0 || (count < 0 && errno == EINTR));
  if (count < 0) return {};
  // Sealed: whoever finds it below /proc/PID/fd cannot change what is executed.
  constexpr int kSeals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (fcntl(copy.get(), F_ADD_SEALS, kSeals) != 0) return {};
  return copy;
}

}  // namespace bashward::sys
