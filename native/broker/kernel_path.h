// The path that the kernel gives for a descriptor: a hint, which can be wrong a moment later.
#ifndef BASHWARD_BROKER_KERNEL_PATH_H_
#define BASHWARD_BROKER_KERNEL_PATH_H_

#include <limits.h>
#include <stddef.h>

#include "broker/kernel.h"
#include "util/text.h"

namespace bashward::broker {

// Static ones: too large for a thread's stack.
struct KernelPath {
  char text[PATH_MAX + 1];
  size_t size = 0;

  // False where the kernel has none that fits.
  bool Read(int fd) {
    const auto link = util::ProcPath() << "/proc/self/fd/" << fd;
    const long count = kernel::ReadLink(link.c_str(), text, sizeof text);
    if (count <= 0 || static_cast<size_t>(count) == sizeof text) return false;
    size = static_cast<size_t>(count);
    text[size] = '\0';
    return true;
  }
  bool operator==(const KernelPath& other) const {
    if (size != other.size) return false;
    for (size_t i = 0; i < size; ++i) {
      if (text[i] != other.text[i]) return false;
    }
    return true;
  }
};

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_KERNEL_PATH_H_
