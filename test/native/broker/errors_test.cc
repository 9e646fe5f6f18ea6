// Beneath a root a call fails as it does without a broker: the same calls are made in both ways.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include <cstring>

#include "broker/brokered.h"
#include "sandbox/system_calls.h"
#include "support/must_work.h"

namespace bashward::test {
namespace {

namespace number = sandbox::number;

struct Attempt {
  std::string name;
  std::function<long()> call;
};

// What the calls find: made anew for each of the two ways.
struct Files {
  Files() {
    MakeFile("f");
    MakeFile("readonly", 0444);
    EXPECT_EQ(mkdir("d", 0755), 0);
    EXPECT_EQ(mkdir("closed", 0), 0);
    EXPECT_EQ(symlink("f", "link"), 0);
    EXPECT_EQ(symlink("none", "dangling"), 0);
    EXPECT_EQ(symlink("loop", "loop"), 0);
    EXPECT_EQ(mkfifo("fifo", 0600), 0);
    EXPECT_EQ(truncate("f", 10), 0);
    file = open("f", O_RDONLY | O_CLOEXEC);
    path_only = open("f", O_PATH | O_CLOEXEC);
    path_only_directory = open("d", O_PATH | O_CLOEXEC);
    neither = open("f", O_ACCMODE | O_CLOEXEC);  // neither to read nor to write, and yet not O_PATH
    at_end = LastBytes("f", 2);
    unended = LastBytes("f", 1);
  }
  // Where memory ends behind them.
  static char* LastBytes(const char* bytes, size_t size) {
    void* const pages = mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char* const end = static_cast<char*>(pages) + kPage;
    EXPECT_EQ(munmap(end, kPage), 0);
    return static_cast<char*>(memcpy(end - size, bytes, size));
  }
  static constexpr size_t kPage = 4096;
  int file, path_only, path_only_directory, neither;
  char* at_end;   // a path whose NUL is the last byte before memory that is not there
  char* unended;  // one without a NUL
};

char* const kNowhere = reinterpret_cast<char*>(8);
constexpr long kNone = 1000;

bool IsKnown(long call) {
  return syscall(call, -1, nullptr, -1, -1, nullptr, 0) != -1 || errno != ENOSYS;
}

std::vector<Attempt> Modes(const Files& files) {
  const std::string long_name(256, 'n');
  const std::string long_path = "./" + std::string(4094, '/') + "f";
  const auto path = [](const std::string& text) { return [=] { return long{chmod(text.c_str(), 0600)}; }; };
  return {
      {"no path", [] { return syscall(SYS_fchmodat, AT_FDCWD, nullptr, 0600); }},
      {"a path nowhere", [] { return long{chmod(kNowhere, 0600)}; }},
      {"a path at the end of memory", [=] { return long{chmod(files.at_end, 0600)}; }},
      {"a path without an end", [=] { return long{chmod(files.unended, 0600)}; }},
      {"an empty path", path("")},
      {"a file with a slash", path("f/")},
      {"below a file", path("f/x")},
      {"nothing", path("none")},
      {"a dangling link", path("dangling")},
      {"a loop", path("loop")},
      {"below a loop", path("loop/x")},
      {"a link to a file with a slash", path("link/")},
      {"a long name", path(long_name)},
      {"a long path", path(long_path)},
      {"a directory that cannot be searched", path("closed/x")},
      {"a descriptor path to none", path("/proc/self/fd/999")},
      {"a descriptor path that is no number", path("/proc/self/fd/1x")},
      {"a descriptor path with a zero", path("/proc/self/fd/01")},
      {"a descriptor path beyond int", path("/dev/fd/4294967297")},
      {"a descriptor path below a file", path("/dev/fd/" + std::to_string(files.file) + "/x")},
      {"a descriptor path with a slash", path("/dev/fd/" + std::to_string(files.file) + "/")},
      {"a descriptor path", path("/dev/fd/" + std::to_string(files.path_only))},
      {"fchmod -1", [] { return long{fchmod(-1, 0600)}; }},
      {"fchmod of none", [] { return long{fchmod(kNone, 0600)}; }},
      {"fchmod AT_FDCWD", [] { return long{fchmod(AT_FDCWD, 0600)}; }},
      {"fchmod O_PATH", [=] { return long{fchmod(files.path_only, 0600)}; }},
      {"fchmod O_ACCMODE", [=] { return long{fchmod(files.neither, 0600)}; }},
      {"fchmodat -1", [] { return syscall(SYS_fchmodat, -1, "f", 0600); }},
      {"fchmodat of none, absolute", [] { return syscall(SYS_fchmodat, kNone, "/none", 0600); }},
      {"fchmodat of a file", [=] { return syscall(SYS_fchmodat, files.file, "f", 0600); }},
      {"fchmodat of O_PATH", [=] { return syscall(SYS_fchmodat, files.path_only_directory, ".", 0700); }},
      {"fchmodat of upper bits", [=] { return syscall(SYS_fchmodat, AT_FDCWD | 1L << 40, "f", 0600); }},
  };
}

std::vector<Attempt> ModesAt(const Files& files) {
  const auto mode_at = [](long fd, const char* text, long flags) {
    return [=] { return syscall(number::kFchmodat2, fd, text, 0600L, flags); };
  };
  return {
      {"fchmodat2 with flags", mode_at(AT_FDCWD, "f", AT_NO_AUTOMOUNT)},
      {"fchmodat2 of nothing", mode_at(files.file, "", 0)},
      {"fchmodat2 of O_PATH", mode_at(files.path_only, "", AT_EMPTY_PATH)},
      {"fchmodat2 of none", mode_at(kNone, "", AT_EMPTY_PATH)},
      {"fchmodat2 of a link", mode_at(AT_FDCWD, "link", AT_SYMLINK_NOFOLLOW)},
      {"fchmodat2 of a link with a slash", mode_at(AT_FDCWD, "link/", AT_SYMLINK_NOFOLLOW)},
  };
}

std::vector<Attempt> Owners(const Files& files) {
  const auto owner_at = [](int fd, const char* text, int flags) {
    return [=] { return long{fchownat(fd, text, geteuid(), getegid(), flags)}; };
  };
  return {
      {"fchown O_PATH", [=] { return long{fchown(files.path_only, geteuid(), getegid())}; }},
      {"fchown of none", [] { return long{fchown(kNone, geteuid(), getegid())}; }},
      {"fchownat with flags", owner_at(AT_FDCWD, "f", AT_SYMLINK_FOLLOW)},
      {"fchownat of O_PATH", owner_at(files.path_only, "", AT_EMPTY_PATH)},
      {"fchownat of nothing", owner_at(files.path_only, "", 0)},
      {"fchownat of none", owner_at(kNone, "f", 0)},
      {"lchown of a dangling link", [] { return long{lchown("dangling", geteuid(), getegid())}; }},
      {"chown of a dangling link", [] { return long{chown("dangling", geteuid(), getegid())}; }},
      {"chown to nothing", [] { return long{chown("f", static_cast<uid_t>(-1), static_cast<gid_t>(-1))}; }},
  };
}

std::vector<Attempt> Times(const Files& files) {
  static const timespec good[2] = {{1, 0}, {2, 0}};
  static const timespec bad[2] = {{1, 1'000'000'000}, {2, 0}};
  static const timespec omit[2] = {{0, UTIME_OMIT}, {0, UTIME_OMIT}};
  static const timespec now[2] = {{0, UTIME_NOW}, {0, UTIME_NOW}};
  const auto times_at = [](long fd, const char* text, const timespec* times, long flags) {
    return [=] { return syscall(SYS_utimensat, fd, text, times, flags); };
  };
  std::vector<Attempt> attempts{
      {"utimensat", times_at(AT_FDCWD, "f", good, 0)},
      {"utimensat now", times_at(AT_FDCWD, "f", now, 0)},
      {"utimensat with flags", times_at(AT_FDCWD, "f", good, AT_NO_AUTOMOUNT)},
      {"utimensat nanoseconds", times_at(AT_FDCWD, "f", bad, 0)},
      {"utimensat nanoseconds of nothing", times_at(AT_FDCWD, "none", bad, 0)},
      {"utimensat of nothing omitted", times_at(kNone, "none", omit, -1)},
      {"utimensat times nowhere", times_at(AT_FDCWD, "f", reinterpret_cast<const timespec*>(kNowhere), 0)},
      {"utimensat no path", times_at(AT_FDCWD, nullptr, good, 0)},
      {"utimensat no path, flags", times_at(files.file, nullptr, good, AT_SYMLINK_NOFOLLOW)},
      {"utimensat no path, O_PATH", times_at(files.path_only, nullptr, good, 0)},
      {"utimensat no path, none", times_at(kNone, nullptr, good, 0)},
      {"utimensat empty, O_PATH", times_at(files.path_only, "", good, AT_EMPTY_PATH)},
      {"utimensat of a loop", times_at(AT_FDCWD, "loop", good, AT_SYMLINK_NOFOLLOW)},
  };
#ifdef SYS_utimes
  static const timeval microseconds[2] = {{1, 1'000'000}, {2, 0}};
  static const timeval negative[2] = {{1, 0}, {2, -1}};
  attempts.insert(
      attempts.end(),
      {{"utimes microseconds", [] { return syscall(SYS_utimes, "f", microseconds); }},
       {"utimes negative", [] { return syscall(SYS_utimes, "f", negative); }},
       {"utimes nowhere", [] { return syscall(SYS_utimes, "f", kNowhere); }},
       {"utime nowhere", [] { return syscall(SYS_utime, "f", kNowhere); }},
       {"futimesat no path", [] { return syscall(SYS_futimesat, AT_FDCWD, nullptr, nullptr); }},
       {"futimesat O_PATH", [=] { return syscall(SYS_futimesat, files.path_only, nullptr, nullptr); }},
       {"futimesat of none", [] { return syscall(SYS_futimesat, kNone, "f", nullptr); }}});
#endif
  return attempts;
}

std::vector<Attempt> Attributes(const Files& files) {
  static const std::string long_name = "user." + std::string(251, 'n');
  static const std::vector<char> value(65537, 'v');
  const auto set = [](const char* name, const void* bytes, size_t size, int flags) {
    return [=] { return long{setxattr("f", name, bytes, size, flags)}; };
  };
  return {
      {"setxattr", set("user.x", "1", 1, 0)},
      {"setxattr without a value", set("user.y", nullptr, 0, 0)},
      {"setxattr that exists", set("user.x", "1", 1, XATTR_CREATE)},
      {"setxattr that does not exist", set("user.none", "1", 1, XATTR_REPLACE)},
      {"setxattr with flags", set("user.x", "1", 1, 4)},
      {"setxattr without a name", set("", "1", 1, 0)},
      {"setxattr with only a prefix", set("user.", "1", 1, 0)},
      {"setxattr with a long name", set(long_name.c_str(), "1", 1, 0)},
      {"setxattr with a name nowhere", set(kNowhere, "1", 1, 0)},
      {"setxattr with a value nowhere", set("user.x", kNowhere, 1, 0)},
      {"setxattr with a large value", set("user.x", value.data(), value.size(), 0)},
      {"setxattr of a bad ACL", set("system.posix_acl_access", "1", 1, 0)},
      {"lsetxattr of a link", [] { return long{lsetxattr("link", "user.x", "1", 1, 0)}; }},
      {"fsetxattr O_PATH", [=] { return long{fsetxattr(files.path_only, "user.x", "1", 1, 0)}; }},
      {"fsetxattr of none", [] { return long{fsetxattr(kNone, "user.x", "1", 1, 0)}; }},
      {"removexattr", [] { return long{removexattr("f", "user.y")}; }},
      {"removexattr of none", [] { return long{removexattr("f", "user.none")}; }},
      {"removexattr without a name", [] { return long{removexattr("f", "")}; }},
      {"lremovexattr of a link", [] { return long{lremovexattr("link", "user.x")}; }},
      {"fremovexattr", [=] { return long{fremovexattr(files.file, "user.x")}; }},
      {"fremovexattr O_PATH", [=] { return long{fremovexattr(files.path_only, "user.x")}; }},
  };
}

// struct xattr_args of Linux 6.13, and a longer one.
struct AttributeArguments {
  uint64_t value;
  uint32_t size;
  uint32_t flags;
  uint64_t more;
};

std::vector<Attempt> AttributesAt(const Files& files) {
  static const AttributeArguments good{reinterpret_cast<uint64_t>("1"), 1, 0, 0};
  static const AttributeArguments longer{reinterpret_cast<uint64_t>("1"), 1, 0, 1};
  const auto set = [](long fd, const char* path, long flags, const AttributeArguments* arguments,
                      size_t size) {
    return [=] { return syscall(number::kSetxattrat, fd, path, flags, "user.x", arguments, size); };
  };
  return {
      {"setxattrat", set(AT_FDCWD, "f", 0, &good, 16)},
      {"setxattrat, long", set(AT_FDCWD, "f", 0, &good, sizeof good)},
      {"setxattrat, too long", set(AT_FDCWD, "f", 0, &longer, sizeof longer)},
      {"setxattrat, short", set(AT_FDCWD, "f", 0, &good, 8)},
      {"setxattrat, beyond a page", set(AT_FDCWD, "f", 0, &good, 5000)},
      {"setxattrat nowhere", set(AT_FDCWD, "f", 0, reinterpret_cast<AttributeArguments*>(kNowhere), 16)},
      {"setxattrat with flags", set(AT_FDCWD, "f", AT_NO_AUTOMOUNT, &good, 16)},
      {"setxattrat of a link", set(AT_FDCWD, "link", AT_SYMLINK_NOFOLLOW, &good, 16)},
      {"setxattrat of a descriptor", set(files.file, "", AT_EMPTY_PATH, &good, 16)},
      {"setxattrat of a descriptor without a path", set(files.file, nullptr, AT_EMPTY_PATH, &good, 16)},
      {"setxattrat of O_PATH", set(files.path_only, "", AT_EMPTY_PATH, &good, 16)},
      {"setxattrat of nothing", set(files.file, "", 0, &good, 16)},
      {"removexattrat",
       [=] { return syscall(number::kRemovexattrat, files.file, "", AT_EMPTY_PATH, "user.x"); }},
      {"removexattrat of none", [] { return syscall(number::kRemovexattrat, AT_FDCWD, "f", 0, "user.x"); }},
  };
}

std::vector<Attempt> Truncations(const Files&) {
  const auto to = [](const char* path, off_t length) { return [=] { return long{truncate(path, length)}; }; };
  return {
      {"truncate", to("f", 5)},
      {"truncate through a link", to("link", 3)},
      {"truncate longer", to("f", 20)},
      {"truncate to a negative size", to("f", -1)},
      {"truncate of nothing to a negative size", to("none", -1)},
      {"truncate of nothing", to("none", 0)},
      {"truncate of a directory", to("d", 0)},
      {"truncate of a FIFO", to("fifo", 0)},
      {"truncate of a file that may not be written", to("readonly", 0)},
      {"truncate of a device", to("/dev/null", 0)},
      {"truncate to a huge size", to("f", INT64_MAX)},
  };
}

using Attempts = std::vector<Attempt> (*)(const Files&);

// Prints "NAME: ERRNO" of each.
void MakeAll(Attempts attempts, const std::string& directory, const std::string& report) {
  ASSERT_EQ(mkdir(directory.c_str(), 0755), 0);
  ASSERT_EQ(chdir(directory.c_str()), 0);
  const Files files;
  std::string text;
  for (const auto& [name, call] : attempts(files)) {
    const int error = call() == 0 ? 0 : errno;
    text += name + ": " + (error == 0 ? "done" : strerror(error)) + "\n";
  }
  MakeFile(report, 0644, text);
}

class ErrorsOf : public BrokerTest {
 protected:
  void Compare(Attempts attempts) const {
    AsUser([&] { Brokered({workspace}).Run([&] { MakeAll(attempts, In("with"), Out("with")); }); });
    AsUser([&] { MakeAll(attempts, In("without"), Out("without")); });
    EXPECT_EQ(ReadFile(Out("with")), ReadFile(Out("without")));
    EXPECT_NE(ReadFile(Out("with")), "");
  }
};
INSTANTIATE_TEST_SUITE_P(Users, ErrorsOf, ::testing::ValuesIn(Users()),
                         [](const auto& user) { return NameOf(user.param); });

TEST_P(ErrorsOf, Modes) {
  Compare(Modes);
}
TEST_P(ErrorsOf, ModesAt) {
  if (!IsKnown(number::kFchmodat2)) return CannotTest("this kernel has no fchmodat2");
  Compare(ModesAt);
}
TEST_P(ErrorsOf, Owners) {
  Compare(Owners);
}
TEST_P(ErrorsOf, Times) {
  Compare(Times);
}
TEST_P(ErrorsOf, Attributes) {
  Compare(Attributes);
}
TEST_P(ErrorsOf, AttributesAt) {
  if (!IsKnown(number::kSetxattrat)) return CannotTest("this kernel has no setxattrat");
  Compare(AttributesAt);
}
TEST_P(ErrorsOf, Truncations) {
  Compare(Truncations);
}

}  // namespace
}  // namespace bashward::test
