// Names of directory entries, and patterns of them.
#ifndef BASHWARD_SANDBOX_NAME_PATTERN_H_
#define BASHWARD_SANDBOX_NAME_PATTERN_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bashward::sandbox {

// Whether a name matches a pattern in which `*` stands for any characters; a dot in front is one of them.
bool MatchesPattern(std::string_view name, std::string_view pattern);

// The names in a directory that match, in order. Nothing when it cannot be listed.
std::optional<std::vector<std::string>> ListMatching(const std::string& directory, std::string_view pattern);

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_NAME_PATTERN_H_
