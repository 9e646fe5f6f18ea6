// Arranging descriptors in a child between clone and execve: raw system calls only, nothing allocated.
#ifndef BASHWARD_SYS_DESCRIPTORS_H_
#define BASHWARD_SYS_DESCRIPTORS_H_

namespace bashward::sys {

// Makes descriptor i a copy of `sources[i]`, open across execve, for i < count. Any source may lie in the
// target range. Returns 0, or -1 with errno. Changes `sources`.
int PlaceDescriptors(int* sources, int count);

// Makes sure that no descriptor from `first` to `last` survives execve. False with errno when it cannot:
// where close_range(2) is refused and /proc does not show the descriptors either.
[[nodiscard]] bool CloseRange(int first, int last);

// Gives a process that shares its descriptors with another (CLONE_FILES) a table of its own, with the same
// descriptors. False with errno.
[[nodiscard]] bool LeaveDescriptorTable();

}  // namespace bashward::sys

#endif  // BASHWARD_SYS_DESCRIPTORS_H_
