// The files of Unix sockets that the broker has bound for its command. Each is held, so that no other file
// gets its inode.
#ifndef BASHWARD_BROKER_SOCKETS_BOUND_NAMES_H_
#define BASHWARD_BROKER_SOCKETS_BOUND_NAMES_H_

#include <stddef.h>

#include "broker/kernel.h"

namespace bashward::broker {

class BoundNames {
 public:
  // Whether one more can be added; those that have lost their name go.
  bool MakeRoom();
  // `file`: O_PATH, with its status.
  void Add(kernel::Descriptor file, const kernel::Status& status);
  bool Has(const kernel::Status& status) const;

 private:
  static constexpr size_t kCapacity = 256;

  struct Name {
    kernel::Descriptor file;
    uint64_t inode;
    uint32_t device_major;
    uint32_t device_minor;
  };

  Name names_[kCapacity];
  size_t size_ = 0;
};

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_BOUND_NAMES_H_
