#include "support/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstddef>

namespace bashward::test {
namespace {

constexpr long kOpenat2 = 437;
constexpr long kAnswerable = 512;
Answer answers[kAnswerable];

void Install(sock_filter* filter, size_t length) {
  const sock_fprog program{static_cast<unsigned short>(length), filter};
  ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0), 0);
}

void InstallFilter(long number, uint32_t action) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, action),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  Install(filter, sizeof filter / sizeof filter[0]);
}

// The result of the system call is what its register holds when the handler returns.
void AnswerTrapped(int, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  mcontext_t& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  constexpr int kArguments[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
  uint64_t arguments[6];
  for (int i = 0; i < 6; ++i) arguments[i] = static_cast<uint64_t>(machine.gregs[kArguments[i]]);
  machine.gregs[REG_RAX] = answers[info->si_syscall](arguments);
#elif defined(__aarch64__)
  uint64_t arguments[6];
  for (int i = 0; i < 6; ++i) arguments[i] = machine.regs[i];
  machine.regs[0] = static_cast<uint64_t>(answers[info->si_syscall](arguments));
#endif
  errno = saved_errno;
}

}  // namespace

void KillAtSystemCall(long number) {
  InstallFilter(number, SECCOMP_RET_KILL_PROCESS);
}

void RefuseSystemCall(long number, int error) {
  InstallFilter(number, SECCOMP_RET_ERRNO | static_cast<uint32_t>(error));
}

void RefuseSystemCallWith(long number, int argument, uint32_t value, int error) {
  const auto offset = static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * static_cast<size_t>(argument));
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(number), 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<uint32_t>(error)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  Install(filter, sizeof filter / sizeof filter[0]);
}

void AnswerSystemCall(long number, Answer answer) {
  ASSERT_LT(number, kAnswerable);
  answers[number] = answer;
  struct sigaction action{};
  action.sa_sigaction = AnswerTrapped;
  action.sa_flags = SA_SIGINFO;
  ASSERT_EQ(sigaction(SIGSYS, &action, nullptr), 0);
  InstallFilter(number, SECCOMP_RET_TRAP);
}

long OpenFile(const uint64_t* arguments) {
  // openat2(2), which takes a mode only where it means something.
  const uint64_t how[3] = {arguments[2], (arguments[2] & O_CREAT) != 0 ? arguments[3] : 0, 0};
  const long fd = syscall(kOpenat2, arguments[0], arguments[1], how, sizeof how);
  return fd < 0 ? -errno : fd;
}

}  // namespace bashward::test
