#include "support/users.h"

#include <grp.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace bashward::test {
namespace {

// The kernel's own name for "nobody in particular" (/proc/sys/kernel/overflowuid).
constexpr uid_t kOrdinaryUid = 65534;

}  // namespace

std::vector<User> Users() {
  if (geteuid() != 0) return {User::kOwn};
  return {User::kOwn, User::kOrdinary};
}

std::string NameOf(User user) {
  if (user == User::kOrdinary) return "AsAnOrdinaryUser";
  return geteuid() == 0 ? "AsRoot" : "AsThisUser";
}

void Become(User user) {
  if (user == User::kOwn) return;
  ASSERT_EQ(setgroups(0, nullptr), 0);
  ASSERT_EQ(setresgid(kOrdinaryUid, kOrdinaryUid, kOrdinaryUid), 0);
  ASSERT_EQ(setresuid(kOrdinaryUid, kOrdinaryUid, kOrdinaryUid), 0);
}

void GiveTo(User user, const std::string& path) {
  if (user == User::kOwn) return;
  ASSERT_EQ(chown(path.c_str(), kOrdinaryUid, kOrdinaryUid), 0);
}

}  // namespace bashward::test
