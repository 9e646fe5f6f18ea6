#include "support/own_mounts.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/forked.h"
#include "support/must_work.h"

namespace bashward::test {
namespace {

bool HasNamespaces() {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  if (user == 0) return unshare(CLONE_NEWNS) == 0;
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  std::ofstream("/proc/self/setgroups") << "deny";
  std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
  std::ofstream("/proc/self/gid_map") << "0 " << group << " 1";
  return geteuid() == 0;
}

std::string EmptyDirectory() {
  for (const char* path : {"/mnt", "/srv", "/media", "/opt", "/home"}) {
    if (std::filesystem::is_directory(path)) return path;
  }
  return "";
}

}  // namespace

void WithOwnMounts(const std::function<void(const std::string& directory)>& body) {
  InForkedProcess([&body] {
    if (!HasNamespaces()) return CannotTest("there are no mount namespaces for this user");
    ASSERT_EQ(mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), 0) << "errno " << errno;
    const std::string directory = EmptyDirectory();
    ASSERT_NE(directory, "");
    MountNew("tmpfs", directory);
    body(directory);
  });
}

void MountNew(const char* type, const std::string& target) {
  MakeDirectory(target);
  ASSERT_EQ(mount("test", target.c_str(), type, 0, nullptr), 0) << type << ": errno " << errno;
}

void Bind(const std::string& source, const std::string& target, bool with_mounts) {
  if (std::filesystem::is_directory(source)) {
    MakeDirectory(target);
  } else if (!std::filesystem::exists(target)) {
    WriteFile(target, "");
  }
  unsigned long flags = MS_BIND;
  if (with_mounts) flags |= MS_REC;
  ASSERT_EQ(mount(source.c_str(), target.c_str(), nullptr, flags, nullptr), 0) << "errno " << errno;
}

void MakeDirectory(const std::string& path) {
  std::error_code ignored;
  std::filesystem::create_directories(path, ignored);
}

void WriteFile(const std::string& path, const std::string& text) {
  MakeDirectory(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

}  // namespace bashward::test
