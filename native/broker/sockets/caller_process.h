// What the broker asks /proc of the process whose system call it answers.
#ifndef BASHWARD_BROKER_SOCKETS_CALLER_PROCESS_H_
#define BASHWARD_BROKER_SOCKETS_CALLER_PROCESS_H_

#include <stdint.h>
#include <sys/types.h>

#include "broker/kernel.h"

namespace bashward::broker {

// The inode of the socket that a descriptor of the caller's means. 0, or what the kernel would say of the
// descriptor as -errno; -EPERM where nothing is shown of the caller.
int FindSocketInode(pid_t thread, int descriptor, uint64_t* inode);

// The mode bits that files of the caller never get. 0 or -errno.
int ReadUmask(pid_t thread, uint32_t* mask);

// O_PATH
kernel::Descriptor OpenWorkingDirectory(pid_t thread);

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_CALLER_PROCESS_H_
