// Pieces of classic BPF over struct seccomp_data, written from the first instruction to the last. The
// compiler puts them together (shared_program.h): nothing is left to do at run time.
#ifndef BASHWARD_SANDBOX_BPF_PROGRAM_H_
#define BASHWARD_SANDBOX_BPF_PROGRAM_H_

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

namespace bashward::sandbox {

// SECCOMP_RET_USER_NOTIF, since 5.0: the kernel headers may be older.
inline constexpr uint32_t kAskBroker = 0x7fc0'0000;

class BpfProgram {
 public:
  static constexpr size_t kCapacity = 512;

  // --- loading a word of what is looked at into the accumulator ---
  constexpr void LoadArchitecture() { Add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)); }
  constexpr void LoadNumber() { Add(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)); }
  // The lower and upper half of an argument: both supported architectures are little-endian. Arguments that
  // the kernel takes as int have a lower half only.
  constexpr void LoadArgument(int index) {
    Add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * index));
  }
  constexpr void LoadUpperArgument(int index) {
    Add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * index + 4));
  }

  // --- changing it ---
  constexpr void And(uint32_t mask) { Add(BPF_ALU | BPF_AND | BPF_K, mask); }
  constexpr void ShiftRight(uint32_t bits) { Add(BPF_ALU | BPF_RSH | BPF_K, bits); }

  // --- answers ---
  constexpr void Allow() { Add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW); }
  constexpr void Refuse(int error) { Add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<uint32_t>(error)); }
  // The broker decides, and does it in the caller's place.
  constexpr void AskBroker() { Add(BPF_RET | BPF_K, kAskBroker); }
  // The caller is told that it has succeeded, and nothing is done.
  constexpr void Pretend() { Refuse(0); }

  // --- answers under a condition: each of these is passed by when the condition does not hold ---
  constexpr void AllowIfEqual(uint32_t value) {
    AddJump(BPF_JEQ, value, 0, 1);
    Allow();
  }
  constexpr void PretendIfEqual(uint32_t value) {
    AddJump(BPF_JEQ, value, 0, 1);
    Pretend();
  }
  constexpr void RefuseIfEqual(uint32_t value, int error) {
    AddJump(BPF_JEQ, value, 0, 1);
    Refuse(error);
  }
  constexpr void RefuseIfAnySet(uint32_t bits, int error) {
    AddJump(BPF_JSET, bits, 0, 1);
    Refuse(error);
  }
  constexpr void AllowUnlessAnySet(uint32_t bits) {
    AddJump(BPF_JSET, bits, 1, 0);
    Allow();
  }
  constexpr void RefuseIfAtLeast(uint32_t value, int error) {
    AddJump(BPF_JGE, value, 0, 1);
    Refuse(error);
  }
  constexpr void RefuseUnlessEqual(uint32_t value, int error) {
    AddJump(BPF_JEQ, value, 1, 0);
    Refuse(error);
  }

  // --- sections that are jumped over: Begin gives what End needs. The distances of conditional jumps have
  // eight bits only, so these jump without a condition. ---
  constexpr size_t BeginIfEqual(uint32_t value) {
    AddJump(BPF_JEQ, value, 1, 0);
    return BeginSkipped();
  }
  constexpr size_t BeginIfLess(uint32_t value) {
    AddJump(BPF_JGE, value, 0, 1);
    return BeginSkipped();
  }
  constexpr void End(size_t section) { code_[section].k = static_cast<uint32_t>(size_ - section - 1); }

  constexpr const sock_filter* code() const { return code_; }
  constexpr size_t size() const { return size_; }

 private:
  constexpr size_t BeginSkipped() {
    Add(BPF_JMP | BPF_JA, 0);
    return size_ - 1;
  }
  constexpr void AddJump(uint16_t comparison, uint32_t value, uint8_t if_true, uint8_t if_false) {
    code_[size_++] = {static_cast<uint16_t>(BPF_JMP | BPF_K | comparison), if_true, if_false, value};
  }
  constexpr void Add(int code, uint32_t value) {
    code_[size_++] = {static_cast<uint16_t>(code), 0, 0, value};
  }

  sock_filter code_[kCapacity]{};
  size_t size_ = 0;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_BPF_PROGRAM_H_
