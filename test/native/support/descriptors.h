// The descriptors of the tests' own process.
#ifndef BASHWARD_TEST_SUPPORT_DESCRIPTORS_H_
#define BASHWARD_TEST_SUPPORT_DESCRIPTORS_H_

#include <sys/resource.h>

#include <string>
#include <vector>

#include "sys/unique_fd.h"

namespace bashward::test {

// The numbers that are open, in order.
std::vector<int> OpenDescriptors();

// Limits this process to the descriptors that it has, and a few more. In a forked process only: what it fills
// up stays filled.
class DescriptorLimit {
 public:
  DescriptorLimit();
  void Leave(rlim_t free) const { Set(first_free_ + free); }
  void Lift() const { Set(before_.rlim_cur); }

 private:
  void Set(rlim_t soft) const;

  rlimit before_{};
  rlim_t first_free_ = 0;
};

struct Pipe {
  Pipe();  // both ends close-on-exec
  sys::UniqueFd read_end;
  sys::UniqueFd write_end;
};

// Two connected stream sockets.
struct SocketPair {
  SocketPair();
  sys::UniqueFd one;
  sys::UniqueFd other;
};

// Writes all of it, blocking.
void WriteAll(int fd, const std::string& bytes);
// The same with a copy of a descriptor, on a local socket.
void SendWithDescriptor(int socket, const std::string& bytes, int descriptor);
// Reads `size` bytes, or up to the end.
std::string ReadUpTo(int fd, size_t size);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_DESCRIPTORS_H_
