#include "sandbox/links_below.h"

#include <errno.h>

#include <algorithm>
#include <utility>

#include "sandbox/kernel_mounts.h"

namespace bashward::sandbox {
namespace {

// Links and directories: each command looks whether they are as they were.
constexpr size_t kMaxBranches = 65536;
constexpr char kTooMany[] =
    "it has more than 65536 directories and links, with those that these lead to, so not all that they lead "
    "to can be "
    "left out";
constexpr char kTooLarge[] =
    "a directory in it has more than 1048576 entries, so not all that links among them lead to can be left "
    "out";
constexpr char kTooDeep[] =
    "a directory in it has a path of more than 4095 bytes, so what links there lead to cannot be left out";

}  // namespace

const char* LinksBelow::Find(const std::string& directory, const MountList& mounts, LookupRecord* lookups,
                             std::vector<std::string>* links) {
  walked_.insert(directory);
  std::vector<std::string> left{directory};
  while (!left.empty()) {
    const std::string path = std::move(left.back());
    left.pop_back();
    const Mount* mount = mounts.Of(path);
    if (mount != nullptr && IsOfKernel(mount->type)) continue;
    const auto branches = lookups->ListBranches(path);
    if (!branches && errno == ENAMETOOLONG) return kTooDeep;
    if (!branches) continue;
    branches_ += branches->links.size() + branches->directories.size();
    if (branches_ > kMaxBranches) return kTooMany;
    if (branches->entries > LookupRecord::kMaxEntries) return kTooLarge;
    for (const std::string& name : branches->links) links->push_back(path + "/" + name);
    for (const std::string& name : branches->directories) left.push_back(path + "/" + name);
  }
  return nullptr;
}

bool LinksBelow::Cover(std::string_view path) const {
  while (path.size() > 1) {
    if (walked_.count(path) != 0) return true;
    path = path.substr(0, path.rfind('/'));
  }
  return false;
}

}  // namespace bashward::sandbox
