#include "supervisor/terminal/secret_memory.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace bashward::supervisor {

SecretMemory* GetSecretMemory() {
  static SecretMemory* memory = nullptr;
  if (memory != nullptr) return memory;
  constexpr size_t kSize = sizeof(SecretMemory);
  void* const mapped = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  constexpr int kWipeOnFork = 18;  // MADV_WIPEONFORK, since Linux 4.14
  const bool hidden =
      syscall(SYS_madvise, mapped, kSize, MADV_DONTDUMP) == 0 && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
  if (!hidden) return nullptr;
  syscall(SYS_madvise, mapped, kSize, kWipeOnFork);
  // Where so much may not be locked, it may be swapped.
  syscall(SYS_mlock, mapped, kSize);
  memory = static_cast<SecretMemory*>(mapped);
  return memory;
}

}  // namespace bashward::supervisor
