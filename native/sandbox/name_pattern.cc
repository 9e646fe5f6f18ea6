#include "sandbox/name_pattern.h"

#include <fcntl.h>

#include <algorithm>

#include "sys/directory.h"
#include "sys/unique_fd.h"

namespace bashward::sandbox {

bool MatchesPattern(std::string_view name, std::string_view pattern) {
  // Back to the last star, with one more character for it, whenever something does not match.
  size_t star = std::string_view::npos;
  size_t after = 0;
  size_t n = 0;
  size_t p = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++after;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::optional<std::vector<std::string>> ListMatching(const std::string& directory, std::string_view pattern) {
  const sys::UniqueFd fd(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd.valid()) return std::nullopt;
  std::vector<std::string> names;
  const bool listed = sys::ForEachEntry<32768>(fd.get(), [&](const sys::DirectoryEntry& entry) {
    if (!entry.IsDotOrDotDot() && MatchesPattern(entry.name, pattern)) names.emplace_back(entry.name);
    return true;
  });
  if (!listed) return std::nullopt;
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace bashward::sandbox
