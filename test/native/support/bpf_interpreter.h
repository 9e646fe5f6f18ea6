// Classic BPF as seccomp(2) runs it, to test programs without installing them.
#ifndef BASHWARD_TEST_SUPPORT_BPF_INTERPRETER_H_
#define BASHWARD_TEST_SUPPORT_BPF_INTERPRETER_H_

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace bashward::test {

// Whether the kernel would take the program: its length, and that nothing leads out of it
// (bpf_check_classic() of net/core/filter.c). Only the instructions that a filter of system calls needs are
// known.
bool IsValidBpf(const std::vector<sock_filter>& program);

// What the program returns for a call; nothing for a program that the kernel would not take.
std::optional<uint32_t> RunBpf(const std::vector<sock_filter>& program, const seccomp_data& call);

// Whether the kernel knows when it installs the program that this number is always allowed, and does not run
// the program for it again (seccomp_is_const_allow() of kernel/seccomp.c).
bool IsKnownToBeAllowed(const std::vector<sock_filter>& program, uint32_t number, uint32_t architecture);

}  // namespace bashward::test

#endif  // BASHWARD_TEST_SUPPORT_BPF_INTERPRETER_H_
