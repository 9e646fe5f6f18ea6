#include "support/bpf_interpreter.h"

#include <cstddef>
#include <cstring>

namespace bashward::test {
namespace {

bool IsValidAt(const std::vector<sock_filter>& program, size_t position) {
  const sock_filter& instruction = program[position];
  const size_t behind = program.size() - position - 1;  // instructions after this one
  switch (instruction.code) {
    case BPF_LD | BPF_W | BPF_ABS:
      return instruction.k % sizeof(uint32_t) == 0 && instruction.k < sizeof(seccomp_data);
    case BPF_ALU | BPF_AND | BPF_K:
      return true;
    case BPF_ALU | BPF_RSH | BPF_K:
      return instruction.k < 32;
    case BPF_JMP | BPF_JA:
      return instruction.k < behind;
    case BPF_JMP | BPF_JEQ | BPF_K:
    case BPF_JMP | BPF_JGT | BPF_K:
    case BPF_JMP | BPF_JGE | BPF_K:
    case BPF_JMP | BPF_JSET | BPF_K:
      return instruction.jt < behind && instruction.jf < behind;
    case BPF_RET | BPF_K:
      return true;
    default:
      return false;
  }
}

bool Holds(const sock_filter& jump, uint32_t accumulator) {
  switch (BPF_OP(jump.code)) {
    case BPF_JEQ:
      return accumulator == jump.k;
    case BPF_JGT:
      return accumulator > jump.k;
    case BPF_JGE:
      return accumulator >= jump.k;
    default:
      return (accumulator & jump.k) != 0;
  }
}

}  // namespace

bool IsValidBpf(const std::vector<sock_filter>& program) {
  if (program.empty() || program.size() > BPF_MAXINSNS) return false;
  for (size_t i = 0; i < program.size(); ++i) {
    if (!IsValidAt(program, i)) return false;
  }
  return BPF_CLASS(program.back().code) == BPF_RET;
}

std::optional<uint32_t> RunBpf(const std::vector<sock_filter>& program, const seccomp_data& call) {
  if (!IsValidBpf(program)) return std::nullopt;
  uint32_t accumulator = 0;
  // Every jump leads forwards, and a valid program ends with a return.
  for (size_t position = 0;; ++position) {
    const sock_filter& instruction = program[position];
    switch (BPF_CLASS(instruction.code)) {
      case BPF_LD:
        memcpy(&accumulator, reinterpret_cast<const char*>(&call) + instruction.k, sizeof accumulator);
        break;
      case BPF_ALU:
        if (BPF_OP(instruction.code) == BPF_AND) {
          accumulator &= instruction.k;
        } else {
          accumulator >>= instruction.k;
        }
        break;
      case BPF_JMP:
        if (BPF_OP(instruction.code) == BPF_JA) {
          position += instruction.k;
        } else {
          position += Holds(instruction, accumulator) ? instruction.jt : instruction.jf;
        }
        break;
      default:
        return instruction.k;
    }
  }
}

bool IsKnownToBeAllowed(const std::vector<sock_filter>& program, uint32_t number, uint32_t architecture) {
  if (!IsValidBpf(program)) return false;
  uint32_t accumulator = 0;
  for (size_t position = 0;; ++position) {
    const sock_filter& instruction = program[position];
    switch (instruction.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        if (instruction.k == offsetof(seccomp_data, nr)) {
          accumulator = number;
        } else if (instruction.k == offsetof(seccomp_data, arch)) {
          accumulator = architecture;
        } else {
          return false;
        }
        break;
      case BPF_ALU | BPF_AND | BPF_K:
        accumulator &= instruction.k;
        break;
      case BPF_JMP | BPF_JA:
        position += instruction.k;
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
      case BPF_JMP | BPF_JGT | BPF_K:
      case BPF_JMP | BPF_JGE | BPF_K:
      case BPF_JMP | BPF_JSET | BPF_K:
        position += Holds(instruction, accumulator) ? instruction.jt : instruction.jf;
        break;
      case BPF_RET | BPF_K:
        return instruction.k == SECCOMP_RET_ALLOW;
      default:
        return false;
    }
  }
}

}  // namespace bashward::test
