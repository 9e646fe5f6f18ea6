// What /proc says of a thread and of its descriptors, read by a thread that shares errno with another one
// (see sys/thread.h). No file of another process is looked at, only what the kernel notes of it: a file
// system that does not answer would hold the look up. What each read may wait for:
//
// - `stat`, `wchan`, `children`, links in `fd` and `fdinfo` of what is no epoll: spin locks.
// - `syscall`, pidfd_getfd(2): the end of an execve(2) of that process, which may wait for a file system that
//   is to close a file. So do `pagemap` and `mem`, and for a change of the mappings as well. All of these
//   waits a SIGKILL ends, so they do not outlive the supervisor.
// - `mem`: a page that has to be read from a file, and then nothing ends that. Only what is in memory is
// read.
// - `fdinfo` of an epoll: its lock, which a process holds while it asks a file whether it is ready, and then
//   nothing ends that either. It is read only while no thread of that process does so (waited_set.cc).
//
// Not that a look could never hang: a page may be given up, or a lock taken, just before it is read; and who
// drops the last reference to a file or to a program's memory cleans it up. See prober.h for what happens
// then. `cmdline`, `environ`, `maps` and `exe` wait for the mappings, too, and are not read.
#ifndef BASHWARD_SUPERVISOR_WAITING_PROC_TEXT_H_
#define BASHWARD_SUPERVISOR_WAITING_PROC_TEXT_H_

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "broker/kernel.h"
#include "sys/directory.h"
#include "util/text.h"

namespace bashward::supervisor {

// What one look may cost, in CPU time and otherwise. Beyond that nothing is known.
class LookBudget {
 public:
  static constexpr uint64_t kTimeUs = 20'000;
  static constexpr size_t kDescriptors = 1024;
  static constexpr size_t kBytes = 256 * 1024;

  LookBudget();
  bool TakeDescriptor() { return Take(&descriptors_, 1); }
  bool TakeBytes(size_t size) { return Take(&bytes_, size); }
  bool HasTime();
  // There is more than is looked at.
  void Exceed() { exceeded_ = true; }
  bool is_exceeded() const { return exceeded_; }
  uint64_t SpentUs() const;

  // What was found of a process once, for the rest of the look: whether nobody holds the locks of its epolls.
  struct Epolls {
    pid_t pid;  // 0: none yet
    bool free;
  };
  Epolls epolls{0, false};

 private:
  bool Take(size_t* left, size_t count);

  const uint64_t begun_us_;
  size_t descriptors_ = kDescriptors;
  size_t bytes_ = kBytes;
  bool exceeded_ = false;
};

// Reads at most size - 1 bytes, and ends them with a NUL; the length, 0 on any failure.
size_t ReadProcText(const char* path, char* buffer, size_t size);

// Calls visit(number) for each entry whose name is a number, until it returns false. False when the directory
// cannot be read.
template <typename Visit>
bool VisitNumbers(const char* path, Visit visit) {
  const broker::kernel::Descriptor directory = broker::kernel::OpenOwn(path, O_RDONLY | O_DIRECTORY);
  if (!directory.valid()) return false;
  return sys::VisitEntries(directory.get(), [&](const sys::DirectoryEntry& entry) {
           const char* name = entry.name;
           return !util::IsDigit(*name) || visit(static_cast<int>(util::TakeNumber(&name)));
         }) == 0;
}

struct ThreadStat {
  static constexpr size_t kMaxName = 15;
  char name[kMaxName + 1];  // of the program's choosing: any bytes but NUL
  size_t name_size;
  char state;
  pid_t group;
  uint32_t terminal;  // the device of its controlling terminal, as field 7 has it; 0: none
  uint64_t started;   // clock ticks from boot to the thread's start
};

// False when there is no such thread, or it is hidden.
bool ReadThreadStat(pid_t pid, pid_t thread, ThreadStat* stat);
// From the text of /proc/PID/stat.
bool ParseThreadStat(const char* text, size_t size, ThreadStat* stat);

// How stat(5) has the device of a pseudoterminal.
inline uint32_t TerminalDevice(uint32_t index) {
  constexpr uint32_t kMajor = 136;
  return (index & 0xff) | kMajor << 8 | (index & ~0xffU) << 12;
}

struct SystemCallLine {
  enum class Kind {
    kUnknown,  // it may not be looked into, or is a 32-bit program's
    kRunning,
    kNone,  // blocked, but in no system call
    kCall,
  };
  Kind kind;
  long number;
  uint64_t arguments[6];
};

SystemCallLine ReadSystemCall(pid_t pid, pid_t thread);
// From the text of /proc/PID/syscall.
SystemCallLine ParseSystemCall(const char* text);

// /proc/PID/fdinfo/FD
struct DescriptorInfo {
  uint64_t mount;
  uint64_t inode;  // 0 where the kernel does not tell (before Linux 5.14)
  int tty_index;   // of a pseudoterminal's master; -1: it is none
};

bool ReadDescriptorInfo(pid_t pid, int fd, DescriptorInfo* info);
void ParseDescriptorInfo(const char* text, DescriptorInfo* info);

// The same of a descriptor of the calling thread, which may have others than its process.
bool ReadOwnDescriptorInfo(int fd, DescriptorInfo* info);

// The size of a process's table of descriptors; 0: not known.
uint64_t ReadDescriptorTableSize(pid_t pid);

// The memory of a process. False unless all of it could be read, and without waiting for a file.
bool ReadMemory(pid_t pid, uint64_t address, void* buffer, size_t size);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WAITING_PROC_TEXT_H_
