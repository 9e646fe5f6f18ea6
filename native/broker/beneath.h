// Whether something lies beneath a writable root, and a descriptor of it that proves so.
//
// The path that the kernel gives for a descriptor is a hint only: a root can have been renamed or replaced,
// and other mount namespaces have other files of that name. So the hint is walked from the root's own
// descriptor, which no link and no `..` leaves, and what is found there must be the same file in the same
// mount. It is acted on by the descriptor that was found. Nothing from outside can have come beneath a root
// before or after: Landlock gives the command no rename or link from there, so there is no moment to wait
// for.
#ifndef BASHWARD_BROKER_BENEATH_H_
#define BASHWARD_BROKER_BENEATH_H_

#include <stddef.h>

#include "broker/kernel.h"
#include "sandbox/writable_roots.h"

namespace bashward::broker {

struct Checked {
  kernel::Descriptor found;
  // To act on: what was found, the root's own descriptor, or that of a deleted file without other names.
  int fd = -1;
  kernel::Status status;
  bool is_root = false;
  // The path of what was checked as the kernel gives it, until the next check; it can be empty.
  const char* path = "";
  size_t path_size = 0;
};

// `named` has O_PATH, and is what the caller means. 0 when it is a root or beneath one; kOutside; or -errno:
// EBUSY when it keeps moving.
inline constexpr int kOutside = 1;
int CheckBeneath(int named, const sandbox::WritableRoots& roots, Checked* checked);

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_BENEATH_H_
