#include "sandbox/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process/control_protocol.h"
#include "sandbox/system_calls.h"
#include "sys/signals.h"
#include "sys/unique_fd.h"

namespace bashward::sandbox {
namespace {

// Whether a system call failed with one of the policy's errors. Another failure proves nothing.
bool Refused(long result) {
  return result < 0 && (errno == EACCES || errno == EPERM);
}

bool FilesAreReadOnly(const char* file) {
  const sys::UniqueFd writable(open(file, O_WRONLY | O_CLOEXEC));
  if (!Refused(writable.get())) return false;
  const sys::UniqueFd truncated(open(file, O_RDONLY | O_TRUNC | O_CLOEXEC));
  return Refused(truncated.get()) && Refused(syscall(SYS_truncate, file, 0L));
}

// On a file that is only in memory, where nothing but the filter refuses it.
bool MetadataIsFixed() {
  const sys::UniqueFd file(static_cast<int>(syscall(SYS_memfd_create, "bashward-probe", MFD_CLOEXEC)));
  constexpr int kOwnerOnly = 0600;
  return file.valid() && Refused(syscall(SYS_fchmod, file.get(), kOwnerOnly)) &&
         Refused(syscall(SYS_utimensat, file.get(), nullptr, nullptr, 0));
}

bool DevicesAreClosed() {
  constexpr unsigned long kSetFlags = 0x40086602;  // FS_IOC_SETFLAGS
  const sys::UniqueFd file(static_cast<int>(syscall(SYS_memfd_create, "bashward-probe", MFD_CLOEXEC)));
  const long no_flags = 0;
  return file.valid() && Refused(syscall(SYS_ioctl, file.get(), kSetFlags, &no_flags));
}

bool HasNoSocket(int family) {
  const sys::UniqueFd fd(static_cast<int>(syscall(SYS_socket, family, SOCK_DGRAM | SOCK_CLOEXEC, 0)));
  return Refused(fd.get());
}

// A segment of size 0 is never made (shmget(2), EINVAL).
bool HasNoSharedObjects() {
  constexpr long kSessionKeyring = -3;
  constexpr long kGetKeyringId = 0;
  return Refused(syscall(SYS_shmget, 0L, 0L, 0600L)) &&
         Refused(syscall(SYS_keyctl, kGetKeyringId, kSessionKeyring, 0L));
}

bool ProcessesAreClosed(pid_t outside) {
  rlimit limit{};
  return syscall(SYS_prlimit64, 0, RLIMIT_CORE, nullptr, &limit) == 0 &&
         Refused(syscall(SYS_prlimit64, outside, RLIMIT_CORE, &limit, nullptr)) &&
         Refused(syscall(SYS_setpriority, 0L, outside, 0L));
}

bool KernelIsClosed() {
  // The first two may be refused by the machine's own settings; without the filter the last has no ENOSYS.
  return Refused(syscall(SYS_unshare, static_cast<long>(CLONE_NEWUSER))) &&
         Refused(syscall(number::kIoUringSetup, 1L, nullptr)) && syscall(number::kClone3, nullptr, 0L) < 0 &&
         errno == ENOSYS;
}

// In a root modes can be changed: somebody answers.
bool MetadataCanBeChanged(const WritableRoots& roots) {
  constexpr char kName[] = "bashward-probe";
  constexpr mode_t kBefore = 0600;
  constexpr mode_t kAfter = 0640;
  const int root = roots[0].fd.get();
  const sys::UniqueFd file(
      static_cast<int>(syscall(SYS_openat, root, kName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kBefore)));
  struct stat status{};
  const bool changed = file.valid() && syscall(SYS_fchmod, file.get(), kAfter) == 0 &&
                       fstat(file.get(), &status) == 0 && (status.st_mode & 0777) == kAfter;
  return unlinkat(root, kName, 0) == 0 && changed;
}

bool HasNoPrivileges(bool writes) {
  constexpr uint32_t kReading = 1U << CAP_DAC_READ_SEARCH;
  constexpr uint32_t kWriting = kReading | 1U << CAP_DAC_OVERRIDE;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
  return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 && syscall(SYS_capget, &header, data) == 0 &&
         (data[0].permitted & ~(writes ? kWriting : kReading)) == 0 && data[1].permitted == 0;
}

bool HasLimits() {
  const rlimit none{};
  rlimit core{};
  rlimit lowered{};
  rlimit data{};
  return syscall(SYS_prlimit64, 0, RLIMIT_CORE, nullptr, &core) == 0 && core.rlim_max <= 1 &&
         syscall(SYS_prlimit64, 0, RLIMIT_CORE, &none, nullptr) == 0 &&
         syscall(SYS_prlimit64, 0, RLIMIT_CORE, nullptr, &lowered) == 0 &&
         lowered.rlim_cur == core.rlim_cur && syscall(SYS_prlimit64, 0, RLIMIT_DATA, nullptr, &data) == 0 &&
         data.rlim_max != RLIM_INFINITY;
}

}  // namespace

uint32_t AttemptRefused(const char* file, pid_t outside, const WritableRoots* roots) {
  uint32_t refused = 0;
  const auto add = [&refused](protocol::Protection protection, bool holds) {
    if (holds) refused |= protection;
  };
  add(protocol::kFileSystem, FilesAreReadOnly(file));
  add(protocol::kMetadata, MetadataIsFixed() && (roots == nullptr || MetadataCanBeChanged(*roots)));
  add(protocol::kDevices, DevicesAreClosed());
  add(protocol::kNetwork, HasNoSocket(AF_INET));
  add(protocol::kUnixSockets, HasNoSocket(AF_UNIX));
  add(protocol::kIpc, HasNoSharedObjects());
  add(protocol::kSignals, Refused(sys::SignalProcess(outside, 0)));
  add(protocol::kProcesses, ProcessesAreClosed(outside));
  add(protocol::kKernel, KernelIsClosed());
  add(protocol::kPrivileges, HasNoPrivileges(roots != nullptr));
  add(protocol::kResources, HasLimits());
  return refused;
}

}  // namespace bashward::sandbox
