// Tests that pass as root and as an ordinary user: where root runs them, they run as both.
#ifndef BASHWARD_TEST_SUPPORT_USERS_H_
#define BASHWARD_TEST_SUPPORT_USERS_H_

#include <string>
#include <vector>

namespace bashward::test {

enum class User { kOwn, kOrdinary };

// Whom a test can run as: the user of the tests and, if that is root, an ordinary one.
std::vector<User> Users();

// For the names of parameterized tests.
std::string NameOf(User user);

// Turns this process into one of that user, for good. In a forked process only.
void Become(User user);

// Makes that user the owner of a file or directory.
void GiveTo(User user, const std::string& path);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_USERS_H_
