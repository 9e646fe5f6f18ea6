// The C library functions that the supervisor uses, each as its bare system call.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "freestanding/syscall.h"

using bashward::freestanding::Syscall;

// glibc declares its functions so, and a definition has to match.
#ifdef __GLIBC__
#define BASHWARD_NOEXCEPT noexcept
#else
#define BASHWARD_NOEXCEPT
#endif

namespace {

int error_number;

long ToLong(const volatile void* pointer) {
  return reinterpret_cast<long>(pointer);
}

}  // namespace

// Used by clone() in start.cc, too.
extern "C" __attribute__((used)) long BashwardResult(long result) {
  if (result >= 0) return result;
  error_number = static_cast<int>(-result);
  return -1;
}

namespace {

template <typename... Arguments>
long Call(long number, Arguments... arguments) {
  return BashwardResult(Syscall(number, static_cast<long>(arguments)...));
}

}  // namespace

extern "C" {

int* __errno_location() BASHWARD_NOEXCEPT {
  return &error_number;
}

// The declared variadic arguments are all of register size.
long syscall(long number, ...) BASHWARD_NOEXCEPT {
  va_list arguments;
  va_start(arguments, number);
  long values[6];
  for (long& value : values) value = va_arg(arguments, long);
  va_end(arguments);
  return BashwardResult(Syscall(number, values[0], values[1], values[2], values[3], values[4], values[5]));
}

// --- files ---
int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const long mode = va_arg(arguments, long);  // garbage without a third argument; the kernel then ignores it
  va_end(arguments);
  return static_cast<int>(Call(SYS_openat, AT_FDCWD, ToLong(path), flags, mode & 07777));
}
int close(int fd) {
  return static_cast<int>(Call(SYS_close, fd));
}
ssize_t read(int fd, void* buffer, size_t size) {
  return Call(SYS_read, fd, ToLong(buffer), size);
}
ssize_t write(int fd, const void* buffer, size_t size) {
  return Call(SYS_write, fd, ToLong(buffer), size);
}
ssize_t pwrite(int fd, const void* buffer, size_t size, off_t offset) {
  return Call(SYS_pwrite64, fd, ToLong(buffer), size, offset);
}
ssize_t pread(int fd, void* buffer, size_t size, off_t offset) {
  return Call(SYS_pread64, fd, ToLong(buffer), size, offset);
}
int ftruncate(int fd, off_t size) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_ftruncate, fd, size));
}
int mkdir(const char* path, mode_t mode) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_mkdirat, AT_FDCWD, ToLong(path), mode));
}
int rename(const char* from, const char* to) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_renameat2, AT_FDCWD, ToLong(from), AT_FDCWD, ToLong(to), 0));
}
int openat(int directory, const char* path, int flags, ...) {
  return static_cast<int>(Call(SYS_openat, directory, ToLong(path), flags, 0));
}
int unlinkat(int directory, const char* path, int flags) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_unlinkat, directory, ToLong(path), flags));
}
int fchmodat(int directory, const char* path, mode_t mode, int) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_fchmodat, directory, ToLong(path), mode));
}
int fstatat(int directory, const char* path, struct stat* status, int flags) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_newfstatat, directory, ToLong(path), ToLong(status), flags));
}
int fstat(int fd, struct stat* status) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_fstat, fd, ToLong(status)));
}
off_t lseek(int fd, off_t offset, int whence) BASHWARD_NOEXCEPT {
  return Call(SYS_lseek, fd, offset, whence);
}
int access(const char* path, int mode) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_faccessat, AT_FDCWD, ToLong(path), mode));
}
ssize_t readlink(const char* path, char* buffer, size_t size) BASHWARD_NOEXCEPT {
  return Call(SYS_readlinkat, AT_FDCWD, ToLong(path), ToLong(buffer), size);
}
int chdir(const char* path) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_chdir, ToLong(path)));
}
int dup2(int from, int to) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_dup3, from, to, 0));
}
int fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  const long argument = va_arg(arguments, long);
  va_end(arguments);
  return static_cast<int>(Call(SYS_fcntl, fd, command, argument));
}
int memfd_create(const char* name, unsigned int flags) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_memfd_create, ToLong(name), flags));
}
void* mmap(void* address, size_t size, int protection, int flags, int fd, off_t offset) BASHWARD_NOEXCEPT {
  return reinterpret_cast<void*>(Call(SYS_mmap, ToLong(address), size, protection, flags, fd, offset));
}

// --- the control socket, waiting ---
ssize_t send(int fd, const void* buffer, size_t size, int flags) {
  return Call(SYS_sendto, fd, ToLong(buffer), size, flags, 0, 0);
}
ssize_t recv(int fd, void* buffer, size_t size, int flags) {
  return Call(SYS_recvfrom, fd, ToLong(buffer), size, flags, 0, 0);
}
int ppoll(pollfd* fds, nfds_t count, const timespec* timeout, const sigset_t*) {
  // The kernel writes the time left into it.
  timespec copy{};
  if (timeout != nullptr) copy = *timeout;
  return static_cast<int>(
      Call(SYS_ppoll, ToLong(fds), count, ToLong(timeout == nullptr ? nullptr : &copy), 0, 0));
}
int clock_gettime(clockid_t clock, timespec* time) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_clock_gettime, clock, ToLong(time)));
}

// --- processes ---
pid_t getpid() BASHWARD_NOEXCEPT {
  return static_cast<pid_t>(Call(SYS_getpid));
}
pid_t getppid() BASHWARD_NOEXCEPT {
  return static_cast<pid_t>(Call(SYS_getppid));
}
pid_t getpgrp() BASHWARD_NOEXCEPT {
  return static_cast<pid_t>(Call(SYS_getpgid, 0));
}
pid_t setsid() BASHWARD_NOEXCEPT {
  return static_cast<pid_t>(Call(SYS_setsid));
}
int kill(pid_t pid, int signal) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_kill, pid, signal));
}
pid_t wait4(pid_t pid, int* status, int options, rusage* usage) BASHWARD_NOEXCEPT {
  return static_cast<pid_t>(Call(SYS_wait4, pid, ToLong(status), options, ToLong(usage)));
}
int prctl(int option, ...) BASHWARD_NOEXCEPT {
  va_list arguments;
  va_start(arguments, option);
  long values[4];
  for (long& value : values) value = va_arg(arguments, long);
  va_end(arguments);
  return static_cast<int>(Call(SYS_prctl, option, values[0], values[1], values[2], values[3]));
}
int execve(const char* path, char* const* arguments, char* const* environment) BASHWARD_NOEXCEPT {
  return static_cast<int>(Call(SYS_execve, ToLong(path), ToLong(arguments), ToLong(environment)));
}
void _exit(int status) {
  for (;;) Syscall(SYS_exit_group, status);
}

// --- memory and strings: the compiler calls the first three by itself ---
void* memcpy(void* to, const void* from, size_t size) BASHWARD_NOEXCEPT {
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  for (size_t i = 0; i < size; ++i) target[i] = source[i];
  return to;
}
void* memmove(void* to, const void* from, size_t size) BASHWARD_NOEXCEPT {
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  if (target < source) return memcpy(to, from, size);
  while (size-- > 0) target[size] = source[size];
  return to;
}
void* memset(void* memory, int byte, size_t size) BASHWARD_NOEXCEPT {
  auto* target = static_cast<char*>(memory);
  for (size_t i = 0; i < size; ++i) target[i] = static_cast<char>(byte);
  return memory;
}
size_t strlen(const char* text) BASHWARD_NOEXCEPT {
  size_t length = 0;
  while (text[length] != '\0') ++length;
  return length;
}
char* strrchr(const char* text, int wanted) BASHWARD_NOEXCEPT {
  const char* found = nullptr;
  for (;; ++text) {
    if (*text == static_cast<char>(wanted)) found = text;
    if (*text == '\0') return const_cast<char*>(found);
  }
}
char* strstr(const char* text, const char* wanted) BASHWARD_NOEXCEPT {
  for (;; ++text) {
    size_t length = 0;
    while (wanted[length] != '\0' && text[length] == wanted[length]) ++length;
    if (wanted[length] == '\0') return const_cast<char*>(text);
    if (*text == '\0') return nullptr;
  }
}
int strcmp(const char* a, const char* b) BASHWARD_NOEXCEPT {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return static_cast<unsigned char>(*a) - static_cast<unsigned char>(*b);
}

}  // extern "C"
