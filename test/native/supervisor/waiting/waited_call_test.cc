#include "supervisor/waiting/waited_call.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

namespace bashward::supervisor {
namespace {

TEST(WaitedCall, IsKnownByTheNumbersOfThisProcessor) {
  EXPECT_EQ(CallOf(SYS_read), WaitedCall::kRead);
  EXPECT_EQ(CallOf(SYS_readv), WaitedCall::kRead);
  EXPECT_EQ(CallOf(SYS_write), WaitedCall::kWrite);
  EXPECT_EQ(CallOf(SYS_ppoll), WaitedCall::kPpoll);
  EXPECT_EQ(CallOf(SYS_pselect6), WaitedCall::kPselect);
  EXPECT_EQ(CallOf(SYS_epoll_pwait), WaitedCall::kEpoll);
  EXPECT_EQ(CallOf(SYS_recvfrom), WaitedCall::kReceive);
  EXPECT_EQ(CallOf(SYS_recvmsg), WaitedCall::kReceive);
  EXPECT_EQ(CallOf(SYS_recvmmsg), WaitedCall::kReceive);
  EXPECT_EQ(CallOf(SYS_accept4), WaitedCall::kAccept);
  EXPECT_EQ(CallOf(SYS_connect), WaitedCall::kConnect);
  EXPECT_EQ(CallOf(SYS_wait4), WaitedCall::kChild);
  EXPECT_EQ(CallOf(SYS_waitid), WaitedCall::kChild);
  EXPECT_EQ(CallOf(SYS_nanosleep), WaitedCall::kSleep);
  EXPECT_EQ(CallOf(SYS_clock_nanosleep), WaitedCall::kSleep);
  EXPECT_EQ(CallOf(SYS_restart_syscall), WaitedCall::kRestart);
  EXPECT_EQ(CallOf(SYS_rt_sigsuspend), WaitedCall::kPause);
  EXPECT_EQ(CallOf(SYS_futex), WaitedCall::kFutex);
  EXPECT_EQ(CallOf(SYS_flock), WaitedCall::kLock);
  EXPECT_EQ(CallOf(SYS_fcntl), WaitedCall::kFcntl);
  EXPECT_EQ(CallOf(SYS_openat), WaitedCall::kOpen);
  EXPECT_EQ(CallOf(SYS_getpid), WaitedCall::kOther);
  EXPECT_EQ(CallOf(-1), WaitedCall::kOther);
}

// As the kernel's include/uapi/asm-generic/unistd.h and arch/x86/entry/syscalls/syscall_64.tbl number them.
TEST(WaitedCall, HasOtherNumbersOnTheOtherProcessor) {
  EXPECT_EQ(FindCall(kX64Calls, 0), WaitedCall::kRead);
  EXPECT_EQ(FindCall(kX64Calls, 7), WaitedCall::kPoll);
  EXPECT_EQ(FindCall(kX64Calls, 23), WaitedCall::kSelect);
  EXPECT_EQ(FindCall(kX64Calls, 232), WaitedCall::kEpoll);
  EXPECT_EQ(FindCall(kX64Calls, 271), WaitedCall::kPpoll);
  EXPECT_EQ(FindCall(kX64Calls, 441), WaitedCall::kEpollWithStructure);
  EXPECT_EQ(FindCall(kArm64Calls, 63), WaitedCall::kRead);
  EXPECT_EQ(FindCall(kArm64Calls, 73), WaitedCall::kPpoll);
  EXPECT_EQ(FindCall(kArm64Calls, 72), WaitedCall::kPselect);
  EXPECT_EQ(FindCall(kArm64Calls, 22), WaitedCall::kEpoll);
  EXPECT_EQ(FindCall(kArm64Calls, 441), WaitedCall::kEpollWithStructure);
  // There is neither poll nor select nor pause.
  EXPECT_EQ(FindCall(kArm64Calls, 7), WaitedCall::kOther);
}

}  // namespace
}  // namespace bashward::supervisor
