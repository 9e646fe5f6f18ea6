// Decisions of the filter about the making, opening and renaming of files, and about filters beside it. Each
// is a piece of program that ends with an answer; `kFlags` and `kMode` say which arguments these are.
#ifndef BASHWARD_SANDBOX_FILTER_FILE_CHECKS_H_
#define BASHWARD_SANDBOX_FILTER_FILE_CHECKS_H_

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/bpf_program.h"

namespace bashward::sandbox {

// A file is made with set-id bits as well as it gets them later. mkdir(2) needs no such check: the kernel
// takes neither of these bits of its mode (vfs_mkdir() of fs/namei.c).
template <int kMode>
constexpr void CheckNewMode(BpfProgram* program) {
  constexpr uint32_t kSetIds = 06000;
  program->LoadArgument(kMode);
  program->RefuseIfAnySet(kSetIds, EPERM);
  program->Allow();
}

// Otherwise the mode is whatever the register held. The kernel goes by these two bits (WILL_CREATE() of
// fs/open.c); the other one that is part of O_TMPFILE alone makes nothing.
template <int kFlags, int kMode>
constexpr void CheckOpenMode(BpfProgram* program) {
  constexpr uint32_t kCreates = O_CREAT | (O_TMPFILE & ~O_DIRECTORY);
  program->LoadArgument(kFlags);
  program->AllowUnlessAnySet(kCreates);
  CheckNewMode<kMode>(program);
}

// Before ABI 3 Landlock knows no right for emptying a file that is opened for reading, or for neither
// reading nor writing, which is how the kernel takes both access modes together (open(2), NOTES).
template <int kFlags>
constexpr void RefuseTruncation(BpfProgram* program) {
  program->LoadArgument(kFlags);
  program->And(O_ACCMODE | O_TRUNC);
  program->RefuseIfEqual(O_RDONLY | O_TRUNC, EACCES);
  program->RefuseIfEqual(O_ACCMODE | O_TRUNC, EACCES);
}

template <int kFlags>
constexpr void CheckTruncation(BpfProgram* program) {
  RefuseTruncation<kFlags>(program);
  program->Allow();
}

template <int kFlags, int kMode>
constexpr void CheckTruncationAndMode(BpfProgram* program) {
  RefuseTruncation<kFlags>(program);
  CheckOpenMode<kFlags, kMode>(program);
}

// What stays behind under the old name is a device, and of overlayfs the mark that hides a file.
constexpr void CheckRename(BpfProgram* program) {
  constexpr uint32_t kWhiteout = 4;  // RENAME_WHITEOUT
  program->LoadArgument(4);
  program->RefuseIfAnySet(kWhiteout, EINVAL);
  program->Allow();
}

// Of two filters that both ask, the newer one's listener is asked. The kernel refuses a second listener only
// while there is a first one: a command could answer itself once the broker has ended. What nests sandboxes
// knows this error.
constexpr void CheckSeccomp(BpfProgram* program) {
  constexpr uint32_t kSetFilter = 1;         // SECCOMP_SET_MODE_FILTER
  constexpr uint32_t kNewListener = 1 << 3;  // SECCOMP_FILTER_FLAG_NEW_LISTENER
  program->LoadArgument(0);
  const size_t section = program->BeginIfEqual(kSetFilter);
  program->LoadArgument(1);
  program->RefuseIfAnySet(kNewListener, EBUSY);
  program->End(section);
  program->Allow();
}

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_FILTER_FILE_CHECKS_H_
