// Classic BPF programs in which equal parts are there once: an answer, a check, or the end that two checks
// have in common. Installing a program takes time for each of its instructions.
#ifndef BASHWARD_SANDBOX_SHARED_PROGRAM_H_
#define BASHWARD_SANDBOX_SHARED_PROGRAM_H_

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/bpf_program.h"

namespace bashward::sandbox {

// A program as the kernel takes it.
template <size_t kSize>
struct FinishedProgram {
  sock_filter code[kSize];
};

// Written from the last instruction to the first, as jumps lead forwards only: where one leads is there
// already.
class SharedProgram {
 public:
  // An instruction, by how many there are from it to the end.
  using Place = size_t;

  // --- each gives the place of an instruction that does this, which may have been there before ---
  constexpr Place Answer(uint32_t value) {
    for (Place place = 1; place <= size_; ++place) {
      if (At(place).code == (BPF_RET | BPF_K) && At(place).k == value) return place;
    }
    return Put(BPF_RET | BPF_K, value);
  }

  // Changes the accumulator and goes on at `next`.
  constexpr Place Step(uint16_t code, uint32_t value, Place next) {
    for (Place place = 2; place <= size_; ++place) {
      if (At(place).code == code && At(place).k == value && End(place - 1) == End(next)) return place;
    }
    if (next != size_) GoTo(next);
    return Put(code, value);
  }

  // `comparison` is BPF_JEQ, BPF_JGE or BPF_JSET.
  constexpr Place Choose(uint16_t comparison, uint32_t value, Place if_true, Place if_false) {
    if (End(if_true) == End(if_false)) return if_true;
    const auto code = static_cast<uint16_t>(BPF_JMP | BPF_K | comparison);
    for (Place place = 1; place <= size_; ++place) {
      const sock_filter& jump = At(place);
      if (jump.code == code && jump.k == value && End(place - 1 - jump.jt) == End(if_true) &&
          End(place - 1 - jump.jf) == End(if_false)) {
        return place;
      }
    }
    const Place near_true = Near(if_true);
    const Place near_false = Near(if_false);
    return Put(code, value, static_cast<uint8_t>(size_ - near_true),
               static_cast<uint8_t>(size_ - near_false));
  }

  // A whole piece, which begins at the place.
  constexpr Place Include(const BpfProgram& piece) {
    Place places[BpfProgram::kCapacity]{};
    for (size_t i = piece.size(); i-- > 0;) {
      const sock_filter& instruction = piece.code()[i];
      switch (BPF_CLASS(instruction.code)) {
        case BPF_RET:
          places[i] = Answer(instruction.k);
          break;
        case BPF_JMP:
          places[i] = BPF_OP(instruction.code) == BPF_JA
                          ? places[i + 1 + instruction.k]
                          : Choose(BPF_OP(instruction.code), instruction.k, places[i + 1 + instruction.jt],
                                   places[i + 1 + instruction.jf]);
          break;
        default:
          places[i] = Step(instruction.code, instruction.k, places[i + 1]);
      }
    }
    return places[0];
  }

  // The instruction that was put down last is the first of the program.
  constexpr size_t size() const { return size_; }
  template <size_t kSize>
  constexpr FinishedProgram<kSize> Finish() const {
    FinishedProgram<kSize> finished{};
    for (size_t i = 0; i < kSize; ++i) finished.code[i] = reversed_[kSize - 1 - i];
    return finished;
  }

 private:
  static constexpr size_t kCapacity = 512;
  // The distances of conditional jumps have eight bits. One is left for the jump that the other branch may
  // need.
  static constexpr size_t kReach = 0xff - 1;

  constexpr const sock_filter& At(Place place) const { return reversed_[place - 1]; }

  // Where one gets to from a place by jumps alone.
  constexpr Place End(Place place) const {
    while (At(place).code == (BPF_JMP | BPF_JA)) place -= 1 + At(place).k;
    return place;
  }

  // A place that a conditional jump reaches, and that leads to `place`.
  constexpr Place Near(Place place) {
    for (Place near = size_; size_ - near <= kReach; --near) {
      if (End(near) == End(place)) return near;
      if (near == 1) break;
    }
    return GoTo(place);
  }

  constexpr Place GoTo(Place place) { return Put(BPF_JMP | BPF_JA, static_cast<uint32_t>(size_ - place)); }

  constexpr Place Put(uint16_t code, uint32_t value, uint8_t if_true = 0, uint8_t if_false = 0) {
    reversed_[size_++] = {code, if_true, if_false, value};
    return size_;
  }

  sock_filter reversed_[kCapacity]{};
  size_t size_ = 0;
};

}  // namespace bashward::sandbox

#endif  // BASHWARD_SANDBOX_SHARED_PROGRAM_H_
