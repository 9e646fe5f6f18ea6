// Landlock: what a process may do with files, sockets and signals (landlock(7),
// Documentation/userspace-api/landlock.rst).
#ifndef BASHWARD_SANDBOX_LANDLOCK_H_
#define BASHWARD_SANDBOX_LANDLOCK_H_

#include <stdint.h>

#include "sys/unique_fd.h"

namespace bashward::sandbox {

// The kernel's ABI version, 1 or more; or -1 with errno: ENOSYS (not built in, or older than 5.13),
// EOPNOTSUPP (disabled at boot), EPERM (refused by the seccomp filter of a container).
int LandlockAbi();

// LANDLOCK_SCOPE_*
inline constexpr uint64_t kScopeAbstractUnixSocket = uint64_t{1} << 0;
inline constexpr uint64_t kScopeSignal = uint64_t{1} << 1;

// What a ruleset takes control of: everything of it is refused that no rule allows.
struct Handled {
  uint64_t file_system = 0;  // LANDLOCK_ACCESS_FS_*
  uint64_t network = 0;      // LANDLOCK_ACCESS_NET_*
  uint64_t scoped = 0;       // LANDLOCK_SCOPE_*
};

// A ruleset and what it handles. Where the kernel refuses what its ABI version promises (kernels of
// distributions carry parts of newer versions under older numbers, and the other way round), the newest parts
// are left out until it agrees. The descriptor is invalid on failure, with errno.
struct Ruleset {
  sys::UniqueFd fd;
  Handled handled;
};

// Handles all that version `abi` knows, and version 11 at most: nobody has reviewed what is newer.
Ruleset CreateRuleset(int abi);
// The same in two, which are for one process both: what is read and executed, and everything else. The first
// changes only with the machine's files and mounts, and so can be kept; the second is the command's.
Ruleset CreateReadingRuleset(int abi);
Handled HandledByReading(int abi);
Ruleset CreateWritingRuleset(int abi);
// Refuses nothing but signals to processes outside of the domain. Without such a scope in the kernel, EINVAL.
Ruleset CreateSignalScope();

// Each of the following adds of its rights those that the ruleset handles. False with errno.

// The rules of a read-only system. All files can be read and executed but those of /dev, wherever it or its
// terminals are mounted; and AllowMemoryDevices().
//
// Rules only ever add rights, so /dev cannot be taken out of a rule for "/": there is one for each entry of
// the root directory, and of those directories that another mount of devices is in. A supervisor makes them
// so that was given no ruleset; for what else can be left out, and for keeping them, see ruleset_store.h.
bool AllowReading(const Ruleset& ruleset);
// Directories can be listed everywhere.
bool AllowListing(const Ruleset& ruleset);
// An open file can be read and executed, or everything below an open directory.
bool AllowReadingOf(const Ruleset& ruleset, int fd, bool is_directory);
// Of the devices in /dev, null, zero and full can be read and written, random and urandom be read.
bool AllowMemoryDevices(const Ruleset& ruleset);
// An open terminal can be opened by its name, and by that of the controlling terminal, /dev/tty.
bool AllowTerminal(const Ruleset& ruleset, int slave);
// Files can be made in /dev/shm, read, written and removed; none if there is no such directory.
bool AllowSharedMemory(const Ruleset& ruleset);
// Everything but device files and sockets can be made, written and removed below an open directory.
bool AllowWriting(const Ruleset& ruleset, int directory);

// Needs no_new_privs. E2BIG: there are 16 domains above already.
bool RestrictSelf(const Ruleset& ruleset);

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_LANDLOCK_H_
