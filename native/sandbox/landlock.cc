#include "sandbox/landlock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/device_mounts.h"
#include "sandbox/device_number.h"
#include "sys/directory.h"
#include "util/text.h"

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

namespace bashward::sandbox {
namespace {

// The kernel headers that bashward is built with may be older than the kernels that it runs on: what it uses
// of <linux/landlock.h> is written down here.
constexpr uint32_t kCreateRulesetVersion = 1U << 0;
constexpr uint32_t kRulePathBeneath = 1;

constexpr uint64_t kExecute = 1U << 0;
constexpr uint64_t kWriteFile = 1U << 1;
constexpr uint64_t kReadFile = 1U << 2;
constexpr uint64_t kReadDir = 1U << 3;
constexpr uint64_t kMakeChar = 1U << 6;
constexpr uint64_t kMakeSock = 1U << 9;
constexpr uint64_t kMakeBlock = 1U << 11;
constexpr uint64_t kRefer = 1U << 13;
constexpr uint64_t kTruncate = 1U << 14;
constexpr uint64_t kIoctlDev = 1U << 15;
constexpr uint64_t kResolveUnix = 1U << 16;

constexpr uint64_t kTcp = 0x3;  // bind, connect
constexpr uint64_t kUdp = 0xc;  // bind, connect and send

constexpr uint64_t kRead = kExecute | kReadFile | kReadDir;

// The rights that make sense for something other than a directory; the kernel refuses others for it.
constexpr uint64_t kFileRights = kExecute | kWriteFile | kReadFile | kTruncate | kIoctlDev | kResolveUnix;

// struct landlock_ruleset_attr of ABI 10. An older kernel takes it as long as what it does not know is zero.
struct RulesetAttributes {
  uint64_t handled_access_fs;
  uint64_t handled_access_net;
  uint64_t scoped;
  uint64_t quiet_access_fs;
  uint64_t quiet_access_net;
  uint64_t quiet_scoped;
};

struct __attribute__((packed)) PathBeneathAttributes {
  uint64_t allowed_access;
  int32_t parent_fd;
};

// What came with which version, newest first. The two scopes are apart: some kernels of version 6 have only
// the first.
struct Addition {
  int abi;
  Handled handled;
};
constexpr Addition kAdditions[] = {
    {10, {0, kUdp, 0}},        {9, {kResolveUnix, 0, 0}},
    {6, {0, 0, kScopeSignal}}, {6, {0, 0, kScopeAbstractUnixSocket}},
    {5, {kIoctlDev, 0, 0}},    {4, {0, kTcp, 0}},
    {3, {kTruncate, 0, 0}},    {2, {kRefer, 0, 0}},
    {1, {0x1fff, 0, 0}},
};

int CreateRulesetFd(const Handled& handled) {
  const RulesetAttributes attributes{handled.file_system, handled.network, handled.scoped, 0, 0, 0};
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0));
}

bool AddRule(const Ruleset& ruleset, int beneath, uint64_t access) {
  const PathBeneathAttributes attributes{access & ruleset.handled.file_system, beneath};
  if (attributes.allowed_access == 0) return true;
  return syscall(SYS_landlock_add_rule, ruleset.fd.get(), kRulePathBeneath, &attributes, 0) == 0;
}

bool LacksResources(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM;
}

// What cannot be opened gets no rule, and so no access: it is not there, or has just gone.
bool AllowPath(const Ruleset& ruleset, const char* path, uint64_t access) {
  sys::UniqueFd entry(open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!entry.valid() && !LacksResources(errno)) {
    entry.reset(open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC));
    access &= kFileRights;
  }
  if (!entry.valid()) return !LacksResources(errno);
  return AddRule(ruleset, entry.get(), access);
}

// A device by its number: anything else under that name gets no access.
bool AllowDevice(const Ruleset& ruleset, const char* path, uint64_t device, uint64_t access) {
  const sys::UniqueFd entry(open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (!entry.valid()) return !LacksResources(errno);
  struct stat status{};
  if (fstat(entry.get(), &status) != 0) return false;
  if (!S_ISCHR(status.st_mode) || status.st_rdev != device) return true;
  return AddRule(ruleset, entry.get(), access);
}

bool AllowMemoryDevice(const Ruleset& ruleset, const char* path, uint64_t minor, uint64_t access) {
  constexpr uint64_t kMemory = 1;
  return AllowDevice(ruleset, path, EncodeDevice(kMemory, minor), access);
}

// One rule for each entry of a directory and everything in it, except /dev and entries that have mounts of
// devices in them.
bool AllowEntries(const Ruleset& ruleset, const char* directory, const DeviceMounts& mounts,
                  uint64_t access) {
  const sys::UniqueFd fd(open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return !LacksResources(errno);
  const bool is_root = strcmp(directory, "/") == 0;
  bool allowed = true;
  const bool listed = sys::ForEachEntry(fd.get(), [&](const sys::DirectoryEntry& entry) {
    // Access through a symbolic link is judged by where it leads.
    if (entry.IsDotOrDotDot() || entry.type == DT_LNK) return true;
    if (is_root && strcmp(entry.name, "dev") == 0) return true;
    util::Text<PATH_MAX + 256> path;
    path << (is_root ? "" : directory) << "/" << entry.name;
    if (!mounts.AnyAtOrBelow(path.c_str())) allowed = AllowPath(ruleset, path.c_str(), access);
    return allowed;
  });
  return listed && allowed;
}

// The directories above mount `i`, the root left out, but for those that are above an earlier one.
bool AllowBeside(const Ruleset& ruleset, const DeviceMounts& mounts, size_t i, uint64_t access) {
  char directory[PATH_MAX];
  const size_t length = strlen(mounts[i]);
  if (length >= sizeof directory) return errno = ENAMETOOLONG, false;
  for (size_t end = 1; end < length; ++end) {
    if (mounts[i][end] != '/') continue;
    memcpy(directory, mounts[i], end);
    directory[end] = '\0';
    if (mounts.Cover(directory)) return true;
    if (mounts.FirstBelow(directory) == i && !AllowEntries(ruleset, directory, mounts, access)) return false;
  }
  return true;
}

// Of `parts`, all that version `abi` knows and the kernel takes.
Ruleset CreateNewest(int abi, const Handled& parts) {
  constexpr size_t kCount = sizeof kAdditions / sizeof *kAdditions;
  size_t first = 0;
  while (first + 1 < kCount && kAdditions[first].abi > abi) ++first;
  for (;; ++first) {
    Ruleset ruleset;
    for (size_t i = first; i < kCount; ++i) {
      ruleset.handled.file_system |= kAdditions[i].handled.file_system & parts.file_system;
      ruleset.handled.network |= kAdditions[i].handled.network & parts.network;
      ruleset.handled.scoped |= kAdditions[i].handled.scoped & parts.scoped;
    }
    ruleset.fd.reset(CreateRulesetFd(ruleset.handled));
    const bool too_much = !ruleset.fd.valid() && (errno == EINVAL || errno == E2BIG);
    if (!too_much || first + 1 == kCount) return ruleset;
  }
}

}  // namespace

int LandlockAbi() {
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, nullptr, 0, kCreateRulesetVersion));
}

Ruleset CreateRuleset(int abi) {
  return CreateNewest(abi, {~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}});
}

Handled HandledByReading(int abi) {
  constexpr int kReferAbi = 2;
  // For kRefer see CreateSignalScope().
  return {abi < kReferAbi ? kRead : kRead | kRefer, 0, 0};
}

Ruleset CreateReadingRuleset(int abi) {
  Ruleset ruleset;
  ruleset.handled = HandledByReading(abi);
  ruleset.fd.reset(CreateRulesetFd(ruleset.handled));
  if (ruleset.fd.valid() && !AllowPath(ruleset, "/", kRefer)) ruleset.fd.reset(-1);
  return ruleset;
}

Ruleset CreateWritingRuleset(int abi) {
  return CreateNewest(abi, {~kRead, ~uint64_t{0}, ~uint64_t{0}});
}

Ruleset CreateSignalScope() {
  // Every domain denies moving files from one directory to another unless it allows it, even a domain that
  // handles no file right at all, and that holds in all domains below. So it is allowed here, and the rules
  // of those domains decide.
  Ruleset ruleset;
  ruleset.handled = {kRefer, 0, kScopeSignal};
  ruleset.fd.reset(CreateRulesetFd(ruleset.handled));
  if (ruleset.fd.valid() && !AllowPath(ruleset, "/", kRefer)) ruleset.fd.reset(-1);
  return ruleset;
}

bool AllowReading(const Ruleset& ruleset) {
  // Too large for a stack, and there is nothing to allocate from.
  static DeviceMounts mounts;
  if (!mounts.Read()) return false;
  if (!AllowListing(ruleset) || !AllowEntries(ruleset, "/", mounts, kRead)) return false;
  for (size_t i = 0; i < mounts.size(); ++i) {
    if (!AllowBeside(ruleset, mounts, i, kRead)) return false;
  }
  return AllowMemoryDevices(ruleset);
}

bool AllowListing(const Ruleset& ruleset) {
  return AllowPath(ruleset, "/", kReadDir);
}

bool AllowReadingOf(const Ruleset& ruleset, int fd, bool is_directory) {
  return AddRule(ruleset, fd, is_directory ? kRead : kRead & kFileRights);
}

bool AllowMemoryDevices(const Ruleset& ruleset) {
  constexpr uint64_t kReadWrite = kReadFile | kWriteFile | kTruncate | kIoctlDev;
  return AllowMemoryDevice(ruleset, "/dev/null", 3, kReadWrite) &&
         AllowMemoryDevice(ruleset, "/dev/zero", 5, kReadWrite) &&
         AllowMemoryDevice(ruleset, "/dev/full", 7, kReadWrite) &&
         AllowMemoryDevice(ruleset, "/dev/random", 8, kReadFile | kIoctlDev) &&
         AllowMemoryDevice(ruleset, "/dev/urandom", 9, kReadFile | kIoctlDev);
}

// /dev/tty opens the terminal of the process's own session, or fails. No other session of a command has one:
// the filter refuses TIOCSCTTY, and there is no other terminal that it could open.
bool AllowTerminal(const Ruleset& ruleset, int slave) {
  constexpr uint64_t kAccess = kReadFile | kWriteFile | kTruncate | kIoctlDev;
  constexpr uint64_t kTtyMajor = 5;
  return AddRule(ruleset, slave, kAccess) &&
         AllowDevice(ruleset, "/dev/tty", EncodeDevice(kTtyMajor, 0), kAccess);
}

bool AllowSharedMemory(const Ruleset& ruleset) {
  const sys::UniqueFd directory(open("/dev/shm", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory.valid()) return !LacksResources(errno);
  return AllowWriting(ruleset, directory.get());
}

bool AllowWriting(const Ruleset& ruleset, int directory) {
  constexpr uint64_t kRefused = kMakeChar | kMakeBlock | kMakeSock | kIoctlDev | kResolveUnix;
  return AddRule(ruleset, directory, ~kRefused);
}

bool RestrictSelf(const Ruleset& ruleset) {
  return syscall(SYS_landlock_restrict_self, ruleset.fd.get(), 0) == 0;
}

}  // namespace bashward::sandbox
