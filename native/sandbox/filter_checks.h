// Decisions of the filter that depend on arguments. Each is a piece of program that ends with an answer.
#ifndef BASHWARD_SANDBOX_FILTER_CHECKS_H_
#define BASHWARD_SANDBOX_FILTER_CHECKS_H_

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "sandbox/bpf_program.h"

namespace bashward::sandbox {

// Allows only the kernel's routing tables: every program that lists interfaces or resolves a name reads
// them. Changing them takes a capability.
constexpr void CheckSocket(BpfProgram* program) {
  constexpr uint32_t kNetlinkRoute = 0;
  program->LoadArgument(0);
  program->RefuseUnlessEqual(AF_NETLINK, EPERM);
  program->LoadArgument(2);
  program->RefuseUnlessEqual(kNetlinkRoute, EPERM);
  program->Allow();
}

// Only pairs that are connected for good. A pair of datagram sockets could still send to any socket by its
// path.
constexpr void CheckSocketpair(BpfProgram* program) {
  constexpr uint32_t kTypeMask = 0xf;
  program->LoadArgument(0);
  program->RefuseUnlessEqual(AF_UNIX, EPERM);
  program->LoadArgument(1);
  program->And(kTypeMask);
  program->AllowIfEqual(SOCK_STREAM);
  program->AllowIfEqual(SOCK_SEQPACKET);
  program->Refuse(EPERM);
}

// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET; the time namespace is unshare(2)'s alone,
// as its bit is part of the exit signal of clone(2).
inline constexpr uint32_t kNewNamespaces = 0x7e020000;
inline constexpr uint32_t kNewTimeNamespace = 0x80;
inline constexpr uint32_t kEmptyMountNamespace = 0x00100000;  // UNSHARE_EMPTY_MNTNS, since 7.1

constexpr void CheckClone(BpfProgram* program) {
  program->LoadArgument(0);
  program->RefuseIfAnySet(kNewNamespaces, EPERM);
  program->Allow();
}

constexpr void CheckUnshare(BpfProgram* program) {
  program->LoadArgument(0);
  program->RefuseIfAnySet(kNewNamespaces | kNewTimeNamespace | kEmptyMountNamespace, EPERM);
  program->Allow();
}

// Only on oneself, named by 0. A process could also name itself by its number, but a filter cannot know
// that.
constexpr void CheckSelf(BpfProgram* program) {
  program->LoadArgument(0);
  program->AllowIfEqual(0);
  program->Refuse(EPERM);
}

// The limit of core dumps stays 1. Only at that limit does the kernel also keep a dump from the program
// that core_pattern names, which runs as root and outside (fs/coredump.c). Programs that turn dumps off for
// themselves are told that it worked: there are none.
constexpr void CheckSetrlimit(BpfProgram* program) {
  program->LoadArgument(0);
  program->PretendIfEqual(RLIMIT_CORE);
  program->Allow();
}

// All limits may be read, and one's own be changed.
constexpr void CheckPrlimit(BpfProgram* program) {
  program->LoadArgument(2);  // new limits
  const size_t section = program->BeginIfEqual(0);
  program->LoadUpperArgument(2);
  program->AllowIfEqual(0);
  program->End(section);
  program->LoadArgument(0);
  program->RefuseUnlessEqual(0, EPERM);
  program->LoadArgument(1);
  const size_t core = program->BeginIfEqual(RLIMIT_CORE);
  // A pretended success could not return the old limits to a caller who asks for them, too.
  program->LoadArgument(3);
  program->RefuseUnlessEqual(0, EPERM);
  program->LoadUpperArgument(3);
  program->RefuseUnlessEqual(0, EPERM);
  program->Pretend();
  program->End(core);
  program->Allow();
}

// Only of oneself or of the own process group, never of all processes of a user.
constexpr void CheckSetpriority(BpfProgram* program) {
  constexpr uint32_t kUser = 2;  // PRIO_USER
  program->LoadArgument(0);
  program->RefuseIfEqual(kUser, EPERM);
  program->LoadArgument(1);
  program->AllowIfEqual(0);
  program->Refuse(EPERM);
}

constexpr void CheckIoprioSet(BpfProgram* program) {
  constexpr uint32_t kUser = 3;  // IOPRIO_WHO_USER
  program->LoadArgument(0);
  program->RefuseIfEqual(kUser, EPERM);
  program->LoadArgument(1);
  program->AllowIfEqual(0);
  program->Refuse(EPERM);
}

// One end of a pair could take an abstract name that a service is about to use. A filter sees only the
// length of the address: that of a netlink address is let through, and with it abstract names of nine
// characters.
constexpr void CheckBind(BpfProgram* program) {
  constexpr uint32_t kNetlinkAddress = 12;  // sizeof(sockaddr_nl)
  program->LoadArgument(2);
  program->AllowIfEqual(kNetlinkAddress);
  program->Refuse(EPERM);
}

// In a file that can be mapped for reading, a command could move the waiters of another program to a place
// where nobody wakes them. The threads of one process use the private variant.
constexpr void CheckFutex(BpfProgram* program) {
  constexpr uint32_t kRealTimeClock = 256;    // FUTEX_CLOCK_REALTIME
  constexpr uint32_t kMoving[] = {3, 4, 12};  // FUTEX_REQUEUE, FUTEX_CMP_REQUEUE, FUTEX_CMP_REQUEUE_PI
  program->LoadArgument(1);
  program->And(~kRealTimeClock);
  for (const uint32_t operation : kMoving) program->RefuseIfEqual(operation, EPERM);
  program->Allow();
}

// Of Linux's own commands: no leases and delegations, which make others wait who open the file, and no
// hints, which stay with the file. A newer command gets the answer of an older kernel.
constexpr void CheckFcntl(BpfProgram* program) {
  constexpr uint32_t kNewestReviewed = 1040;
  constexpr uint32_t kRefused[] = {
      1024,  // F_SETLEASE
      1036,  // F_SET_RW_HINT
      1038,  // F_SET_FILE_RW_HINT
      1040,  // F_SETDELEG
  };
  program->LoadArgument(1);
  for (const uint32_t command : kRefused) program->RefuseIfEqual(command, EPERM);
  program->RefuseIfAtLeast(kNewestReviewed + 1, EINVAL);
  program->Allow();
}

// Allows reading the kernel's log, where the kernel does, and its size.
constexpr void CheckSyslog(BpfProgram* program) {
  constexpr uint32_t kReadAll = 3;
  constexpr uint32_t kSizeBuffer = 10;
  program->LoadArgument(0);
  program->AllowIfEqual(kReadAll);
  program->AllowIfEqual(kSizeBuffer);
  program->Refuse(EPERM);
}

// What is allowed: terminals (but for typing into them and taking them over), and reading what a file or
// device is. Everything else can change a file that is open for reading, or a device; but for cloning, which
// needs one that is open for writing.
constexpr void CheckIoctlRequest(BpfProgram* program, bool clones) {
  constexpr uint32_t kRefusedOfTerminals[] = {
      0x5412,  // TIOCSTI types
      0x541c,  // TIOCLINUX pastes
      0x541d,  // TIOCCONS
      0x5423,  // TIOCSETD
      0x540e,  // TIOCSCTTY
      0x5437,  // TIOCVHANGUP
  };
  constexpr uint32_t kGetters[] = {
      0x00000002,  // FIGETBSZ
      0x00001260,  // BLKGETSIZE
      0x00001268,  // BLKSSZGET
      0x80081272,  // BLKGETSIZE64
      0x80086601,  // FS_IOC_GETFLAGS
      0x80087601,  // FS_IOC_GETVERSION
      0x801c581f,  // FS_IOC_FSGETXATTR
      0x81009431,  // FS_IOC_GETFSLABEL
      0xc020660b,  // FS_IOC_FIEMAP
      0xc0686611,  // PROCMAP_QUERY
  };
  constexpr uint32_t kCloning[] = {
      0x40049409,  // FICLONE
      0x4020940d,  // FICLONERANGE
  };
  constexpr uint32_t kTerminals = 'T';
  constexpr uint32_t kNamespaces = 0xb7;  // NS_GET_*
  program->LoadArgument(1);
  for (const uint32_t request : kRefusedOfTerminals) program->RefuseIfEqual(request, EPERM);
  for (const uint32_t request : kGetters) program->AllowIfEqual(request);
  if (clones) {
    for (const uint32_t request : kCloning) program->AllowIfEqual(request);
  }
  program->ShiftRight(8);
  program->And(0xff);
  program->AllowIfEqual(kTerminals);
  program->AllowIfEqual(kNamespaces);
  program->Refuse(EPERM);
}

constexpr void CheckIoctl(BpfProgram* program) {
  CheckIoctlRequest(program, false);
}

constexpr void CheckIoctlWithCloning(BpfProgram* program) {
  CheckIoctlRequest(program, true);
}

// Refuses to signal everything at once. A filter cannot tell one process from another.
constexpr void CheckKill(BpfProgram* program) {
  program->LoadArgument(0);
  program->RefuseIfEqual(0xffffffff, EPERM);
  program->Allow();
}

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_FILTER_CHECKS_H_
