// System call numbers that the kernel headers may be too old for. Since 424 they are the same on every
// architecture.
#ifndef BASHWARD_SANDBOX_SYSTEM_CALLS_H_
#define BASHWARD_SANDBOX_SYSTEM_CALLS_H_

#include <stdint.h>

namespace bashward::sandbox::number {

inline constexpr uint32_t kIoUringSetup = 425;
inline constexpr uint32_t kIoUringEnter = 426;
inline constexpr uint32_t kIoUringRegister = 427;
inline constexpr uint32_t kOpenTree = 428;
inline constexpr uint32_t kMoveMount = 429;
inline constexpr uint32_t kFsopen = 430;
inline constexpr uint32_t kFsconfig = 431;
inline constexpr uint32_t kFsmount = 432;
inline constexpr uint32_t kFspick = 433;
inline constexpr uint32_t kClone3 = 435;
inline constexpr uint32_t kOpenat2 = 437;
inline constexpr uint32_t kPidfdGetfd = 438;
inline constexpr uint32_t kMountSetattr = 442;
inline constexpr uint32_t kQuotactlFd = 443;
inline constexpr uint32_t kFchmodat2 = 452;
inline constexpr uint32_t kFutexRequeue = 456;
inline constexpr uint32_t kSetxattrat = 463;
inline constexpr uint32_t kRemovexattrat = 466;
inline constexpr uint32_t kOpenTreeAttr = 467;
inline constexpr uint32_t kFileSetattr = 469;
inline constexpr uint32_t kFchroot = 472;

// Everything up to here has been reviewed: the system calls of Linux 7.3.
inline constexpr uint32_t kNewestReviewed = 472;

}  // namespace bashward::sandbox::number

#endif  // BASHWARD_SANDBOX_SYSTEM_CALLS_H_
