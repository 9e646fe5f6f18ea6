// Which requests of ioctl(2) the filter lets through. Their numbers are written down here: not all of them
// are in the kernel headers of every machine.
#include <errno.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termios.h>

#include <cstdint>
#include <initializer_list>

#include "support/filter_program.h"

namespace bashward::sandbox {
namespace {

using test::kAllowed;

void ExpectAnswer(int answer, std::initializer_list<uint64_t> requests) {
  for (const uint64_t request : requests) {
    EXPECT_EQ(test::CompleteFilter().Judge(SYS_ioctl, {0, request, 0x1000}), answer) << std::hex << request;
  }
}
void ExpectAllowed(std::initializer_list<uint64_t> requests) {
  ExpectAnswer(kAllowed, requests);
}
void ExpectRefused(std::initializer_list<uint64_t> requests) {
  ExpectAnswer(EPERM, requests);
}

TEST(CheckIoctl, AllowsTerminals) {
  ExpectAllowed({TCGETS, TCSETS, TCSETSW, TCSETSF, TCSBRK, TCFLSH, TIOCGWINSZ, TIOCSWINSZ, TIOCGPGRP,
                 TIOCSPGRP, TIOCGSID, TIOCNOTTY, TIOCGPTN, TIOCSPTLCK});
}

TEST(CheckIoctl, AllowsWhatEveryDescriptorHas) {
  ExpectAllowed({FIONREAD, FIONBIO, FIOASYNC, FIOCLEX, FIONCLEX});
}

TEST(CheckIoctl, RefusesToTypeIntoATerminalOrToTakeItOver) {
  constexpr uint64_t kLinux = 0x541c;
  constexpr uint64_t kHangUp = 0x5437;
  ExpectRefused({TIOCSTI, kLinux, TIOCCONS, TIOCSETD, TIOCSCTTY, kHangUp});
}

TEST(CheckIoctl, LooksAtWhatTheKernelTakesOfTheRequest) {
  constexpr uint64_t kUpperHalf = 0x1'0000'0000;
  ExpectRefused({kUpperHalf | TIOCSTI});
  ExpectAllowed({kUpperHalf | TCGETS});
}

TEST(CheckIoctl, AllowsToReadWhatAFileIs) {
  constexpr uint64_t kFiemap = 0xc020660b;        // FS_IOC_FIEMAP
  constexpr uint64_t kProcmapQuery = 0xc0686611;  // PROCMAP_QUERY
  ExpectAllowed({FIGETBSZ, FS_IOC_GETFLAGS, FS_IOC_GETVERSION, FS_IOC_FSGETXATTR, FS_IOC_GETFSLABEL, kFiemap,
                 kProcmapQuery});
}

TEST(CheckIoctl, AllowsToReadTheSizeOfADevice) {
  ExpectAllowed({BLKGETSIZE, BLKSSZGET, BLKGETSIZE64});
}

TEST(CheckIoctl, AllowsToReadWhatANamespaceIs) {
  ExpectAllowed({0xb701, 0xb702, 0xb703, 0xb704, 0x8008'b705, 0x8004'b706});
}

TEST(CheckIoctl, RefusesToChangeAFileThatIsOpenForReading) {
  ExpectRefused(
      {FS_IOC_SETFLAGS, FS_IOC_SETVERSION, FS_IOC_FSSETXATTR, FICLONE, FICLONERANGE, FIDEDUPERANGE});
}

TEST(CheckIoctl, RefusesToChangeAFileSystem) {
  ExpectRefused({FITRIM, FIFREEZE, FITHAW, FS_IOC_SETFSLABEL, FS_IOC_ADD_ENCRYPTION_KEY});
}

TEST(CheckIoctl, RefusesToChangeADevice) {
  constexpr uint64_t kCreateVirtualMachine = 0xae01;
  constexpr uint64_t kSetKeyboardMode = 0x4b3a;
  constexpr uint64_t kActivateConsole = 0x5606;
  ExpectRefused({BLKROSET, BLKDISCARD, BLKFLSBUF, kCreateVirtualMachine, kSetKeyboardMode, kActivateConsole});
}

TEST(CheckIoctl, RefusesToChangeASocketOrAnInterface) {
  constexpr uint64_t kSetOwner = 0x8901;           // FIOSETOWN
  constexpr uint64_t kSetInterfaceFlags = 0x8914;  // SIOCSIFFLAGS
  ExpectRefused({kSetOwner, kSetInterfaceFlags});
}

TEST(CheckIoctl, AllowsNoOtherTypeAtAll) {
  constexpr uint64_t kNumberOfNoGetter = 0xee;
  for (uint64_t type = 0; type < 0x100; ++type) {
    if (type == 'T' || type == 0xb7) continue;
    ExpectRefused({type << 8 | kNumberOfNoGetter, 0x4008'0000 | type << 8 | kNumberOfNoGetter});
  }
}

}  // namespace
}  // namespace bashward::sandbox
