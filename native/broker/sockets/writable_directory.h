// Whether a directory is a writable root or lies beneath one, for the names of sockets. Apart from beneath.h,
// whose buffers are those of the other thread.
#ifndef BASHWARD_BROKER_SOCKETS_WRITABLE_DIRECTORY_H_
#define BASHWARD_BROKER_SOCKETS_WRITABLE_DIRECTORY_H_

#include "broker/kernel.h"
#include "sandbox/writable_roots.h"

namespace bashward::broker {

// `directory`: O_PATH. Gives a descriptor of the same directory that was found by a walk from the root's own
// one, without links; with -EACCES in its place when there is none.
kernel::Descriptor FindBeneathRoots(int directory, const sandbox::WritableRoots& roots);

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_WRITABLE_DIRECTORY_H_
