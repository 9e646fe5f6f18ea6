// Mounts that only one forked process sees, and that go with it.
#ifndef BASHWARD_TEST_SUPPORT_OWN_MOUNTS_H_
#define BASHWARD_TEST_SUPPORT_OWN_MOUNTS_H_

#include <functional>
#include <string>

namespace bashward::test {

// Runs `body` in a forked process with mounts of its own: as root, or else in a user namespace, where it is
// root too. It gets an empty file system on a directory in which nobody else makes anything. Says why where
// that is impossible.
void WithOwnMounts(const std::function<void(const std::string& directory)>& body);

void MountNew(const char* type, const std::string& target);
// With the mounts in it, or without.
void Bind(const std::string& source, const std::string& target, bool with_mounts = true);

// Makes a directory with those above it.
void MakeDirectory(const std::string& path);
// Makes a file with that text, and the directories above it.
void WriteFile(const std::string& path, const std::string& text);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_OWN_MOUNTS_H_
