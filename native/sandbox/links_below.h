// The symbolic links in some directories and in all that is below them.
#ifndef BASHWARD_SANDBOX_LINKS_BELOW_H_
#define BASHWARD_SANDBOX_LINKS_BELOW_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/lookup_record.h"
#include "sandbox/mount_list.h"

namespace bashward::sandbox {

class LinksBelow {
 public:
  // Appends the paths of the links in a directory, which is not reached by a link itself, and in all
  // directories below it. What is on file systems of the kernel is passed over: it comes and goes. `lookups`
  // records what was found.
  //
  // Null, or why they cannot all be found, for people. What was found in all calls counts together.
  const char* Find(const std::string& directory, const MountList& mounts, LookupRecord* lookups,
                   std::vector<std::string>* links);

  // Whether a path is, or is below, a directory whose links have been found.
  bool Cover(std::string_view path) const;

 private:
  std::set<std::string, std::less<>> walked_;
  size_t branches_ = 0;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_LINKS_BELOW_H_
