#include "broker/call.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

#include "sandbox/system_calls.h"

namespace bashward::broker {
namespace {

using protocol::Operation;

// setxattrat(2) takes its last arguments by this structure.
struct AttributeArguments {
  uint64_t value;
  uint32_t size;
  uint32_t flags;
};
static_assert(sizeof(AttributeArguments) == 16);

char value_buffer[kMaxValue];

// The kernel's own registers of a call. Those of a C type that is narrower have anything in their upper half.
class Arguments {
 public:
  explicit Arguments(const seccomp_data& data) : data_(data) {}
  uint64_t operator[](int i) const { return data_.args[i]; }
  int Int(int i) const { return static_cast<int>(data_.args[i]); }
  uint32_t Unsigned(int i) const { return static_cast<uint32_t>(data_.args[i]); }

 private:
  const seccomp_data& data_;
};

Named ByDescriptor(int descriptor) {
  return {true, true, false, false, descriptor, 0};
}

Named ByPath(uint64_t path, bool follow) {
  return {false, false, follow, false, AT_FDCWD, path};
}

constexpr uint32_t kPathFlags = AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH;

// -EINVAL for flags that these calls do not have.
int NameByPathAt(int directory, uint64_t path, uint32_t flags, Named* named) {
  if ((flags & ~kPathFlags) != 0) return -EINVAL;
  *named = {false, false, (flags & AT_SYMLINK_NOFOLLOW) == 0, (flags & AT_EMPTY_PATH) != 0, directory, path};
  return 0;
}

int TakeMode(const Named& named, uint32_t mode, Call* call) {
  call->operation = Operation::kChangeMode;
  call->named = named;
  call->mode = mode & 07777;
  return 0;
}

int TakeOwner(const Named& named, uint32_t user, uint32_t group, Call* call) {
  call->operation = Operation::kChangeOwner;
  call->named = named;
  call->user = user;
  call->group = group;
  return 0;
}

// --- times ---

int TakeTimespecs(CallerMemory& memory, uint64_t address, Call* call, bool* done) {
  call->operation = Operation::kChangeTimes;
  call->now = address == 0;
  if (call->now) return 0;
  const int error = memory.Read(address, call->times, sizeof call->times);
  // The kernel does not look at the path then, either.
  *done = error == 0 && call->times[0].tv_nsec == UTIME_OMIT && call->times[1].tv_nsec == UTIME_OMIT;
  return error;
}

// utimensat without a path means the descriptor, and allows no flags then.
int TakeUtimensat(const Arguments& arguments, CallerMemory& memory, Call* call, bool* done) {
  const int error = TakeTimespecs(memory, arguments[2], call, done);
  if (error != 0 || *done) return error;
  if (arguments[1] == 0 && arguments.Int(0) != AT_FDCWD) {
    call->named = ByDescriptor(arguments.Int(0));
    return arguments.Unsigned(3) == 0 ? 0 : -EINVAL;
  }
  return NameByPathAt(arguments.Int(0), arguments[1], arguments.Unsigned(3), &call->named);
}

#ifdef SYS_utimes

int TakeTimevals(CallerMemory& memory, uint64_t address, Call* call) {
  call->operation = Operation::kChangeTimes;
  call->now = address == 0;
  if (call->now) return 0;
  timeval values[2];
  const int error = memory.Read(address, values, sizeof values);
  if (error != 0) return error;
  for (int i = 0; i < 2; ++i) {
    if (values[i].tv_usec < 0 || values[i].tv_usec >= 1'000'000) return -EINVAL;
    call->times[i] = {values[i].tv_sec, values[i].tv_usec * 1000};
  }
  return 0;
}

int TakeSeconds(CallerMemory& memory, uint64_t address, Call* call) {
  call->operation = Operation::kChangeTimes;
  call->now = address == 0;
  if (call->now) return 0;
  int64_t seconds[2];
  const int error = memory.Read(address, seconds, sizeof seconds);
  for (int i = 0; i < 2 && error == 0; ++i) call->times[i] = {seconds[i], 0};
  return error;
}

#endif

// --- attributes ---

int TakeName(CallerMemory& memory, uint64_t address, Call* call) {
  const int length = memory.ReadText(address, call->name, sizeof call->name);
  return length == 0 || length == -ENAMETOOLONG ? -ERANGE : length < 0 ? length : 0;
}

int TakeAttribute(CallerMemory& memory, uint64_t name, uint64_t value, uint64_t size, uint32_t flags,
                  Call* call) {
  call->operation = Operation::kSetAttribute;
  if ((flags & ~uint32_t{XATTR_CREATE | XATTR_REPLACE}) != 0) return -EINVAL;
  int error = TakeName(memory, name, call);
  if (error != 0) return error;
  if (size > kMaxValue) return -E2BIG;
  error = memory.Read(value, value_buffer, size);
  call->value = value_buffer;
  call->value_size = size;
  call->attribute_flags = static_cast<int>(flags);
  return error;
}

int TakeSetxattr(const Named& named, const Arguments& arguments, CallerMemory& memory, Call* call) {
  call->named = named;
  return TakeAttribute(memory, arguments[1], arguments[2], arguments[3], arguments.Unsigned(4), call);
}

int TakeRemoval(const Named& named, uint64_t name, CallerMemory& memory, Call* call) {
  call->operation = Operation::kRemoveAttribute;
  call->named = named;
  return TakeName(memory, name, call);
}

// A longer structure than is known here is right where the rest of it is zero.
int ReadAttributeArguments(CallerMemory& memory, uint64_t address, uint64_t size,
                           AttributeArguments* values) {
  if (size < sizeof *values) return -EINVAL;
  if (size > 4096) return -E2BIG;
  int error = memory.Read(address, values, sizeof *values);
  char rest[64];
  for (uint64_t position = sizeof *values; position < size && error == 0;) {
    const uint64_t count = size - position < sizeof rest ? size - position : sizeof rest;
    error = memory.Read(address + position, rest, count);
    for (uint64_t i = 0; i < count && error == 0; ++i) {
      if (rest[i] != 0) return -E2BIG;
    }
    position += count;
  }
  return error;
}

// With an empty path or none the descriptor must be open, as for fsetxattr.
int NameAttributeAt(const Arguments& arguments, Named* named) {
  const int error = NameByPathAt(arguments.Int(0), arguments[1], arguments.Unsigned(2), named);
  named->must_be_open = true;
  named->by_descriptor = named->may_be_empty && arguments[1] == 0 && named->directory != AT_FDCWD;
  return error;
}

int TakeSetxattrat(const Arguments& arguments, CallerMemory& memory, Call* call) {
  AttributeArguments values{};
  int error = ReadAttributeArguments(memory, arguments[4], arguments[5], &values);
  if (error == 0) error = NameAttributeAt(arguments, &call->named);
  if (error != 0) return error;
  return TakeAttribute(memory, arguments[3], values.value, values.size, values.flags, call);
}

int TakeRemovexattrat(const Arguments& arguments, CallerMemory& memory, Call* call) {
  Named named{};
  const int error = NameAttributeAt(arguments, &named);
  return error != 0 ? error : TakeRemoval(named, arguments[3], memory, call);
}

// Of a thread's process; 0 is the broker's.
int ReadSizeLimit(pid_t thread, uint64_t* limit) {
  uint64_t limits[2] = {};  // soft, hard
  const long error = kernel::Call(SYS_prlimit64, thread, RLIMIT_FSIZE, nullptr, limits);
  *limit = limits[0];
  return static_cast<int>(error);
}

int TakeTruncate(const Arguments& arguments, const CallerMemory& memory, Call* call) {
  call->operation = Operation::kTruncate;
  call->named = ByPath(arguments[0], true);
  call->length = static_cast<int64_t>(arguments[1]);
  if (call->length < 0) return -EINVAL;
  // This process's own limit comes with a signal.
  uint64_t own = 0;
  int error = ReadSizeLimit(0, &own);
  if (error == 0) error = ReadSizeLimit(memory.thread(), &call->size_limit);
  if (own < call->size_limit) call->size_limit = own;
  return error;
}

int TakeModeAt(const Arguments& arguments, uint32_t flags, Call* call) {
  Named named{};
  const int error = NameByPathAt(arguments.Int(0), arguments[1], flags, &named);
  return error != 0 ? error : TakeMode(named, arguments.Unsigned(2), call);
}

int TakeOwnerAt(const Arguments& arguments, Call* call) {
  Named named{};
  const int error = NameByPathAt(arguments.Int(0), arguments[1], arguments.Unsigned(4), &named);
  return error != 0 ? error : TakeOwner(named, arguments.Unsigned(2), arguments.Unsigned(3), call);
}

}  // namespace

int TakeCall(const seccomp_data& data, CallerMemory& memory, Call* call, bool* done) {
  const Arguments arguments(data);
  *done = false;
  switch (data.nr) {
#ifdef SYS_chmod
    case SYS_chmod:
      return TakeMode(ByPath(arguments[0], true), arguments.Unsigned(1), call);
    case SYS_chown:
      return TakeOwner(ByPath(arguments[0], true), arguments.Unsigned(1), arguments.Unsigned(2), call);
    case SYS_lchown:
      return TakeOwner(ByPath(arguments[0], false), arguments.Unsigned(1), arguments.Unsigned(2), call);
#endif
    case SYS_fchmod:
      return TakeMode(ByDescriptor(arguments.Int(0)), arguments.Unsigned(1), call);
    case SYS_fchmodat:
      return TakeModeAt(arguments, 0, call);
    case sandbox::number::kFchmodat2:
      return TakeModeAt(arguments, arguments.Unsigned(3), call);
    case SYS_fchown:
      return TakeOwner(ByDescriptor(arguments.Int(0)), arguments.Unsigned(1), arguments.Unsigned(2), call);
    case SYS_fchownat:
      return TakeOwnerAt(arguments, call);
#ifdef SYS_utimes
    case SYS_utime:
      call->named = ByPath(arguments[0], true);
      return TakeSeconds(memory, arguments[1], call);
    case SYS_utimes:
      call->named = ByPath(arguments[0], true);
      return TakeTimevals(memory, arguments[1], call);
    case SYS_futimesat:
      call->named = ByPath(arguments[1], true);
      if (arguments[1] == 0 && arguments.Int(0) != AT_FDCWD) call->named = ByDescriptor(arguments.Int(0));
      call->named.directory = arguments.Int(0);
      return TakeTimevals(memory, arguments[2], call);
#endif
    case SYS_utimensat:
      return TakeUtimensat(arguments, memory, call, done);
    case SYS_setxattr:
      return TakeSetxattr(ByPath(arguments[0], true), arguments, memory, call);
    case SYS_lsetxattr:
      return TakeSetxattr(ByPath(arguments[0], false), arguments, memory, call);
    case SYS_fsetxattr:
      return TakeSetxattr(ByDescriptor(arguments.Int(0)), arguments, memory, call);
    case sandbox::number::kSetxattrat:
      return TakeSetxattrat(arguments, memory, call);
    case SYS_removexattr:
      return TakeRemoval(ByPath(arguments[0], true), arguments[1], memory, call);
    case SYS_lremovexattr:
      return TakeRemoval(ByPath(arguments[0], false), arguments[1], memory, call);
    case SYS_fremovexattr:
      return TakeRemoval(ByDescriptor(arguments.Int(0)), arguments[1], memory, call);
    case sandbox::number::kRemovexattrat:
      return TakeRemovexattrat(arguments, memory, call);
    case SYS_truncate:
      return TakeTruncate(arguments, memory, call);
    default:
      return -ENOSYS;
  }
}

}  // namespace bashward::broker
