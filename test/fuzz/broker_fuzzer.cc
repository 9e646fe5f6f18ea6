// The broker answers any request of a command, whatever its numbers, addresses, memory and paths: it never
// changes what lies outside the roots, nor keeps a descriptor. The kernel's part is real, in a scratch tree.
#include <errno.h>
#include <fuzzer/FuzzedDataProvider.h>
#include <limits.h>
#include <linux/audit.h>
#include <sys/uio.h>

#include "broker/answer.h"
#include "broker_world.h"
#include "sandbox/system_calls.h"

namespace bashward::broker {
namespace {

namespace number = sandbox::number;

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

// The calls that are answered, and where their arguments have what.
struct Shape {
  long call;
  int directory;  // the argument with a descriptor; -1: none
  int path;       // -1: none
  bool follow;
  int flags;  // those of paths; -1: none
};
constexpr Shape kShapes[] = {
#ifdef SYS_chmod
    {SYS_chmod, -1, 0, true, -1},        {SYS_chown, -1, 0, true, -1},
    {SYS_lchown, -1, 0, false, -1},      {SYS_utime, -1, 0, true, -1},
    {SYS_utimes, -1, 0, true, -1},       {SYS_futimesat, 0, 1, true, -1},
#endif
    {SYS_fchmod, 0, -1, true, -1},       {SYS_fchmodat, 0, 1, true, -1},
    {number::kFchmodat2, 0, 1, true, 3}, {SYS_fchown, 0, -1, true, -1},
    {SYS_fchownat, 0, 1, true, 4},       {SYS_utimensat, 0, 1, true, 3},
    {SYS_setxattr, -1, 0, true, -1},     {SYS_lsetxattr, -1, 0, false, -1},
    {SYS_fsetxattr, 0, -1, true, -1},    {number::kSetxattrat, 0, 1, true, 2},
    {SYS_removexattr, -1, 0, true, -1},  {SYS_lremovexattr, -1, 0, false, -1},
    {SYS_fremovexattr, 0, -1, true, -1}, {number::kRemovexattrat, 0, 1, true, 2},
    {SYS_truncate, -1, 0, true, -1},
};

// Inputs can be given by relative paths.
int own_directory = -1;
Tree* tree;
Caller* caller;
Memory* memory;

std::string MakePath(FuzzedDataProvider* input) {
  static const char* const kParts[] = {"",     ".",    "..",   "f",     "d",           "g",           "e",
                                       "link", "loop", "away", "fds",   "up",          "ws",          "ws2",
                                       "out",  "proc", "dev",  "self",  "fd",          "thread-self", "task",
                                       "cwd",  "root", "none", "stdin", "f (deleted)", "x (deleted)"};
  std::string path;
  const int start = input->ConsumeIntegralInRange(0, 5);
  if (start == 0) path = tree->workspace + "/";
  if (start == 1) path = tree->base + "/";
  if (start == 2) path = "/";
  if (start == 3) path = "/proc/self/fd/";
  for (int count = input->ConsumeIntegralInRange(0, 6); count > 0; --count) {
    switch (input->ConsumeIntegralInRange(0, 9)) {
      case 0:
        path += std::to_string(input->PickValueInArray({0, 1, 2, 999, 2147483647}));
        break;
      case 1:
        path += std::to_string(
            tree->descriptors[input->ConsumeIntegralInRange<size_t>(0, tree->descriptors.size() - 1)]);
        break;
      case 2:
        path += std::to_string(getpid());
        break;
      case 3:
        path += std::to_string(caller->Notification().pid);
        break;
      case 4:
        path += input->ConsumeRandomLengthString(20);
        break;
      case 5:
        path.append(input->ConsumeIntegralInRange<size_t>(0, 4200), input->ConsumeBool() ? '/' : 'n');
        break;
      default:
        path += kParts[input->ConsumeIntegralInRange<size_t>(0, std::size(kParts) - 1)];
        break;
    }
    if (count > 1 || input->ConsumeBool()) path += '/';
  }
  return path;
}

std::string MakeBytes(FuzzedDataProvider* input) {
  static const char* const kNames[] = {"user.x", "user.overlay.opaque", "system.posix_acl_access",
                                       "security.capability"};
  switch (input->ConsumeIntegralInRange(0, 4)) {
    case 0:
      return std::string(kNames[input->ConsumeIntegralInRange<size_t>(0, 3)]) + '\0';
    case 1:
      return std::string(input->ConsumeIntegralInRange<size_t>(0, 70'000), 'x');
    case 2: {
      const timespec times[2] = {
          {input->ConsumeIntegral<int32_t>(), input->PickValueInArray({0L, UTIME_NOW, UTIME_OMIT, -1L})},
          {input->ConsumeIntegral<int32_t>(),
           input->PickValueInArray({0L, UTIME_NOW, UTIME_OMIT, 1'000'000'000L})}};
      return {reinterpret_cast<const char*>(times), sizeof times};
    }
    default:
      return input->ConsumeRandomLengthString(300);
  }
}

int MakeDescriptor(FuzzedDataProvider* input) {
  if (input->ConsumeIntegralInRange(0, 9) == 9) return input->ConsumeIntegral<int32_t>();
  if (input->ConsumeBool()) return AT_FDCWD;
  return tree->descriptors[input->ConsumeIntegralInRange<size_t>(0, tree->descriptors.size() - 1)];
}

uint64_t MakeArgument(FuzzedDataProvider* input) {
  const int kind = input->ConsumeIntegralInRange(0, 9);
  if (kind == 9) return input->ConsumeIntegral<uint64_t>();
  if (kind >= 6) return input->ConsumeIntegralInRange<uint64_t>(0, 04777);
  if (kind >= 3) return memory->Put(MakeBytes(input), input->ConsumeIntegralInRange(0, 3) == 3);
  return input->PickValueInArray<uint64_t>(
      {0, 1, 16, UINT32_MAX, 8, kOrdinaryUid, AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW});
}

// Where the kernel would find what is named: "" for nowhere, as far as this process can tell.
std::string WhereNamed(const Shape& shape, const seccomp_data& data, const std::string& path) {
  const int directory = shape.directory < 0 ? AT_FDCWD : static_cast<int>(data.args[shape.directory]);
  const bool follow =
      shape.follow && (shape.flags < 0 || (data.args[shape.flags] & AT_SYMLINK_NOFOLLOW) == 0);
  const bool is_descriptor = shape.path < 0 || data.args[shape.path] == 0 || path.empty();
  const int fd =
      is_descriptor
          ? directory == AT_FDCWD ? open(".", O_PATH | O_CLOEXEC) : fcntl(directory, F_DUPFD_CLOEXEC, 0)
          : openat(directory, path.c_str(), O_PATH | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW));
  if (fd < 0) return "";
  char text[PATH_MAX + 1] = {};
  const ssize_t size = readlink(("/proc/self/fd/" + std::to_string(fd)).c_str(), text, PATH_MAX);
  close(fd);
  return std::string(text, size < 0 ? 0 : static_cast<size_t>(size));
}

int LowestFreeDescriptor() {
  const int fd = fcntl(tree->descriptors[0], F_DUPFD_CLOEXEC, 0);
  close(fd);
  return fd;
}

// utimensat without any time to set does not look at the path.
bool DoesNothing(const seccomp_data& data) {
  timespec times[2];
  const iovec to{times, sizeof times};
  const iovec from{reinterpret_cast<void*>(data.args[2]), sizeof times};
  return data.nr == SYS_utimensat && process_vm_readv(getpid(), &to, 1, &from, 1, 0) == sizeof times &&
         times[0].tv_nsec == UTIME_OMIT && times[1].tv_nsec == UTIME_OMIT;
}

}  // namespace
}  // namespace bashward::broker

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  using namespace bashward::broker;
  own_directory = open(".", O_PATH | O_CLOEXEC);
  static Tree made;
  tree = &made;
  caller = new Caller;
  memory = new Memory;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace bashward;
  using namespace bashward::broker;
  FuzzedDataProvider input(bytes, size);
  tree->PutBack();
  memory->Clear();
  seccomp_notif notification = caller->Notification();
  seccomp_data& data = notification.data;
  const Shape& shape = kShapes[input.ConsumeIntegralInRange<size_t>(0, std::size(kShapes) - 1)];
  const bool is_known = input.ConsumeIntegralInRange(0, 30) != 30;
  data.arch = kArchitecture;
  data.nr = is_known ? static_cast<int>(shape.call) : input.ConsumeIntegralInRange(1000, INT_MAX);
  for (auto& argument : data.args) argument = MakeArgument(&input);
  if (shape.directory >= 0) data.args[shape.directory] = static_cast<uint64_t>(MakeDescriptor(&input));
  std::string path;
  if (shape.path >= 0 && input.ConsumeIntegralInRange(0, 15) != 15) {
    path = MakePath(&input);
    data.args[shape.path] = memory->Put(path + '\0', input.ConsumeBool());
    path = path.c_str();
  } else if (shape.path >= 0) {
    data.args[shape.path] = 0;
  }
  const bool is_there = input.ConsumeIntegralInRange(0, 20) != 20;
  if (!is_there) ++notification.id;
  if (input.ConsumeIntegralInRange(0, 7) == 7)
    Require(chdir((tree->base + "/out").c_str()) == 0, "no directory");
  const std::string where = WhereNamed(shape, data, path);
  const int free_descriptor = LowestFreeDescriptor();

  DenialLog denials;
  int result = 0;
  errno = 0;
  {
    const AsOrdinaryUser user;
    result = Answer(notification, caller->listener(), tree->roots, &denials);
  }
  Require(errno == 0, "errno was changed");
  Require(result <= 0 && result > -4096, "the answer is no error");
  Require(result != 0 || (is_known && (DoesNothing(data) || (is_there && tree->Holds(where)))),
          "something else was answered with success");
  Require(denials.count() == 0 || result == -EPERM || result == -EACCES, "a denial was no refusal");
  Require(LowestFreeDescriptor() == free_descriptor, "a descriptor was kept");
  tree->RequireOutsideUnchanged();
  Require(fchdir(own_directory) == 0, "the directory is gone");
  return 0;
}
