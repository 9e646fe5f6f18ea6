// What /proc says of a thread and of its descriptors, read by a thread that shares errno with another one
// (see sys/thread.h). Nothing here goes through a descriptor of another process: to look at a file can take
// for ever where its file system does not answer, to read what the kernel notes of it cannot.
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
  bool is_exceeded() const { return exceeded_; }
  uint64_t SpentUs() const;

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

// The memory of a process. False unless all of it could be read.
bool ReadMemory(pid_t pid, uint64_t address, void* buffer, size_t size);

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WAITING_PROC_TEXT_H_
