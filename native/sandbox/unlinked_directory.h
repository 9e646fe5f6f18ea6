// A directory whose path needs no looking up.
#ifndef BASHWARD_SANDBOX_UNLINKED_DIRECTORY_H_
#define BASHWARD_SANDBOX_UNLINKED_DIRECTORY_H_

#include <sys/types.h>

#include <optional>
#include <string>

namespace bashward::sandbox {

// The owner of a directory, if realpath(3) of its path would be that path: absolute, without `.`, `..` and
// needless slashes, and without a symbolic link on the way. Takes two system calls, whatever its depth.
// Nothing where openat2(2) is refused.
std::optional<uid_t> OwnerOfUnlinked(const std::string& path);

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_UNLINKED_DIRECTORY_H_
