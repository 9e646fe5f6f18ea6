#include "broker/beneath.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "broker/kernel_path.h"
#include "broker/other_names.h"
#include "sandbox/device_number.h"

namespace bashward::broker {
namespace {

using kernel::Descriptor;
using kernel::IsSameFile;
using kernel::Status;
using sandbox::WritableRoot;
using sandbox::WritableRoots;

// A rename can come in between every time. Each try takes some ten microseconds.
constexpr int kMaxTries = 64;
// So often in a row must the path lead nowhere, or to something else, to be believed: in between it may have
// been renamed and renamed back.
constexpr int kMinFailures = 16;

KernelPath named_path;
KernelPath path_afterwards;
KernelPath root_path;

// What of a path is below a directory; null when it is not below.
const char* RestBelow(const char* path, const char* directory, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    if (path[i] != directory[i]) return nullptr;
  }
  return path[length] == '/' && path[length + 1] != '\0' ? path + length + 1 : nullptr;
}

bool IsRoot(const Status& status, const WritableRoot& root) {
  return status.inode == root.inode && status.mount_id == root.mount_id &&
         sandbox::EncodeDevice(status.device_major, status.device_minor) == root.device;
}

bool IsLackOfResources(int error) {
  return error == -EMFILE || error == -ENFILE || error == -ENOMEM || error == -EINTR;
}

// One walk of `rest` from a root: 0 when it led to what `checked` has the status of, -ESTALE when to
// something else, or -errno.
int Walk(const WritableRoot& root, const char* rest, Checked* checked) {
  checked->found = kernel::OpenPath(root.fd.get(), rest, O_NOFOLLOW,
                                    kernel::kBeneath | kernel::kNoMagicLinks | kernel::kNoSymlinks);
  if (!checked->found.valid()) return checked->found.error();
  Status status;
  const int error = kernel::ReadStatus(checked->found.get(), &status);
  if (error != 0) return error;
  if (!IsSameFile(status, checked->status)) return -ESTALE;
  checked->status = status;
  checked->fd = checked->found.get();
  return 0;
}

// A root that was removed has a path, too, which is anybody's.
bool IsWhereItsPathSays(const WritableRoot& root) {
  const Descriptor there =
      kernel::OpenPath(AT_FDCWD, root_path.text, 0, kernel::kNoMagicLinks | kernel::kNoSymlinks);
  Status status;
  return there.valid() && kernel::ReadStatus(there.get(), &status) == 0 && IsRoot(status, root);
}

// What has lost the name that it was opened by, or never had one, can have another. Only a name beneath the
// root proves that it is the root's: it can have been moved out by others. That name is looked for where the
// old one was; wherever else it is, the file is refused.
bool HasOtherName(const WritableRoot& root, const char* rest, Checked* checked) {
  if (checked->status.links == 0 || S_ISDIR(checked->status.mode) || !IsDeletedName(rest)) return false;
  OtherNames names(root.fd.get(), rest, checked->status.inode);
  while (const char* const name = names.Next()) {
    if (Walk(root, name, checked) == 0) return true;
  }
  return false;
}

// A deleted file cannot be walked to. Its path tells where it was, and within one mount no other tree has the
// root's name while the root has it.
bool IsDeletedFrom(const WritableRoot& root, const Status& status) {
  return status.links == 0 && status.mount_id == root.mount_id && IsWhereItsPathSays(root);
}

enum class RootPaths { kAtStart, kNow };

// One try at every root: as Walk(), or kOutside when the path is below none of them.
int TryRoots(int named, const WritableRoots& roots, RootPaths paths, Checked* checked) {
  int result = kOutside;
  for (size_t i = 0; i < roots.size(); ++i) {
    const WritableRoot& root = roots[i];
    const char* rest = nullptr;
    if (paths == RootPaths::kAtStart) {
      rest = RestBelow(named_path.text, root.path, root.length);
    } else if (root_path.Read(root.fd.get())) {
      rest = RestBelow(named_path.text, root_path.text, root_path.size);
    }
    if (rest == nullptr) continue;
    const int error = Walk(root, rest, checked);
    if (error == 0 || IsLackOfResources(error)) return error;
    if (paths == RootPaths::kNow && HasOtherName(root, rest, checked)) return 0;
    if (paths == RootPaths::kNow && IsDeletedFrom(root, checked->status)) {
      checked->fd = named;
      return 0;
    }
    if (result == kOutside) result = error;
  }
  return result;
}

}  // namespace

int CheckBeneath(int named, const WritableRoots& roots, Checked* checked) {
  int error = kernel::ReadStatus(named, &checked->status);
  if (error != 0) return error;
  if (!named_path.Read(named)) return -ENAMETOOLONG;
  checked->path = named_path.text;
  checked->path_size = named_path.size;
  for (size_t i = 0; i < roots.size(); ++i) {
    if (!IsRoot(checked->status, roots[i])) continue;
    checked->is_root = true;
    checked->fd = roots[i].fd.get();
    return 0;
  }
  error = TryRoots(named, roots, RootPaths::kAtStart, checked);
  if (error == 0 || IsLackOfResources(error)) return error;
  for (int tries = 0, failures = 0; tries < kMaxTries; ++tries) {
    error = TryRoots(named, roots, RootPaths::kNow, checked);
    if (error == 0 || IsLackOfResources(error)) return error;
    if (!path_afterwards.Read(named)) return -ENAMETOOLONG;
    failures = path_afterwards == named_path ? failures + 1 : 0;
    if (failures > 0 && error == kOutside) return kOutside;
    // A directory on the way that may not be searched is what the kernel would say; all else is another file.
    if (failures == kMinFailures) return error == -EACCES ? error : kOutside;
    named_path = path_afterwards;
    checked->path_size = named_path.size;
    error = kernel::ReadStatus(named, &checked->status);
    if (error != 0) return error;
  }
  return -EBUSY;
}

}  // namespace bashward::broker
