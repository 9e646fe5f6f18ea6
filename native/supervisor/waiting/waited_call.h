// System calls in which a thread may wait, by their numbers: the same as
// lib/terminals/explain/look/system-calls.ts.
#ifndef BASHWARD_SUPERVISOR_WAITING_WAITED_CALL_H_
#define BASHWARD_SUPERVISOR_WAITING_WAITED_CALL_H_

#include <stddef.h>
#include <stdint.h>

namespace bashward::supervisor {

enum class WaitedCall : uint8_t {
  kOther,
  kRead,
  kWrite,
  kPoll,
  kPpoll,
  kSelect,
  kPselect,
  kEpoll,
  kEpollWithStructure,  // its timeout is a structure
  kReceive,
  kSend,
  kAccept,
  kConnect,
  kChild,
  kSleep,
  kRestart,  // poll(2) or nanosleep(2), after the process was stopped
  kPause,
  kFutex,
  kLock,
  kFcntl,
  kOpen,
};

struct NumberedCall {
  int16_t number;
  WaitedCall call;
};

inline constexpr NumberedCall kX64Calls[] = {
    {0, WaitedCall::kRead},      {1, WaitedCall::kWrite},
    {2, WaitedCall::kOpen},      {7, WaitedCall::kPoll},
    {17, WaitedCall::kRead},     {18, WaitedCall::kWrite},
    {19, WaitedCall::kRead},     {20, WaitedCall::kWrite},
    {23, WaitedCall::kSelect},   {34, WaitedCall::kPause},
    {35, WaitedCall::kSleep},    {42, WaitedCall::kConnect},
    {43, WaitedCall::kAccept},   {44, WaitedCall::kSend},
    {45, WaitedCall::kReceive},  {46, WaitedCall::kSend},
    {47, WaitedCall::kReceive},  {61, WaitedCall::kChild},
    {72, WaitedCall::kFcntl},    {73, WaitedCall::kLock},
    {128, WaitedCall::kPause},   {130, WaitedCall::kPause},
    {202, WaitedCall::kFutex},   {219, WaitedCall::kRestart},
    {230, WaitedCall::kSleep},   {232, WaitedCall::kEpoll},
    {247, WaitedCall::kChild},   {257, WaitedCall::kOpen},
    {270, WaitedCall::kPselect}, {271, WaitedCall::kPpoll},
    {281, WaitedCall::kEpoll},   {288, WaitedCall::kAccept},
    {299, WaitedCall::kReceive}, {441, WaitedCall::kEpollWithStructure},
    {449, WaitedCall::kFutex},   {455, WaitedCall::kFutex},
};

inline constexpr NumberedCall kArm64Calls[] = {
    {22, WaitedCall::kEpoll},
    {25, WaitedCall::kFcntl},
    {32, WaitedCall::kLock},
    {56, WaitedCall::kOpen},
    {63, WaitedCall::kRead},
    {64, WaitedCall::kWrite},
    {65, WaitedCall::kRead},
    {66, WaitedCall::kWrite},
    {67, WaitedCall::kRead},
    {68, WaitedCall::kWrite},
    {72, WaitedCall::kPselect},
    {73, WaitedCall::kPpoll},
    {95, WaitedCall::kChild},
    {98, WaitedCall::kFutex},
    {101, WaitedCall::kSleep},
    {115, WaitedCall::kSleep},
    {128, WaitedCall::kRestart},
    {133, WaitedCall::kPause},
    {137, WaitedCall::kPause},
    {202, WaitedCall::kAccept},
    {203, WaitedCall::kConnect},
    {206, WaitedCall::kSend},
    {207, WaitedCall::kReceive},
    {211, WaitedCall::kSend},
    {212, WaitedCall::kReceive},
    {242, WaitedCall::kAccept},
    {243, WaitedCall::kReceive},
    {260, WaitedCall::kChild},
    {441, WaitedCall::kEpollWithStructure},
    {449, WaitedCall::kFutex},
    {455, WaitedCall::kFutex},
};

template <size_t kCount>
constexpr WaitedCall FindCall(const NumberedCall (&table)[kCount], long number) {
  for (const NumberedCall& entry : table) {
    if (entry.number == number) return entry.call;
  }
  return WaitedCall::kOther;
}

// Of this processor.
inline WaitedCall CallOf(long number) {
#if defined(__x86_64__)
  return FindCall(kX64Calls, number);
#else
  return FindCall(kArm64Calls, number);
#endif
}

}  // namespace bashward::supervisor

#endif  // BASHWARD_SUPERVISOR_WAITING_WAITED_CALL_H_
