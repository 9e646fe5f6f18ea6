#include "broker/caller_memory.h"

#include <errno.h>
#include <sys/uio.h>

#include "util/text.h"

namespace bashward::broker {
namespace {

// The smallest that there is: what begins on one is all there, or not at all.
constexpr size_t kPage = 4096;
// Most texts are shorter, and copying the rest of a page takes longer than the call itself.
constexpr size_t kUsual = 256;

}  // namespace

int CallerMemory::Read(uint64_t address, void* buffer, size_t size) {
  auto* to = static_cast<char*>(buffer);
  while (size > 0) {
    const long count = ReadSome(address, to, size);
    if (count < 0) return static_cast<int>(count);
    address += static_cast<uint64_t>(count);
    to += count;
    size -= static_cast<size_t>(count);
  }
  return 0;
}

int CallerMemory::ReadText(uint64_t address, char* buffer, size_t size) {
  size_t length = 0;
  while (length < size) {
    // The page behind the text's end need not exist.
    size_t wanted = kPage - (address + length) % kPage;
    if (length == 0 && wanted > kUsual) wanted = kUsual;
    if (wanted > size - length) wanted = size - length;
    const long count = ReadSome(address + length, buffer + length, wanted);
    if (count < 0) return static_cast<int>(count);
    for (const size_t end = length + static_cast<size_t>(count); length < end; ++length) {
      if (buffer[length] == '\0') return static_cast<int>(length);
    }
  }
  return -ENAMETOOLONG;
}

long CallerMemory::ReadSome(uint64_t address, void* buffer, size_t size) {
  if (file_.valid()) return ReadFile(address, buffer, size);
  const iovec to{buffer, size};
  const iovec from{reinterpret_cast<void*>(address), size};
  const long count = kernel::Call(SYS_process_vm_readv, thread_, &to, 1, &from, 1, 0);
  if (count != -EPERM && count != -ENOSYS) return count == 0 ? -EFAULT : count;
  // Refused by a container's profile, perhaps, which leaves /proc alone.
  const auto path = util::ProcPath() << "/proc/" << thread_ << "/mem";
  file_ = kernel::OpenOwn(path.c_str(), O_RDONLY);
  if (!file_.valid()) return file_.error() == -EACCES ? -EPERM : file_.error();
  return ReadFile(address, buffer, size);
}

long CallerMemory::ReadFile(uint64_t address, void* buffer, size_t size) {
  const long count = kernel::Call(SYS_pread64, file_.get(), buffer, size, address);
  return count == 0 || count == -EIO || count == -EINVAL ? -EFAULT : count;
}

}  // namespace bashward::broker
