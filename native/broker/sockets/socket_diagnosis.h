// What the kernel knows of sockets (sock_diag(7)): which one would take a connection, and which lives on.
#ifndef BASHWARD_BROKER_SOCKETS_SOCKET_DIAGNOSIS_H_
#define BASHWARD_BROKER_SOCKETS_SOCKET_DIAGNOSIS_H_

#include <stddef.h>
#include <stdint.h>

#include "broker/kernel.h"
#include "broker/sockets/inet_address.h"

namespace bashward::broker {

struct KnownSocket {
  uint64_t cookie;  // SO_COOKIE: no other socket ever has it
  uint32_t inode;   // 0: no process has it any more
  uint32_t device;  // that it is bound to
  uint8_t state;    // TCP_*
};

// The first interface of every network namespace.
inline constexpr uint32_t kLoopbackDevice = 1;

class SocketDiagnosis {
 public:
  // False where the kernel does not tell of TCP sockets.
  bool Open();

  // The one that a packet from `remote` to `local` would reach over loopback: a connection, or a listener.
  // 0, -ENOENT, or another -errno.
  int Find(const Endpoint& local, const Endpoint& remote, KnownSocket* found);

  // Calls `visit` for each TCP socket in one of `states` (bits). `port`: 0 for any. 0 or -errno.
  using Visit = void (*)(void* context, const KnownSocket& socket);
  int ForEach(uint16_t family, uint32_t states, uint16_t port, Visit visit, void* context);

  // The file that a Unix socket is bound to. 0; -ENODATA for none; or -errno where the kernel does not tell
  // of Unix sockets. The kernel tells the low 32 bits of either inode.
  struct BoundFile {
    uint32_t inode;
    uint32_t device;  // as EncodeKernelDevice() gives it
  };
  int FindFile(uint32_t socket_inode, uint64_t cookie, BoundFile* file);

 private:
  int Ask(const void* request, size_t size);
  // The same for a request with one message as its answer: 0 or -errno.
  int AskOnce(const void* request, size_t size, const char** body, size_t* body_size);
  // The next message to the last request: its type, or -errno.
  int Receive(const char** body, size_t* size);

  kernel::Descriptor netlink_;
  uint32_t sequence_ = 0;
  size_t filled_ = 0;
  size_t position_ = 0;
  alignas(8) char buffer_[16 * 1024];
};

}  // namespace bashward::broker

#endif  // BASHWARD_BROKER_SOCKETS_SOCKET_DIAGNOSIS_H_
