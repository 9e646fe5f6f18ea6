#include "broker/sockets/bound_names.h"

#include <utility>

namespace bashward::broker {

bool BoundNames::MakeRoom() {
  if (size_ < kCapacity) return true;
  size_t kept = 0;
  for (size_t i = 0; i < size_; ++i) {
    kernel::Status status;
    const bool is_gone = kernel::ReadStatus(names_[i].file.get(), &status) == 0 && status.links == 0;
    if (is_gone) continue;
    if (kept != i) names_[kept] = std::move(names_[i]);
    ++kept;
  }
  for (size_t i = kept; i < size_; ++i) names_[i].file = kernel::Descriptor();
  size_ = kept;
  return size_ < kCapacity;
}

void BoundNames::Add(kernel::Descriptor file, const kernel::Status& status) {
  names_[size_++] = {std::move(file), status.inode, status.device_major, status.device_minor};
}

bool BoundNames::Has(const kernel::Status& status) const {
  for (size_t i = 0; i < size_; ++i) {
    const Name& name = names_[i];
    if (name.inode == status.inode && name.device_major == status.device_major &&
        name.device_minor == status.device_minor) {
      return true;
    }
  }
  return false;
}

}  // namespace bashward::broker
