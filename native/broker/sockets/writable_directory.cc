#include "broker/sockets/writable_directory.h"

#include <errno.h>

#include "broker/kernel_path.h"

namespace bashward::broker {
namespace {

using kernel::Descriptor;
using kernel::Status;

// A rename of a directory on the way can come in between each time.
constexpr int kMaxTries = 16;

KernelPath directory_path;
KernelPath root_path;

// "." for the root itself; null when it is not beneath.
const char* RestBelowRoot() {
  if (directory_path.size < root_path.size) return nullptr;
  for (size_t i = 0; i < root_path.size; ++i) {
    if (directory_path.text[i] != root_path.text[i]) return nullptr;
  }
  const char* const rest = directory_path.text + root_path.size;
  if (*rest == '\0') return ".";
  return *rest == '/' ? rest + 1 : nullptr;
}

}  // namespace

Descriptor FindBeneathRoots(int directory, const sandbox::WritableRoots& roots) {
  Status wanted;
  const int error = kernel::ReadStatus(directory, &wanted);
  if (error != 0) return Descriptor(error);
  for (int tries = 0; tries < kMaxTries; ++tries) {
    bool is_below_one = false;
    if (!directory_path.Read(directory)) return Descriptor(-ENAMETOOLONG);
    for (size_t i = 0; i < roots.size(); ++i) {
      const char* const rest = root_path.Read(roots[i].fd.get()) ? RestBelowRoot() : nullptr;
      if (rest == nullptr) continue;
      is_below_one = true;
      Descriptor found = kernel::OpenPath(roots[i].fd.get(), rest, O_DIRECTORY | O_NOFOLLOW,
                                          kernel::kBeneath | kernel::kNoMagicLinks | kernel::kNoSymlinks);
      Status status;
      if (found.valid() && kernel::ReadStatus(found.get(), &status) == 0 &&
          kernel::IsSameFile(status, wanted)) {
        return found;
      }
      if (found.error() == -EMFILE || found.error() == -ENFILE || found.error() == -ENOMEM) return found;
    }
    if (!is_below_one) break;
  }
  return Descriptor(-EACCES);
}

}  // namespace bashward::broker
