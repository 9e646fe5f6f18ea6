// The broker answers any request about sockets, in any order, whatever its numbers, addresses, memory and
// paths: no socket gets off loopback or to another's server, no name appears outside the root. The kernel's
// part is real.
#include <arpa/inet.h>
#include <errno.h>
#include <fuzzer/FuzzedDataProvider.h>
#include <linux/audit.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "broker/sockets/socket_broker.h"
#include "broker_world.h"

namespace bashward::broker {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

// Inputs can be given by relative paths.
int own_directory = -1;
Tree* tree;
Caller* caller;
Memory* memory;
SocketBroker* sockets;
DenialLog* denials;
SocketRules rules;
// Another's server, which is never to be reached.
int host = -1;
uint16_t host_port = 0;
// What the caller has been given.
std::vector<int> made;

void OpenHost() {
  host = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t size = sizeof address;
  auto* const name = reinterpret_cast<sockaddr*>(&address);
  Require(bind(host, name, size) == 0 && listen(host, 8) == 0, "there is no server");
  Require(getsockname(host, name, &size) == 0, "it has no name");
  host_port = ntohs(address.sin_port);
}

uint16_t MakePort(FuzzedDataProvider* input) {
  const int kind = input->ConsumeIntegralInRange(0, 5);
  if (kind == 0) return host_port;
  if (kind == 1) return input->ConsumeIntegral<uint16_t>();
  if (kind == 2 || made.empty()) return 0;
  sockaddr_in6 address{};
  socklen_t size = sizeof address;
  getsockname(made[input->ConsumeIntegralInRange<size_t>(0, made.size() - 1)],
              reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin6_port);
}

std::string MakeAddress(FuzzedDataProvider* input) {
  static const char* const k4[] = {"127.0.0.1", "0.0.0.0", "127.9.9.9", "10.1.2.3", "255.255.255.255"};
  static const char* const k6[] = {"::1",     "::",         "::ffff:127.0.0.1", "::ffff:0.0.0.0",
                                   "fe80::1", "2001:db8::1"};
  static const char* const kPaths[] = {"s", "d/s",      "away/s",  "up",  "/tmp",
                                       "f", "../out/s", "fds/3/s", "link"};
  switch (input->ConsumeIntegralInRange(0, 4)) {
    case 0: {
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_port = htons(MakePort(input));
      inet_pton(AF_INET, input->PickValueInArray(k4), &address.sin_addr);
      return {reinterpret_cast<const char*>(&address), sizeof address};
    }
    case 1: {
      sockaddr_in6 address{};
      address.sin6_family = AF_INET6;
      address.sin6_port = htons(MakePort(input));
      address.sin6_scope_id = input->ConsumeIntegralInRange<uint32_t>(0, 3);
      inet_pton(AF_INET6, input->PickValueInArray(k6), &address.sin6_addr);
      return {reinterpret_cast<const char*>(&address), sizeof address};
    }
    case 2: {
      const uint16_t family = AF_UNIX;
      std::string address(reinterpret_cast<const char*>(&family), sizeof family);
      address += input->ConsumeBool() ? std::string(input->PickValueInArray(kPaths))
                                      : input->ConsumeRandomLengthString(120);
      return address;
    }
    case 3: {
      const uint16_t family = input->PickValueInArray<uint16_t>({AF_UNSPEC, AF_NETLINK, AF_INET});
      return std::string(reinterpret_cast<const char*>(&family), sizeof family) + std::string(14, '\0');
    }
    default:
      return input->ConsumeRandomLengthString(140);
  }
}

seccomp_notif MakeCall(FuzzedDataProvider* input) {
  seccomp_notif notification = caller->Notification();
  seccomp_data& data = notification.data;
  data.arch = kArchitecture;
  data.nr = static_cast<int>(
      input->PickValueInArray<long>({SYS_socket, SYS_socket, SYS_bind, SYS_listen, SYS_connect}));
  for (auto& argument : data.args) argument = input->ConsumeIntegralInRange<uint64_t>(0, 16);
  if (data.nr == SYS_socket) {
    data.args[0] = input->PickValueInArray<uint64_t>({AF_INET, AF_INET6, AF_UNIX, AF_NETLINK, AF_PACKET, 99});
    data.args[1] = input->PickValueInArray<uint64_t>(
        {SOCK_STREAM, SOCK_STREAM | SOCK_NONBLOCK, SOCK_SEQPACKET | SOCK_CLOEXEC, SOCK_DGRAM, SOCK_RAW});
    if (input->ConsumeBool()) data.args[2] = 0;
    return notification;
  }
  const bool is_made = !made.empty() && input->ConsumeIntegralInRange(0, 9) != 9;
  const auto& numbers = is_made ? made : tree->descriptors;
  data.args[0] = static_cast<uint64_t>(numbers[input->ConsumeIntegralInRange<size_t>(0, numbers.size() - 1)]);
  const std::string address = MakeAddress(input);
  data.args[1] = memory->Put(address, input->ConsumeBool());
  data.args[2] =
      input->ConsumeIntegralInRange(0, 9) == 9 ? input->ConsumeIntegral<uint32_t>() : address.size();
  return notification;
}

void RequireOnLoopback(int fd) {
  int family = 0;
  socklen_t size = sizeof family;
  Require(getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0, "a socket is none");
  if (family != AF_INET && family != AF_INET6) return;
  char device[IFNAMSIZ] = {};
  size = sizeof device;
  Require(getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, device, &size) == 0 && strcmp(device, "lo") == 0,
          "a socket is off loopback");
  sockaddr_in6 peer{};
  size = sizeof peer;
  if (getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0) {
    Require(ntohs(peer.sin6_port) != host_port, "another's server was reached");
  }
}

void AnswerOne(FuzzedDataProvider* input) {
  const seccomp_notif notification = MakeCall(input);
  errno = 0;
  SocketAnswer answer{};
  {
    const AsOrdinaryUser user;
    answer = sockets->Answer(notification, caller->listener());
  }
  Require(errno == 0, "errno was changed");
  Require(answer.error <= 0 && answer.error > -4096, "the answer is no error");
  if (answer.kind == SocketAnswer::Kind::kInstall) {
    made.push_back(fcntl(answer.socket->handle.get(), F_DUPFD_CLOEXEC, 0));
    Require(made.back() >= 0, "there is no socket");
  }
  for (const int fd : made) RequireOnLoopback(fd);
}

}  // namespace
}  // namespace bashward::broker

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  using namespace bashward;
  using namespace bashward::broker;
  Require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "privileges can be gained");
  own_directory = open(".", O_PATH | O_CLOEXEC);
  static Tree made_tree;
  tree = &made_tree;
  caller = new Caller;
  memory = new Memory;
  denials = new DenialLog;
  sockets = new SocketBroker;
  rules.loopback = rules.unix_sockets = true;
  sockets->Begin(&rules, &tree->roots, denials);
  OpenHost();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace bashward;
  using namespace bashward::broker;
  FuzzedDataProvider input(bytes, size);
  tree->PutBack();
  memory->Clear();
  for (int count = input.ConsumeIntegralInRange(1, 12); count > 0; --count) AnswerOne(&input);
  for (const int fd : made) close(fd);
  made.clear();
  while (WaitingConnect* const waiting = sockets->waiting().Due(UINT64_MAX)) WaitingConnects::Remove(waiting);
  Require(accept4(host, nullptr, nullptr, SOCK_CLOEXEC) < 0, "another's server was reached");
  for (const char* name : {"/ws/s", "/ws/d/s"}) unlink((tree->base + name).c_str());
  tree->RequireOutsideUnchanged();
  Require(fchdir(own_directory) == 0, "the directory is gone");
  return 0;
}
